/** Network file systems, on which SQLite's locks and write-ahead log cannot be relied on. Faults, F57. */
import { statfsSync } from 'node:fs';

/** Kinds by the number that `statfs` gives them on Linux. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/** The kind of network file system that a folder lies on; undefined on a local disk. */
export function networkFileSystem(folder: string): string | undefined {
  return NETWORK_FILE_SYSTEMS.get(statfsSync(folder).type);
}
