/** What a notification looks like on the wire, and how a receiver verifies it. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { letterOf } from '../../../src/engine/notifications/letter.ts';
import type { JsonFields } from '../../../src/wire/canonical.ts';
import { verifySignature } from '../../../src/wire/signature.ts';
import { newKey } from './support.ts';

const EVENT = { number: 17, body: '{"event":"capture","amount":"10.00"}' };
const [OLD, NEW] = [newKey(), newKey()];

/** What the merchant's Standard Webhooks library is configured with. */
function webhookOf(key: typeof OLD): Webhook {
  return new Webhook(`whsec_${key.export().toString('base64')}`);
}

test('carries what was written, the sequence, the environment and the signature of the API', () => {
  const { body, headers } = letterOf(EVENT, 'sandbox', [NEW], Date.now());
  const message = JSON.parse(body) as JsonFields;
  expect(message).toEqual({
    sequence: 17,
    environment: 'sandbox',
    event: 'capture',
    amount: '10.00',
    encryption_data: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(verifySignature(message, message.encryption_data, NEW)).toBe(true);
  expect(verifySignature({ ...message, amount: '99.00' }, message.encryption_data, NEW)).toBe(false);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['x-batchgate-environment']).toBe('sandbox');
});

test('is verified by the Standard Webhooks library', () => {
  const { body, headers } = letterOf(EVENT, 'sandbox', [NEW], Date.now());
  expect(webhookOf(NEW).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => webhookOf(NEW).verify(body.replace('10.00', '99.00'), headers)).toThrow();
  expect(() => webhookOf(OLD).verify(body, headers)).toThrow();
});

test('has one id for all its tries, and no other event has it', () => {
  const idOf = (event: typeof EVENT, environment = 'sandbox', at = 0) =>
    letterOf(event, environment, [NEW], at).headers['webhook-id'];
  expect(idOf(EVENT, 'sandbox', 1_000_000)).toBe(idOf(EVENT));
  expect(letterOf(EVENT, 'sandbox', [OLD, NEW], 0).headers['webhook-id']).toBe(idOf(EVENT));
  const others = [
    idOf({ ...EVENT, number: 18 }),
    idOf({ ...EVENT, body: '{"event":"capture","amount":"11.00"}' }),
    idOf(EVENT, 'live'),
  ];
  expect(new Set([idOf(EVENT), ...others]).size).toBe(4);
});

describe('F97 while a key is being replaced', () => {
  const { body, headers } = letterOf(EVENT, 'sandbox', [OLD, NEW], Date.now());

  test('webhook-signature has a signature by each valid key, the newest first', () => {
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expect(webhookOf(OLD).verify(body, headers)).toEqual(JSON.parse(body));
    expect(webhookOf(NEW).verify(body, headers)).toEqual(JSON.parse(body));
    const [first] = headers['webhook-signature']!.split(' ');
    expect(webhookOf(NEW).verify(body, { ...headers, 'webhook-signature': first! })).toBeDefined();
  });

  test('encryption_data is by the newest', () => {
    const message = JSON.parse(body) as JsonFields;
    expect(verifySignature(message, message.encryption_data, NEW)).toBe(true);
    expect(verifySignature(message, message.encryption_data, OLD)).toBe(false);
  });

  test('a revoked key signs no more', () => {
    const after = letterOf(EVENT, 'sandbox', [NEW], Date.now());
    expect(after.headers['webhook-signature']!.split(' ')).toHaveLength(1);
    expect(() => webhookOf(OLD).verify(after.body, after.headers)).toThrow();
  });
});
