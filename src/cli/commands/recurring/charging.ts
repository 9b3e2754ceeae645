/** Charging with the embedded engine. */
import type { Engine } from '../../../engine/engine.ts';
import { type ChargeReport, type ChargingContext, chargeDue } from '../../../engine/subscriptions/charge.ts';
import type { Database } from '../../../ledger/database.ts';

export function chargingContext(database: Database, engine: Engine): ChargingContext {
  return { database, clock: Date.now, charge: (charge) => engine.charge(charge) };
}

/** Charges until nothing is due any more, or until it may not go on. */
export async function chargeAllDue(
  context: ChargingContext,
  mayGoOn: () => boolean,
): Promise<readonly ChargeReport[]> {
  const all: ChargeReport[] = [];
  while (mayGoOn()) {
    const { reports, looked } = await chargeDue(context, mayGoOn);
    all.push(...reports);
    if (looked === 0) break;
  }
  return all;
}
