/** What never reaches a disk: card numbers in any form, and anything that depends on a security code. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Sandbox } from '../../support/ledger.ts';
import { byCard, byToken, CARDS, card, checkout, paymentOf, sessionOf } from './shop.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

/** A merchant that puts the card where it does not belong. */
function careless(number: string) {
  const grouped = number.replace(/(\d{4})(?=\d)/g, '$1 ');
  return { note: `card ${number}`, custom: `${grouped} and ${number.replace(/(\d{4})(?=\d)/g, '$1-')}` };
}

/** Every way to pay with every test card, and with stored ones. */
async function payInEveryWay(sandbox: Sandbox, securityCode: string): Promise<void> {
  const engine = sandbox.engine();
  for (const [name, number] of Object.entries(CARDS)) {
    const message = { token_flag: 'YES', shopper_email: 'a@shop.test', ...careless(number) } as const;
    const options = { idempotencyKey: name };
    const asked = { orderNo: `D-${name}`, message };
    const answer = await engine.authorise(byCard(number, asked, { securityCode }), options);
    const { tokenId } = paymentOf(answer);
    if (tokenId !== undefined) {
      const request = byToken(tokenId, { orderNo: `T-${name}` });
      await engine.authorise({ ...request, means: { by: 'token', tokenId, securityCode } });
    }
    const session = sessionOf(
      await engine.checkout(checkout({ orderNo: `H-${name}`, message: { token_flag: 'YES' } })),
    );
    await engine.submitCard(session, card(number, { securityCode }), '198.51.100.7');
    await engine.answerChallenge(session, true);
  }
  sandbox.now += 60_000;
  await engine.resolveDoubts();
}

test('F87 no byte of the data directory has a card number', async () => {
  await payInEveryWay(sandbox, '737');
  for (const { path, bytes } of await sandbox.files()) {
    for (const number of Object.values(CARDS)) {
      for (const form of [
        number,
        ...Object.values(careless(number)),
        Buffer.from(number).toString('base64').slice(0, 20),
      ])
        expect(bytes.includes(form), `${form} in ${path}`).toBe(false);
    }
    // Nothing of a number that nobody issues, not even its ends.
    expect(bytes.includes(CARDS.unknown.slice(0, 6)), path).toBe(false);
  }
});

/** Every row of every table. */
async function tables({ database }: Sandbox): Promise<Record<string, unknown>> {
  const names = await database.reads.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of names) rows[name] = await database.reads.all(`SELECT * FROM "${name}"`);
  return rows;
}

test('F87 other security codes leave the same rows in every table', async () => {
  const other = await Sandbox.make();
  await payInEveryWay(sandbox, '7391');
  await payInEveryWay(other, '804');
  const [mine, others] = [await tables(sandbox), await tables(other)];
  expect(mine.payment).not.toHaveLength(0);
  expect(mine.token).not.toHaveLength(0);
  expect(others).toEqual(mine);
  await other.remove();
});
