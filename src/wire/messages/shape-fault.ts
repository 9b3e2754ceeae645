/** Why an answer does not have the shape that was agreed on: where, and never what stands there. */
import type * as z from 'zod';

/** The path is made of names of the schema and of numbers, so it can be shown. */
export function shapeFault({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.') ?? '';
  const where = path === '' ? 'its fields are' : `its ${path} is`;
  return `${where} not as agreed`;
}
