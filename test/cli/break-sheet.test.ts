/** Deciding about breaks in a spreadsheet: `break list --csv`, somebody fills it in, `break decide`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconciliationCsv } from '../../src/report/reconciliation/csv.ts';
import { aBreak, breakActs, dayFromNow, storeBreaks } from '../support/breaks.ts';
import { type CliSandbox, makeSandbox } from '../support/cli.ts';

/** What a spreadsheet would run, and what would end a record. */
const FORMULA = '=HYPERLINK("http://x.example";"T2")';

let made: CliSandbox;
let cli: CliSandbox;
let path: string;

beforeAll(async () => {
  made = await makeSandbox();
  await storeBreaks(made.data, [
    aBreak(1),
    aBreak(2, { reference: FORMULA, ledger: null, kind: 'missing_in_ledger', statement: -123_456n }),
    aBreak(3, { why: 'One line,\nand "another".', place: 'two\nlines; "one" file.csv:3' }),
    aBreak(4, { state: 'resolved', resolution: '+a cheque' }),
    aBreak(5, { state: 'expected', due: dayFromNow(3), kind: 'missing_in_statement', statement: null }),
  ]);
});
afterAll(() => made.remove());

beforeEach(() => {
  cli = made.copy();
  path = join(cli.folder, 'decisions.csv');
});
afterEach(() => cli.remove());

const id = (number: number) => `K${String(number).padStart(16, '0')}`;

type Row = Record<string, string>;

/** The sheet as a spreadsheet shows it. */
async function sheet(): Promise<Row[]> {
  const { exit, err } = await cli.run('break', 'list', '--state', 'all', '--csv', path);
  expect([exit, err]).toEqual([
    0,
    `5 breaks in ${path}; fill in decision (resolve or reopen), assign_to and comment\nnext: batchgate break decide ${path}\n`,
  ]);
  return parse(readFileSync(path), { bom: true, columns: true });
}

/** How Excel saves a sheet: its own delimiter, CRLF, quotes only where they must be. */
function save(
  rows: readonly Row[],
  { delimiter = ';', encoding = 'utf8' as 'utf8' | 'latin1' | 'utf16le' } = {},
) {
  const text = stringify([...rows], {
    header: true,
    delimiter,
    record_delimiter: '\r\n',
    quoted_match: /\n/,
  });
  const mark = encoding === 'latin1' ? '' : '\uFEFF';
  writeFileSync(path, Buffer.from(mark + text, encoding));
}

/** The sheet with some cells filled in, saved as Excel would. */
async function fillIn(cells: Readonly<Record<number, Row>>): Promise<void> {
  save((await sheet()).map((row) => ({ ...row, ...cells[Number(row.id!.slice(1))] })));
}

interface Decided {
  readonly exit: number;
  readonly result: string;
  readonly yes: string | null;
  readonly rows: number;
  readonly undecided: number;
  readonly breaks: number;
  readonly unchanged: number;
  readonly decisions: Readonly<Record<string, number>>;
  readonly errors: readonly {
    readonly line?: number;
    readonly column?: string;
    readonly code?: string;
    readonly message: string;
    readonly hint: string;
  }[];
}

function decide(...options: readonly string[]): Promise<Decided> {
  return cli.json<Decided>('break', 'decide', path, ...options);
}

/** Looks, and consents to what was shown. */
async function decideAll(): Promise<Decided> {
  const { yes } = await decide();
  return decide('--yes', yes!);
}

async function statesOf(): Promise<Readonly<Record<string, string>>> {
  const { breaks } = await cli.json<{
    breaks: readonly { id: string; state: string; assignee: string | null; resolution: string | null }[];
  }>('break', 'list', '--state', 'all');
  return Object.fromEntries(
    breaks.map((one) => [
      Number(one.id.slice(1)),
      [one.state, one.assignee ?? '–', one.resolution ?? '–'].join(' / '),
    ]),
  );
}

const UNTOUCHED = {
  1: 'open / – / –',
  2: 'open / – / –',
  3: 'open / – / –',
  4: 'resolved / – / +a cheque',
  5: 'expected / – / –',
};

const SOME: Readonly<Record<number, Row>> = {
  1: { decision: 'Resolve', comment: '=1+1, they said' },
  2: { assign_to: 'anna', comment: 'asked the bank' },
  4: { decision: 'reopen ', assign_to: 'bert', comment: '-it bounced' },
  5: { assign_to: 'Nobody' },
};

const DECIDED = {
  1: 'resolved / – / =1+1, they said',
  2: 'open / anna / –',
  3: 'open / – / –',
  4: 'open / bert / –',
  5: 'expected / – / –',
};

describe('a sheet', () => {
  test('is the list with three empty columns at its end, and runs nothing', async () => {
    const rows = await sheet();
    const [header] = readFileSync(path, 'utf8').split('\n');
    let columns = '';
    await reconciliationCsv((async function* () {})(), {
      write: async (text) => {
        columns += text;
      },
    });
    expect(header).toBe(`${columns.trimEnd()},decision,assign_to,comment`);
    expect(rows.map((row) => row.id)).toEqual([2, 5, 1, 3, 4].map(id));
    expect(rows[0]).toMatchObject({
      reference: `'${FORMULA}`,
      ledger: '',
      statement: '-1234.56',
      decision: '',
      assign_to: '',
      comment: '',
    });
    expect(rows[4]).toMatchObject({ state: 'resolved', resolution: "'+a cheque" });
  });

  test('goes to standard output, too', async () => {
    const { out, err } = await cli.run(
      'break',
      'list',
      '--csv',
      '-',
      '--kind',
      'amount_differs',
      '--limit',
      '1',
    );
    expect(err).toBe('');
    expect(parse(out, { bom: true, columns: true })).toMatchObject([{ id: id(1) }]);
    expect((await cli.run('break', 'list', '--csv', '-', '--json')).exit).toBe(2);
  });

  test('is written again as long as nobody has filled it in', async () => {
    await sheet();
    await sheet();
    await fillIn({ 1: { comment: 'mine' } });
    const { exit, err } = await cli.run('break', 'list', '--csv', path);
    expect(exit).toBe(2);
    expect(err).toContain('has decisions in it (1 row)');
    expect(readFileSync(path, 'utf8')).toContain('mine');
  });

  test('never takes the place of another file', async () => {
    writeFileSync(path, 'a,b\n1,2\n');
    expect(await cli.run('break', 'list', '--csv', path)).toMatchObject({ exit: 2 });
    expect(readFileSync(path, 'utf8')).toBe('a,b\n1,2\n');
  });

  test('in a folder that is not there is not written', async () => {
    const missing = join(cli.folder, 'nowhere', 'decisions.csv');
    expect((await cli.run('break', 'list', '--csv', missing)).exit).toBe(2);
    expect(existsSync(missing)).toBe(false);
  });
});

describe('decisions of a sheet', () => {
  test('are shown first, done with what they were shown with, and stand in the audit', async () => {
    await fillIn(SOME);
    const shown = await decide();
    expect(shown).toMatchObject({
      exit: 0,
      result: 'shown',
      rows: 5,
      undecided: 1,
      breaks: 3,
      unchanged: 1,
      decisions: { resolve: 1, reopen: 1, assign: 2, comment: 1 },
      errors: [],
    });
    expect(await statesOf()).toEqual(UNTOUCHED);
    expect(await decide('--yes', shown.yes!)).toMatchObject({ exit: 0, result: 'done', breaks: 3 });
    expect(await statesOf()).toEqual(DECIDED);
    const acts = await breakActs(cli.data);
    expect(acts.map(({ act, subject, detail }) => [act, subject, detail.line])).toEqual([
      ['break.decide', 'decisions.csv', undefined],
      ['break.assign', id(2), 2],
      ['break.comment', id(2), 2],
      ['break.resolve', id(1), 4],
      ['break.assign', id(4), 7],
      ['break.reopen', id(4), 7],
    ]);
    expect(acts[0]!.detail).toMatchObject({ rows: 5, breaks: 3, resolve: 1, together: shown.yes });
    expect(acts[3]!.detail).toMatchObject({ reason: '=1+1, they said', file: 'decisions.csv', was: 'open' });
    expect((await cli.run('verify')).exit).toBe(0);
  });

  test('for people', async () => {
    await fillIn(SOME);
    const shown = await cli.run('break', 'decide', path);
    expect(shown.out).toContain(
      '3 breaks would be changed (1 resolved, 1 reopened, 2 assigned, 1 commented on); nothing is changed yet',
    );
    expect(shown.out).toContain('statements less ledger: EUR -1239.56');
    const [, digest] = /--yes ([0-9A-F]{6})\n$/.exec(shown.err) ?? [];
    expect(await cli.run('break', 'decide', path, '--yes', digest!)).toMatchObject({
      exit: 0,
      out: '3 breaks changed (1 resolved, 1 reopened, 2 assigned, 1 commented on)\n',
    });
    expect((await cli.run('break', 'show', id(2))).out).toContain('asked the bank');
  });

  test.each([
    ['commas', { delimiter: ',' }],
    ['tabs in UTF-16', { delimiter: '\t', encoding: 'utf16le' as const }],
  ])('saved with %s are the same', async (_, format) => {
    save(
      (await sheet()).map((row) => ({ ...row, ...SOME[Number(row.id!.slice(1))] })),
      format,
    );
    await decideAll();
    expect(await statesOf()).toEqual(DECIDED);
  });

  test('saved in an old encoding are read by its name', async () => {
    save(
      (await sheet()).map((row) => ({ ...row, assign_to: row.id === id(1) ? 'Jörg' : '' })),
      { encoding: 'latin1' },
    );
    const [first] = (await decide()).errors;
    expect(first).toMatchObject({ code: 'B0002' });
    const { yes } = await decide('--encoding', 'windows-1252');
    await decide('--encoding', 'windows-1252', '--yes', yes!);
    expect((await statesOf())[1]).toBe('open / Jörg / –');
  });

  test('are the same when a spreadsheet writes amounts and columns in its own way', async () => {
    const rows = (await sheet()).map(({ why: _, ...row }) => ({
      mine: 'my own note',
      ...row,
      ...SOME[Number(row.id!.slice(1))],
      id: row.id!.toLowerCase(),
      ledger: row.ledger!.replace('.', ',').replace(/0$/, ''),
      statement: row.statement!.replace('-1234.56', '-1.234,56').replace('.00', ''),
    }));
    save(rows.toReversed());
    await decideAll();
    expect(await statesOf()).toEqual(DECIDED);
  });

  test('handed in again change nothing', async () => {
    await fillIn(SOME);
    const { yes } = await decide();
    await decide('--yes', yes!);
    const acts = await breakActs(cli.data);
    const again = { exit: 0, result: 'nothing_to_do', breaks: 0, unchanged: 4 };
    expect(await decide()).toMatchObject(again);
    expect(await decide('--yes', yes!)).toMatchObject(again);
    expect(await statesOf()).toEqual(DECIDED);
    expect(await breakActs(cli.data)).toEqual(acts);
  });

  test('that are none are nothing to do', async () => {
    await sheet();
    expect(await decide()).toMatchObject({ exit: 0, result: 'nothing_to_do', rows: 5, undecided: 5 });
    const { err } = await cli.run('break', 'decide', path);
    expect(err).toBe('nothing to do: in decisions.csv nothing is decided\n');
  });

  test('hide card numbers', async () => {
    await fillIn({ 1: { decision: 'resolve', comment: 'paid with 4111111111111111' } });
    await decideAll();
    expect((await statesOf())[1]).toBe('resolved / – / paid with 411111******1111');
    expect(JSON.stringify(await breakActs(cli.data))).not.toContain('4111111111111111');
  });

  test('are read as text, whatever a spreadsheet would make of them', async () => {
    await fillIn({ 1: { decision: 'resolve', comment: "'@SUM(1+1)" }, 3: { comment: '"quoted"; and more' } });
    await decideAll();
    expect((await statesOf())[1]).toBe('resolved / – / @SUM(1+1)');
    await cli.run('break', 'list', '--state', 'resolved', '--csv', join(cli.folder, 'again.csv'));
    expect(readFileSync(join(cli.folder, 'again.csv'), 'utf8')).toContain(",'@SUM(1+1),");
    expect((await cli.run('break', 'show', id(3))).out).toContain('"quoted"; and more');
  });
});

describe('a sheet that is not any more what it was', () => {
  test.each<[string, (data: string) => Promise<unknown>, string]>([
    [
      'another state',
      () => cli.run('break', 'resolve', id(1), '--reason', 'cash'),
      `${id(1)}: it has changed since: the row says open, ledger 12.50, statement 10.00; now it is resolved, ledger 12.50, statement 10.00`,
    ],
    [
      'another amount',
      (data) => storeBreaks(data, [aBreak(1, { ledger: 1300n })]),
      `${id(1)}: it has changed since: the row says open, ledger 12.50, statement 10.00; now it is open, ledger 13.00, statement 10.00`,
    ],
    [
      'no statement any more',
      (data) => storeBreaks(data, [aBreak(1, { statement: null })]),
      `${id(1)}: it has changed since: the row says open, ledger 12.50, statement 10.00; now it is open, ledger 12.50, statement nothing`,
    ],
  ])('names both when a break has %s: nothing is done', async (_, change, message) => {
    await fillIn(SOME);
    await change(cli.data);
    const before = await statesOf();
    const acts = await breakActs(cli.data);
    expect(await decide()).toMatchObject({ exit: 6, result: 'refused', errors: [{ line: 4, message }] });
    expect(await statesOf()).toEqual(before);
    expect(await breakActs(cli.data)).toEqual(acts);
  });

  test('does not matter where nothing is decided', async () => {
    await fillIn({ 2: { assign_to: 'anna' } });
    await storeBreaks(cli.data, [aBreak(1, { ledger: 1300n })]);
    expect((await decideAll()).result).toBe('done');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the sheet says something else', () => fillIn2({ ...SOME, 2: { assign_to: 'carl' } })],
    ['somebody else was quicker', () => cli.run('break', 'assign', id(2), '--to', 'anna')],
  ])('is not applied with an old consent when %s', async (_, change) => {
    await fillIn(SOME);
    const { yes } = await decide();
    await change();
    const before = await statesOf();
    const { exit, err } = await cli.run('break', 'decide', path, '--yes', yes!);
    expect(exit).toBe(2);
    expect(err).toContain('not any more what was shown with this --yes; nothing was changed');
    expect(await statesOf()).toEqual(before);
  });

  /** Changes what is filled in. */
  async function fillIn2(cells: Readonly<Record<number, Row>>): Promise<void> {
    const rows: Row[] = parse(readFileSync(path), { bom: true, columns: true, delimiter: ';' });
    save(
      rows.map((row) => ({
        ...row,
        ...cells[Number(row.id!.slice(1))],
        ...(row.id === id(2) ? { comment: '' } : {}),
      })),
    );
  }
});

describe('a sheet with mistakes', () => {
  test.each<[string, Row, string, string]>([
    ['no such decision', { decision: 'close' }, 'decision', '"close" is no decision'],
    ['no reason', { decision: 'resolve' }, 'comment', 'there is no reason to resolve it'],
    [
      'two lines',
      { comment: 'one\ntwo' },
      'comment',
      'the cell has a line break or another control character in it',
    ],
    [
      'too long a comment',
      { comment: 'x'.repeat(4097) },
      'comment',
      'the cell is longer than 4096 characters',
    ],
    [
      'too long a name',
      { assign_to: 'x'.repeat(256) },
      'assign_to',
      'the cell is longer than 255 characters',
    ],
    [
      'a damaged amount',
      { ledger: '12. Mai', comment: 'x' },
      'ledger',
      '"12. Mai" is no amount; a spreadsheet may have changed it',
    ],
    ['no id', { id: '', comment: 'x' }, 'id', 'the row does not say which break it is about'],
    ['an unknown id', { id: 'K9', comment: 'x' }, 'id', 'K9: there is no such break'],
    ['a decision twice', { id: id(2), comment: 'x' }, 'id', `${id(2)} is decided on line 2 already`],
    ['what cannot be done', { decision: 'reopen', comment: 'x' }, 'decision', `${id(1)}: it is open already`],
  ])('names line and column of %s: nothing is done', async (_, cells, column, message) => {
    await fillIn({ 2: { assign_to: 'anna' }, 1: cells });
    expect(await decide()).toMatchObject({
      exit: 6,
      result: 'refused',
      errors: [{ line: 4, column, message }],
    });
    const { exit, err } = await cli.run('break', 'decide', path, '--yes', 'ABCDEF');
    expect(exit).toBe(6);
    expect(err).toContain('decisions.csv cannot be applied; nothing was changed');
    expect(err).toContain(`decisions.csv, line 4, column ${column}: `);
    expect(await statesOf()).toEqual(UNTOUCHED);
    expect(await breakActs(cli.data)).toEqual([]);
  });

  test('says all of them at once', async () => {
    await fillIn({
      1: { decision: 'close' },
      2: { decision: 'resolve' },
      3: { comment: 'a\u0085b', decision: 'x' },
    });
    expect((await decide()).errors.map(({ line, column }) => [line, column])).toEqual([
      [2, 'comment'],
      [4, 'decision'],
      [5, 'decision'],
      [5, 'comment'],
    ]);
  });

  test.each<[string, string | Buffer, string]>([
    ['is empty', '', 'B0006'],
    ['is another file', 'merchant_id,account_id\nM1,A1\n', 'B0006'],
    ['has a misspelt column', 'id,state,ledger,statement,desision,assign_to,comment\n', 'B0007'],
    ['has a column twice', 'id,id,state,ledger,statement,decision,assign_to,comment\n', 'B0005'],
    [
      'has a line that is too long',
      'id,state,ledger,statement,decision,assign_to,comment\nK1,open,1,2,,,x,y\n',
      'B0008',
    ],
    [
      'has an open quote',
      'id,state,ledger,statement,decision,assign_to,comment\nK1,open,1,2,,,"x\n',
      'B0004',
    ],
    ['is a workbook', Buffer.from('PK\u0003\u0004 and so on'), 'B0017'],
    ['is binary', Buffer.from([0, 1, 2, 3, 0, 0, 0, 0]), 'B0003'],
  ])('is refused with its reason when it %s', async (_, content, code) => {
    writeFileSync(path, content);
    const { exit, result, errors } = await decide();
    expect([exit, result, errors[0]!.code]).toEqual([6, 'refused', code]);
  });

  test.each<[string, readonly string[], number, string]>([
    ['is not there', ['nowhere.csv'], 2, 'there is no nowhere.csv'],
    ['is a folder', ['.'], 6, 'it is no plain file'],
    ['is standard input', ['-'], 2, 'decisions are read from a file'],
    ['has an unknown encoding', ['x.csv', '--encoding', 'runes'], 2, '--encoding runes is not known'],
    ['has an unknown delimiter', ['x.csv', '--delimiter', 'x'], 2, '--delimiter x is not known'],
  ])('that %s is refused', async (_, words, exit, message) => {
    const ended = await cli.run('break', 'decide', ...words);
    expect([ended.exit, ended.err]).toEqual([exit, expect.stringContaining(message)]);
  });
});
