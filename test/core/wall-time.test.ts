import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentOf, wallOf } from '../../src/core/wall-time.ts';

const wall = (text: string) => Date.parse(`${text}Z`);

describe('the wall in Berlin', () => {
  test.each([
    ['2026-11-20T12:00:00', '2026-11-20T11:00:00.000Z', 'winter'],
    ['2026-07-20T12:00:00', '2026-07-20T10:00:00.000Z', 'summer'],
    [
      '2026-03-29T02:30:00',
      '2026-03-29T01:30:00.000Z',
      'clocks go over it: an hour later, at half past three',
    ],
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z', 'clocks show it twice: the first time'],
    ['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z', 'the first moment of summer'],
    ['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z', 'an hour after the end of summer'],
  ])('%s is at %s (%s)', (shown, at) => {
    expect(new Date(momentOf(wall(shown), 'Europe/Berlin')).toISOString()).toBe(at);
  });
});

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'America/St_Johns',
];

test('every moment is found again by what the wall shows, but for the hour that it shows twice', () => {
  const moment = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2060, 0) });
  fc.assert(
    fc.property(moment, fc.constantFrom(...ZONES), (at, zone) => {
      const found = momentOf(wallOf(at, zone), zone);
      expect(wallOf(found, zone)).toBe(wallOf(at, zone));
      expect(found).toBeLessThanOrEqual(at);
      expect(at - found).toBeLessThanOrEqual(60 * 60 * 1000);
    }),
  );
});
