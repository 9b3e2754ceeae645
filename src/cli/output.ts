/** What commands print: data to standard output, everything else to standard error. */

/** Text for people. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One document for programs. */
export function printJson(document: object): void {
  print(JSON.stringify(document, undefined, 2));
}

/** What is not data: remarks, warnings. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The next useful command, after something has changed. */
export function sayNext(commandLine: string): void {
  say(`next: ${commandLine}`);
}

/** Text from a file as a terminal may show it: control and direction characters made visible. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Text as a word of a command line that a shell reads back as the same. */
export function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `1 line`, `2 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`;
}

/** Whether standard output shows colours: somebody is looking at it, and has not said no. `isTTY` is undefined for a pipe. */
export function showsColor(wanted: boolean): boolean {
  return wanted && process.stdout.isTTY === true;
}
