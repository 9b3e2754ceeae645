import { describe, expect, test } from 'vitest';
import { dayOf, startOfDay } from '../../src/core/calendar.ts';

describe('the day of an account', () => {
  test.each([
    ['2026-11-20T12:00:00Z', 'UTC', '2026-11-20'],
    ['2026-11-20T23:30:00Z', 'Europe/Berlin', '2026-11-21'],
    ['2026-11-20T02:30:00Z', 'America/Sao_Paulo', '2026-11-19'],
    ['2026-11-20T10:15:00Z', 'Pacific/Kiritimati', '2026-11-21'],
  ])('at %s in %s is %s', (at, zone, day) => {
    expect(dayOf(Date.parse(at), zone)).toBe(day);
  });

  test.each([
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
    // Clocks went from 0:00 to 1:00 here: the day began at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s begins at %s', (day, zone, at) => {
    expect(new Date(startOfDay(day, zone)).toISOString()).toBe(at);
  });
});
