/**
 * Days as files write them. A format is said by the mapping and matched as a whole; nothing is guessed, and a day that
 * does not exist is none. The day is the one that is written: a time or an offset behind it moves it nowhere.
 */

/** The day (`YYYY-MM-DD`) that a text says; undefined when it says none, or more than one. */
export type ReadDay = (text: string) => string | undefined;

/** Formats that go by a name; all others are patterns such as `dd/MM/yyyy HH:mm:ss`. */
const NAMED: ReadonlyMap<string, ReadDay> = new Map([
  ['iso', isoDay],
  ['epoch', epochDay],
]);

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** What the letters of a pattern stand for. Only year, month and day are kept; of a time it is known that it is one. */
const TOKENS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  MMM: `(?<name>${MONTHS.join('|')})`,
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  HH: '(?:[01]\\d|2[0-3])',
  H: '(?:1?\\d|2[0-3])',
  hh: '(?:0[1-9]|1[0-2])',
  h: '(?:[1-9]|1[0-2])',
  mm: '[0-5]\\d',
  ss: '[0-5]\\d',
  S: '\\d{1,9}',
  a: '[ap]m',
  XXX: '(?:Z|[+-]\\d{2}:?\\d{2})',
  z: '[a-z]{1,5}',
};

const PIECES = /yyyy|MMM|MM|M|dd|d|HH|H|hh|h|mm|ss|S|a|XXX|z|'[^']*'|[^A-Za-z']/g;

/** Why a text is no format, or undefined when it is one. */
export function formatFault(format: string): string | undefined {
  if (NAMED.has(format)) return undefined;
  const pieces = format.match(PIECES) ?? [];
  if (pieces.join('') !== format) {
    return `has letters that stand for nothing: use iso, epoch, or a pattern of ${Object.keys(TOKENS).join(' ')}, with other words in '…'`;
  }
  const kept = pieces.flatMap((piece) => /<(\w+)>/.exec(TOKENS[piece] ?? '')?.[1] ?? []);
  const once = kept.map((name) => (name === 'name' ? 'month' : name)).sort();
  return once.join() === 'day,month,year' ? undefined : 'must have a year, a month and a day, each once';
}

/**
 * How to read days in these formats, which `formatFault` has accepted. A text that two of them understand differently
 * is no day: `05/06/2026` is not to be guessed.
 */
export function dayReader(formats: readonly string[]): ReadDay {
  const readers = formats.map((format) => NAMED.get(format) ?? patternReader(format));
  const read = readers.length === 1 ? readers[0]! : (text: string) => agreed(readers, text);
  let lastText = '';
  let lastDay: string | undefined;
  return (text) => {
    if (text !== lastText) {
      lastDay = read(text);
      lastText = text;
    }
    return lastDay;
  };
}

function agreed(readers: readonly ReadDay[], text: string): string | undefined {
  const days = new Set(readers.flatMap((read) => read(text) ?? []));
  return days.size === 1 ? [...days][0] : undefined;
}

function patternReader(format: string): ReadDay {
  const source = format.match(PIECES)!.map((piece) => TOKENS[piece] ?? escaped(piece));
  const pattern = new RegExp(`^${source.join('')}$`, 'i');
  return (text) => {
    const found = pattern.exec(text)?.groups;
    if (found === undefined) return undefined;
    const month = found.month ?? MONTHS.indexOf(found.name!.toLowerCase()) + 1;
    return existing(Number(found.year), Number(month), Number(found.day));
  };
}

function escaped(piece: string): string {
  const literal = piece.startsWith("'") ? piece.slice(1, -1) : piece;
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)? ?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601: a day, or a day with its time and perhaps an offset. */
function isoDay(text: string): string | undefined {
  const found = ISO.exec(text);
  return found === null ? undefined : existing(Number(found[1]), Number(found[2]), Number(found[3]));
}

/** Seconds since 1970, the day in UTC: there is no other one written. */
function epochDay(text: string): string | undefined {
  return /^\d{9,11}$/.test(text) ? new Date(Number(text) * 1000).toISOString().slice(0, 10) : undefined;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The day as text, if there is one. */
function existing(year: number, month: number, day: number): string | undefined {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = (DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
  if (year < 1900 || day < 1 || day > last) return undefined;
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}
