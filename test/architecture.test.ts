/** The house rules that a machine can check: which way imports run, what stays pure, and that every fault has its test. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);

/** What each folder of src may import besides itself. Only `cli` constructs things, so it alone knows everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | 'everything'>> = {
  core: [],
  wire: ['core'],
  ledger: ['core'],
  files: ['core', 'wire'],
  report: ['core'],
  reconcile: ['core', 'wire', 'files', 'ledger', 'report'],
  client: ['core', 'wire'],
  http: ['core', 'wire'],
  engine: ['core', 'wire', 'ledger'],
  batch: ['core', 'files', 'ledger', 'report', 'wire'],
  config: ['core'],
  'config.ts': ['config', 'core'],
  'index.ts': ['client', 'core', 'wire'],
  cli: 'everything',
};

/** Every row of the faults has a test. */
const ROWS_WITH_TESTS = range(1, 107);

const LONGEST_FILE = 400;

interface Source {
  /** Path from src, for example `core/money.ts`. */
  readonly path: string;
  /** Folder of src, or the file itself where it lies at the top. */
  readonly area: string;
  readonly lines: number;
  /** Without comments. */
  readonly code: string;
  /** Paths of the project's own files. */
  readonly files: readonly string[];
  /** Names of packages, and `node:` modules. */
  readonly packages: readonly string[];
}

/** `import … from`, `export … from`; `import` alone; `import()`. */
const IMPORTS = [
  /^(?:import|export)\s+(?:type\s+)?(?:\w+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)?\s*from\s*'([^']+)'/gm,
  /^import\s*'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'/g,
];

const SOURCES = typescriptIn('src').map(readSource);

function typescriptIn(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).sort();
}

function readSource(path: string): Source {
  const text = readFileSync(new URL(`src/${path}`, ROOT), 'utf8');
  const code = withoutComments(text);
  const specifiers = IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!));
  return {
    path,
    area: path.split('/')[0]!,
    lines: text.split('\n').length - 1,
    code,
    files: specifiers.filter(isRelative).map((specifier) => posix.join(posix.dirname(path), specifier)),
    packages: specifiers.filter((specifier) => !isRelative(specifier)).map(packageOf),
  };
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function withoutTexts(code: string): string {
  return code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

/** `@scope/name/deep/file.js` is `@scope/name`. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Paths of the files whose code matches. */
function filesWith(pattern: RegExp, sources: readonly Source[] = SOURCES): string[] {
  return sources.filter(({ code }) => pattern.test(withoutTexts(code))).map(({ path }) => path);
}

/** One cycle of imports as a list of paths that begins and ends alike, if there is any. */
function findCycle(): readonly string[] | undefined {
  const byPath = new Map(SOURCES.map((source) => [source.path, source]));
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (finished.has(path)) return undefined;
    for (const imported of byPath.get(path)?.files ?? []) {
      const cycle = visit(imported, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(path);
    return undefined;
  };
  for (const { path } of SOURCES) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe('imports', () => {
  test('run the way of the house', () => {
    const breaches = SOURCES.flatMap(({ path, area, files }) => {
      const allowed = MAY_IMPORT[area];
      if (allowed === 'everything') return [];
      const areas = [area, ...(allowed ?? [])];
      return files
        .filter((file) => !areas.includes(file.split('/')[0]!))
        .map((file) => `${path} imports ${file}`);
    });
    expect(breaches).toEqual([]);
  });

  test('of every folder stand in the table', () => {
    expect(SOURCES.map(({ area }) => area).filter((area) => MAY_IMPORT[area] === undefined)).toEqual([]);
  });

  test('have no cycles', () => {
    expect(findCycle()).toBeUndefined();
  });

  test('of packages are dependencies of the product', () => {
    const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
    const breaches = SOURCES.flatMap(({ path, packages }) =>
      packages
        .filter((name) => !name.startsWith('node:') && manifest.dependencies[name] === undefined)
        .map((name) => `${path} imports ${name}`),
    );
    expect(breaches).toEqual([]);
  });

  test('of sqlite3 stand in one file', () => {
    const importing = SOURCES.filter(({ packages }) => packages.includes('sqlite3')).map(({ path }) => path);
    expect(importing).toEqual(['ledger/sqlite.ts']);
  });
});

describe('the core', () => {
  const core = SOURCES.filter(({ area }) => area === 'core');

  test('knows zod and itself', () => {
    const others = core.flatMap(({ path, packages }) =>
      packages.filter((name) => name !== 'zod').map((name) => `${path} imports ${name}`),
    );
    expect(others).toEqual([]);
  });

  test.each([
    ['clock', /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b/],
    ['chance', /\bMath\.random\b|\bcrypto\b/],
    ['surroundings', /\bprocess\b|\bsetTimeout\b|\bsetInterval\b|\bfetch\(|\bconsole\b/],
  ])('knows no %s', (_, pattern) => {
    expect(filesWith(pattern, core)).toEqual([]);
  });
});

describe('style', () => {
  test('only the configuration reads the environment', () => {
    expect(filesWith(/\bprocess\.env\b|\bprocess\[/).filter((path) => path !== 'config.ts')).toEqual([]);
  });

  test('nothing is of type any', () => {
    expect(filesWith(/(?::|<|\||,|\bas|=)\s*any\b\s*(?:[;,)>|&=\]}[]|$)/m)).toEqual([]);
  });

  test('no money is near a float', () => {
    expect(filesWith(/\bparseFloat\b|\.toFixed\(/)).toEqual([]);
  });

  test(`no file has more than ${LONGEST_FILE} lines`, () => {
    expect(SOURCES.filter(({ lines }) => lines > LONGEST_FILE).map(({ path }) => path)).toEqual([]);
  });
});

test('every fault so far is named by a test', () => {
  const tests = typescriptIn('test')
    .filter((path) => path !== 'architecture.test.ts')
    .map((path) => withoutComments(readFileSync(new URL(`test/${path}`, ROOT), 'utf8')))
    .join('\n');
  const missing = ROWS_WITH_TESTS.map((row) => `F${row}`).filter(
    (row) => !new RegExp(`\\b${row}\\b`).test(tests),
  );
  expect(missing).toEqual([]);
});
