/** Node, the data directory, its folders and its disk. */
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Folders } from '../../batch/folders.ts';
import { networkFileSystem } from '../network-file-system.ts';
import { type Diagnosis, ok, warning, wrong } from './diagnosis.ts';

/** The oldest Node that is tested. */
const OLDEST_NODE = [20, 19] as const;

const GIB = 1024 ** 3;
const LITTLE_SPACE = GIB;

export function checkNode(version: string): Diagnosis {
  const [major, minor] = version.split('.').map(Number);
  const [oldest, oldestMinor] = OLDEST_NODE;
  const isOldEnough = major! > oldest || (major === oldest && minor! >= oldestMinor);
  if (isOldEnough) return ok('node', `Node ${version}`);
  return wrong('node', `Node ${version} is too old`, `Install Node ${OLDEST_NODE.join('.')} or newer.`);
}

export function checkDirectory({ root, database }: Folders): Diagnosis {
  if (!existsSync(database))
    return wrong(
      'data directory',
      `${root} is no data directory`,
      'Make one: batchgate init, or name one with --data DIR.',
    );
  const open = statSync(root).mode & 0o007;
  if (open === 0) return ok('data directory', root);
  return warning('data directory', `everybody on this machine can look into ${root}`, `chmod o-rwx ${root}`);
}

/** Every folder is there, on the same device, and a file can be moved from one to another in one step. */
export async function checkFolders(folders: Folders): Promise<readonly Diagnosis[]> {
  const missing = folders.all.filter((folder) => !existsSync(folder));
  if (missing.length > 0)
    return [wrong('folders', `missing: ${missing.join(', ')}`, `mkdir ${missing.join(' ')}`)];
  const { dev } = await stat(folders.root);
  const found: Diagnosis[] = [];
  for (const folder of folders.all) {
    if ((await stat(folder)).dev !== dev) {
      found.push(
        wrong(
          'folders',
          `${folder} lies on another device`,
          'Move it to the device of the data directory: taking a file is a rename.',
        ),
      );
    } else {
      found.push(...(await moveProbe(folder, folders.work)));
    }
  }
  return found.length > 0
    ? found
    : [ok('folders', 'all there, on one device, and files can be moved between them')];
}

async function moveProbe(folder: string, work: string): Promise<readonly Diagnosis[]> {
  const name = `.doctor-${randomUUID()}.tmp`;
  const [from, to] = [join(folder, name), join(work, `moved${name}`)];
  try {
    await writeFile(from, '', { mode: 0o600 });
    await rename(from, to);
    return [];
  } catch (error) {
    return [
      wrong(
        'folders',
        `no file can be made in ${folder} and moved to ${work} (${codeOf(error)})`,
        'Check owner, permissions and free space.',
      ),
    ];
  } finally {
    await rm(from, { force: true });
    await rm(to, { force: true });
  }
}

export async function checkSpace({ root }: Folders): Promise<Diagnosis> {
  const { bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  const said = `${Math.floor((free / GIB) * 10) / 10} GiB free`;
  if (free >= LITTLE_SPACE) return ok('disk', said);
  return warning('disk', said, 'Make room: a full disk stops the work (nothing is lost).');
}

export function checkFileSystem({ root }: Folders): Diagnosis {
  const kind = networkFileSystem(root);
  if (kind === undefined) return ok('file system', 'local');
  return warning(
    'file system',
    `${root} lies on a network file system (${kind})`,
    'Keep the data directory on a local disk; only the drop folders may lie on a share.',
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
