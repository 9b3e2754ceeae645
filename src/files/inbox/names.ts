/** Which names in an inbox are instruction files. Contract, "Folders". */

/** Files that programs and people leave beside the ones that are meant: half-written, hidden, or ours. */
const IGNORED: readonly RegExp[] = [
  /^\./,
  /^~\$/,
  /~$/,
  /\.(tmp|part|partial|filepart|crdownload|swp|done)$/i,
  /\.control\.json$/i,
  /^desktop\.ini$/i,
  /^thumbs\.db$/i,
];

/** A sender's note beside `NAME` that it is complete. */
export const MARKER = '.done';

/** What a sender states about `NAME`. */
export const CONTROL = '.control.json';

export function isIgnored(name: string): boolean {
  return IGNORED.some((pattern) => pattern.test(name));
}
