/** The simulated acquirer: what it says, what it remembers, and that asking twice never charges twice. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectorRequest } from '../../../src/engine/connector/connector.ts';
import { Simulator } from '../../../src/engine/connector/simulator.ts';
import { NOON, Sandbox } from '../../support/ledger.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

/** As it is after a restart: all that it knows is in the database. */
function simulator(latency = async () => {}): Simulator {
  return new Simulator({ database: sandbox.database, clock: sandbox.clock, latency });
}

function asking(number: string, change: Partial<ConnectorRequest> = {}): ConnectorRequest {
  return {
    reference: 'T1',
    card: { number, month: 12, year: 2030, securityCode: '737' },
    currency: 'USD',
    amount: 10_000,
    authentication: { asks: false, result: '-' },
    ...change,
  };
}

describe('a reference', () => {
  test('gets its first answer again, whatever it is asked with', async () => {
    const first = await simulator().authorise(asking('4111111111111111'));
    expect(first).toEqual({ is: 'approved', referenceNo: 'ST1', threeDs: '-' });
    expect(await simulator().authorise(asking('4000000000000002'))).toEqual(first);
    expect(await simulator().resolve('T1')).toEqual(first);
  });

  test('that was never heard of stays refused', async () => {
    expect(await simulator().resolve('T1')).toEqual({ is: 'never asked' });
    expect(await simulator().authorise(asking('4111111111111111'))).toEqual({ is: 'never asked' });
    expect(await simulator().completeChallenge('T2', true)).toEqual({ is: 'never asked' });
  });

  test('of the slow card is known after a minute', async () => {
    expect(await simulator().authorise(asking('4000000000000119'))).toEqual({ is: 'unknown' });
    sandbox.now = NOON + 59_999;
    expect(await simulator().resolve('T1')).toEqual({ is: 'unknown' });
    sandbox.now = NOON + 60_000;
    expect(await simulator().resolve('T1')).toMatchObject({ is: 'approved' });
  });

  test('of a challenge has one outcome', async () => {
    expect(await simulator().authorise(asking('4000000000003220'))).toEqual({
      is: 'challenge',
      referenceNo: 'ST1',
    });
    const failed = await simulator().completeChallenge('T1', false);
    expect(failed).toMatchObject({ is: 'declined', code: 'D0065', threeDs: 'N' });
    expect(await simulator().completeChallenge('T1', true)).toEqual(failed);
  });
});

test('it answers after its latency', async () => {
  const waited: number[] = [];
  const slow = simulator(async () => {
    waited.push(sandbox.now);
    sandbox.now += 500;
  });
  await slow.authorise(asking('4111111111111111'));
  await slow.resolve('T1');
  expect(waited).toEqual([NOON, NOON + 500]);
});

test('it knows its own cards only', () => {
  expect(simulator().recognises('4111111111111111')).toBe(true);
  for (const number of ['4012888888881881', '411111111111111', 'toString', '']) {
    expect(simulator().recognises(number), number).toBe(false);
  }
});
