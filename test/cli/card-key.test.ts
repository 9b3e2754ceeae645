/** The key of stored cards: made once, private, and never replaced. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CARD_KEY_FILE, cardKeyOf } from '../../src/cli/card-key.ts';
import { Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

test('it is made when it is first asked for, for its owner only, and stays', () => {
  const { keys } = sandbox.folders;
  const [first, second] = [cardKeyOf(sandbox.folders), cardKeyOf(sandbox.folders)];
  expect(readdirSync(keys)).toEqual([]);
  const key = first();
  expect(key).toHaveLength(32);
  expect(second()).toEqual(key);
  expect(first()).toBe(key);
  expect(readdirSync(keys)).toEqual([CARD_KEY_FILE]);
  expect(statSync(join(keys, CARD_KEY_FILE)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(keys, CARD_KEY_FILE))).toEqual(key);
});

test('one that was cut off is not used', () => {
  writeFileSync(join(sandbox.folders.keys, CARD_KEY_FILE), 'short');
  expect(() => cardKeyOf(sandbox.folders)()).toThrow('does not hold 32 bytes');
});
