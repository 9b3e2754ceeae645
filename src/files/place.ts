/** Line and position in it, in characters, both from 1. CR, LF and CRLF each end one line. */
export class Place {
  line = 1;
  position = 1;
  #afterReturn = false;

  pass(text: string): void {
    for (const character of text) {
      const ends = character === '\r' || (character === '\n' && !this.#afterReturn);
      if (ends) this.line++;
      this.position = ends || character === '\n' ? 1 : this.position + 1;
      this.#afterReturn = character === '\r';
    }
  }

  toString(): string {
    return `position ${this.position} of line ${this.line}`;
  }
}
