/**
 * Named statements on stored cards. A card is stored sealed before its payment is asked for, because afterwards nobody
 * knows its number any more; it can be used once that payment is approved, and is deleted when it is declined.
 */
import type { Statements } from './database.ts';

/** A stored card: its number only inside `sealed`, its security code nowhere. */
export interface StoredToken {
  readonly tokenId: string;
  readonly accountNumber: number;
  readonly first6: string;
  readonly last4: string;
  /** `YYYYMM`. */
  readonly expiry: string;
  /** Keyed hash of the number. */
  readonly cardHash: string;
  /** Number and expiry, encrypted; base64url. */
  readonly sealed: string;
}

const COLUMNS = `token_id AS tokenId, account AS accountNumber, first6, last4, expiry, card_hash AS cardHash, sealed`;

/** A stored card of the account that can be used. */
export async function findToken(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  tokenId: string,
): Promise<StoredToken | undefined> {
  const [row] = await statements.all<StoredToken>(
    `SELECT ${COLUMNS} FROM token WHERE token_id = ? AND account = ? AND kept_at IS NOT NULL`,
    [tokenId, accountNumber],
  );
  return row;
}

/** The id under which the account has stored this very card, if it has. */
export async function tokenOfCard(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  cardHash: string,
  expiry: string,
): Promise<string | undefined> {
  const [row] = await statements.all<{ tokenId: string }>(
    `SELECT token_id AS tokenId FROM token
     WHERE account = ? AND card_hash = ? AND expiry = ? AND kept_at IS NOT NULL ORDER BY kept_at, token_id LIMIT 1`,
    [accountNumber, cardHash, expiry],
  );
  return row?.tokenId;
}

/** Stores a card that a payment brings, to be kept if that payment is approved. */
export async function insertToken(statements: Statements, txn: number, token: StoredToken): Promise<void> {
  await statements.run(
    `INSERT INTO token (token_id, account, txn, first6, last4, expiry, card_hash, sealed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      token.tokenId,
      token.accountNumber,
      txn,
      token.first6,
      token.last4,
      token.expiry,
      token.cardHash,
      token.sealed,
    ],
  );
}

/** The payment that brought the card was approved. */
export async function keepToken(statements: Statements, txn: number, at: number): Promise<void> {
  await statements.run('UPDATE token SET kept_at = ? WHERE txn = ? AND kept_at IS NULL', [at, txn]);
}

/** The payment that brought the card came to nothing. */
export async function dropToken(statements: Statements, txn: number): Promise<void> {
  await statements.run('DELETE FROM token WHERE txn = ? AND kept_at IS NULL', [txn]);
}

/** Whether any card is stored. */
export async function hasTokens(statements: Pick<Statements, 'all'>): Promise<boolean> {
  return (await statements.all('SELECT 1 FROM token LIMIT 1')).length > 0;
}
