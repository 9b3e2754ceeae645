/** Expected files under fixtures/report/<case>/; `UPDATE_GOLDEN=1` writes them anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

const ROOT = join(import.meta.dirname, '../../fixtures/report');

/** Compares a text with the expected file, byte for byte. */
export function expectGolden(name: string, text: string): void {
  const path = join(ROOT, name);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}
