/** What one look at the installation has found, and how to mend it. */
export interface Diagnosis {
  readonly name: string;
  /** `wrong` keeps batchgate from working as promised; `warning` may. */
  readonly level: 'ok' | 'warning' | 'wrong';
  readonly message: string;
  readonly mend: string | null;
}

export function ok(name: string, message: string): Diagnosis {
  return { name, level: 'ok', message, mend: null };
}

export function warning(name: string, message: string, mend: string): Diagnosis {
  return { name, level: 'warning', message, mend };
}

export function wrong(name: string, message: string, mend: string): Diagnosis {
  return { name, level: 'wrong', message, mend };
}
