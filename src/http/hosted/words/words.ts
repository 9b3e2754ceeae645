/** The texts that every language of the hosted pages has. Amounts come formatted: `129.90 EUR`. */

/** A heading and what follows it. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** A payment method in the shopper's words: its name, and what would happen with the real one. */
export interface MethodWords {
  readonly name: string;
  readonly happens: string;
}

/** Everything that one language says. */
export interface Words {
  /** Value of `lang`, and the locale of amounts. */
  readonly language: string;
  readonly payTitle: (amount: string) => string;
  readonly to: (merchant: string) => string;
  readonly order: string;
  readonly items: string;
  readonly form: {
    readonly title: string;
    readonly card: string;
    readonly cardHint: string;
    readonly expiry: string;
    readonly month: string;
    readonly year: string;
    /** Two letters for two digits of a year. */
    readonly yearShape: string;
    readonly code: string;
    readonly codeHint: string;
    /** @param last4 last digits of the shopper's stored card */
    readonly stored: (last4: string) => string;
    readonly other: string;
    readonly pay: (amount: string) => string;
    readonly leave: string;
    readonly promise: string;
  };
  readonly faults: {
    readonly title: string;
    readonly noCard: string;
    readonly badCard: string;
    readonly badMonth: string;
    readonly badYear: string;
    readonly pastExpiry: string;
    /** @param digits how many the card has: 3 or 4; undefined while the kind of card is unknown */
    readonly badCode: (digits: number | undefined) => string;
    /** Card data is never sent back to the browser. */
    readonly typeAgain: string;
  };
  readonly methods: {
    /** By `payment_method`. */
    readonly known: Readonly<Record<string, MethodWords>>;
    readonly other: (method: string) => MethodWords;
    readonly title: (method: string) => string;
    readonly happens: string;
    readonly decide: string;
    readonly approve: (amount: string) => string;
    readonly decline: string;
  };
  readonly challenge: {
    readonly title: string;
    readonly text: string;
    readonly frame: string;
    readonly issuer: string;
    readonly question: (amount: string, merchant: string) => string;
    readonly pass: string;
    readonly fail: string;
  };
  readonly waiting: Notice & { readonly still: string; readonly again: string };
  /** By order_status. */
  readonly over: Readonly<Record<0 | 1 | 2, Notice>>;
  readonly back: string;
  readonly goOn: string;
  readonly gone: Notice;
  readonly noReturn: Notice;
  readonly foreign: Notice;
  readonly tooLarge: Notice;
  readonly failed: Notice;
}
