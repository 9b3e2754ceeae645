import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { generate } from '../../../src/cli/generate/generate.ts';
import type { StatementLine } from '../../../src/reconcile/statement.ts';
import { CSV_READERS } from '../../../src/reconcile/statements/profiles.ts';
import { readerFor } from '../../../src/reconcile/statements/recognise.ts';
import { readWhole, type WholeStatement, written } from './csv-support.ts';

const SAMPLES = fileURLToPath(new URL('../../../../shared/data/settlement', import.meta.url));
const STRIPE = join(SAMPLES, 'stripe/dbt_stripe');

/** Reads a file that its header alone must tell. */
async function readAs(name: string, path: string): Promise<WholeStatement> {
  const reader = await readerFor(path, CSV_READERS);
  expect(reader.name).toBe(name);
  return readWhole(path, reader);
}

function sums(lines: readonly StatementLine[]): readonly [gross: number, fee: number, net: number] {
  const sum = (figure: 'gross' | 'fee' | 'net') => lines.reduce((total, line) => total + line[figure], 0);
  return [sum('gross'), sum('fee'), sum('net')];
}

function kinds(lines: readonly StatementLine[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of lines) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function contradictions(lines: readonly StatementLine[]): readonly StatementLine[] {
  return lines.filter(({ gross, fee, net }) => gross - fee !== net);
}

describe.skipIf(!existsSync(SAMPLES))('samples of the sources, to the cent', () => {
  test('stripe-balance', async () => {
    const { lines } = await readAs('stripe-balance', join(STRIPE, 'balance_transaction_data.csv'));
    expect(lines).toHaveLength(9);
    expect(sums(lines)).toEqual([21_111_559, 648_218, 20_463_341]);
    expect(contradictions(lines)).toEqual([]);
    expect(kinds(lines)).toEqual({ payout: 1, payment: 8 });
    expect(lines[0]).toEqual({
      line: 2,
      kind: 'payout',
      currency: 'USD',
      gross: -18759,
      fee: 0,
      net: -18759,
      references: ['po_0IV4rIig6peNXzgD51VFKdaB'],
      id: 'xyz_0IV4rIig6peNXzgDK3XAFbaN',
      group: 'po_0IV4rIig6peNXzgD51VFKdaB',
      booked: '2021-03-15',
      valued: '2021-03-16',
      text: 'payout · f39657a1847db73d9a2abb0bad3d31ae',
    });
    expect(lines[8]).toMatchObject({ line: 10, group: undefined, net: 7_282_469 });
  });

  test('stripe-payouts', async () => {
    const { lines } = await readAs('stripe-payouts', join(STRIPE, 'payout_data.csv'));
    expect(lines).toHaveLength(15);
    expect(sums(lines)).toEqual([21_471_524, 0, 21_471_524]);
    expect(lines.filter(({ gross }) => gross < 0)).toMatchObject([{ gross: -833_651 }]);
    expect(kinds(lines)).toEqual({ payout: 15 });
    expect(lines[0]).toMatchObject({
      id: 'po_0IB8cXig6peNXzgDJWLvHBB7',
      booked: '2021-01-19',
      valued: '2021-01-20',
    });
  });

  test('of the links between both, six lead nowhere; they are no statement themselves', async () => {
    const path = join(STRIPE, 'payout_balance_transaction_data.csv');
    await expect(readerFor(path, CSV_READERS)).rejects.toThrow('no statement that is known');
    const { lines } = await readAs('stripe-balance', join(STRIPE, 'balance_transaction_data.csv'));
    const ids = new Set(lines.map(({ id }) => id));
    const links: string[][] = parse(readFileSync(path), { from: 2 });
    expect(links.filter(([, , id]) => !ids.has(id))).toHaveLength(6);
    expect(links).toHaveLength(15);
  });

  test('mercadopago', async () => {
    const path = join(SAMPLES, 'mercadopago/settlement_report_docs_sample.csv');
    const { lines } = await readAs('mercadopago', path);
    expect(lines).toHaveLength(10);
    expect(sums(lines)).toEqual([546_000, 61_154, 484_846]);
    expect(contradictions(lines)).toEqual([]);
    expect(new Set(lines.map(({ currency }) => currency))).toEqual(new Set(['BRL']));
    expect(lines[0]).toMatchObject({
      line: 2,
      kind: 'payment',
      gross: 7900,
      fee: 885,
      net: 7015,
      references: ['5067634447', '2112818453'],
      id: '5067634447|SETTLEMENT|2019-08-11T22:20:19.000-04:00',
      booked: '2019-08-11',
      text: 'SETTLEMENT · account_money · 2E+15',
    });
  });
});

test('batchgate: what generate writes', async () => {
  const out = join(written('', 'generated'), '..', 'set');
  await generate({ transactions: 500, seed: 7, out, ids: 'ordered' });
  const { lines } = await readAs('batchgate', join(out, 'settlement.csv'));
  const rows: Record<string, string>[] = parse(readFileSync(join(out, 'settlement.csv')), { columns: true });
  expect(lines).toHaveLength(rows.length);
  expect(contradictions(lines)).toEqual([]);
  expect(lines.map(({ references }) => references[0])).toEqual(rows.map(({ reference }) => reference));
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['payment', 'refund']));
  expect(new Set(lines.map(({ booked }) => booked))).toEqual(new Set(['']));
  const digits = rows.map(({ gross }) => Number(gross!.replace('.', '')));
  expect(lines.map(({ gross }) => gross)).toEqual(digits);
});

describe('formats known by their documentation', () => {
  test('stripe-reconciliation', async () => {
    const { lines } = await readAs(
      'stripe-reconciliation',
      written(
        'automatic_payout_id,balance_transaction_id,created,available_on,currency,gross,fee,net,reporting_category,source_id,description\n' +
          'po_1,txn_1,2026-11-18 10:00:00,2026-11-20 00:00:00,eur,100.00,1.75,98.25,charge,ch_1,Order 1\n' +
          'po_1,txn_2,2026-11-19 10:00:00,2026-11-20 00:00:00,jpy,-500,0,-500,refund,re_1,\n',
      ),
    );
    expect(lines).toMatchObject([
      {
        kind: 'payment',
        gross: 10000,
        fee: 175,
        net: 9825,
        group: 'po_1',
        id: 'txn_1',
        references: ['ch_1'],
      },
      { kind: 'refund', currency: 'JPY', gross: -500, net: -500, valued: '2026-11-20' },
    ]);
  });

  test('adyen-settlement-details', async () => {
    const header =
      'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,' +
      'Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),' +
      'Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,' +
      'Modification Merchant Reference,Batch Number,Reserved4\n';
    const row = (psp: string, type: string, figures: string) =>
      `C,M,${psp},order ${psp},visa,2026-11-18 10:00:00,CET,${type},mod ${psp},${figures},visa,,42,\n`;
    const { lines } = await readAs(
      'adyen-settlement-details',
      written(
        header +
          row('P1', 'Settled', 'EUR,,100.00,1,EUR,,98.60,,0.40,0.20,0.80') +
          row('P2', 'Refunded', 'EUR,30.00,,1,EUR,30.10,,0.10,,,') +
          row('P3', 'Settled', 'USD,,100.00,0.9,EUR,,88.50,1.50,,,') +
          row('', 'Fee', 'EUR,,,1,EUR,5.00,,,,,') +
          row('', 'MerchantPayout', 'EUR,,,1,EUR,152.00,,,,,'),
      ),
    );
    expect(contradictions(lines)).toEqual([]);
    expect(sums(lines)[2]).toBe(0);
    expect(lines).toMatchObject([
      { kind: 'payment', gross: 10000, fee: 140, net: 9860, group: '42', booked: '2026-11-18' },
      { kind: 'refund', gross: -3000, fee: 10, net: -3010, references: ['P2', 'order P2', 'mod P2'] },
      { kind: 'payment', currency: 'EUR', gross: 9000, fee: 150, net: 8850 },
      { kind: 'fee', gross: -500, fee: 0, net: -500 },
      { kind: 'payout', gross: -15200, fee: 0, net: -15200 },
    ]);
  });

  test('paypal-activity', async () => {
    const header =
      '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address",' +
      '"To Email Address","Transaction ID","Reference Txn ID","Invoice Number","Balance","Balance Impact"\n';
    const row = (type: string, status: string, figures: string, ids: string, impact: string) =>
      `"11/20/2026","10:00:00","PST","Ann","${type}","${status}","USD",${figures},"a@b.example","c@d.example",${ids},"0.00","${impact}"\n`;
    const { lines } = await readAs(
      'paypal-activity',
      written(
        header +
          row(
            'Express Checkout Payment',
            'Completed',
            '"1,100.00","-32.20","1,067.80"',
            '"T1","","INV-1"',
            'Credit',
          ) +
          row('Payment Refund', 'Completed', '"-100.00","0.00","-100.00"', '"T2","T1",""', 'Debit') +
          row('General Withdrawal', 'Completed', '"-900.00","0.00","-900.00"', '"T3","",""', 'Debit') +
          row('Express Checkout Payment', 'Pending', '"5.00","0.00","5.00"', '"T4","",""', 'Credit') +
          row('Order', 'Completed', '"5.00","0.00","5.00"', '"T5","",""', 'Memo'),
      ),
    );
    expect(lines).toMatchObject([
      {
        kind: 'payment',
        gross: 110_000,
        fee: 3220,
        net: 106_780,
        references: ['T1', 'INV-1'],
        booked: '2026-11-20',
      },
      { kind: 'refund', gross: -10000, references: ['T2', 'T1'] },
      { kind: 'payout', gross: -90000, net: -90000 },
    ]);
  });

  test('paypal-settlement', async () => {
    const content = [
      '"RH",2026/11/21 02:44:19 -0800,"A","ACCOUNT",009,',
      '"FH",01',
      '"SH",2026/11/20 00:00:00 -0800,2026/11/20 23:59:59 -0800,"ACCOUNT",""',
      '"CH","Transaction ID","Invoice ID","PayPal Reference ID","PayPal Reference ID Type","Transaction Event Code",' +
        '"Transaction Initiation Date","Transaction Completion Date","Transaction Debit or Credit",' +
        '"Gross Transaction Amount","Gross Transaction Currency","Fee Debit or Credit","Fee Amount","Fee Currency",' +
        '"Custom Field","Consumer ID"',
      '"SB","T1","INV-1","","","T0006",2026/11/20 22:00:00 -0800,2026/11/20 22:00:01 -0800,"CR",10000,"USD","DR",320,"USD","",""',
      '"SB","T2","","T1","TXN","T1107",2026/11/20 23:00:00 -0800,2026/11/20 23:00:01 -0800,"DR",2500,"USD","CR",80,"USD","",""',
      '"SB","T3","","","","T0400",2026/11/20 23:10:00 -0800,2026/11/20 23:10:01 -0800,"DR",7000,"JPY","",,"","",""',
      '"SF","USD",10000,2500,80,320',
      '"SC",3',
      '"RF","USD",10000,2500',
      '"RC",3',
      '"FF",3',
    ].join('\n');
    const { lines } = await readAs('paypal-settlement', written(content));
    expect(lines).toMatchObject([
      {
        line: 5,
        kind: 'payment',
        gross: 10000,
        fee: 320,
        net: 9680,
        references: ['T1', 'INV-1'],
        booked: '2026-11-20',
      },
      { line: 6, kind: 'refund', gross: -2500, fee: -80, net: -2420, references: ['T2', 'T1'] },
      { line: 7, kind: 'payout', currency: 'JPY', gross: -7000, fee: 0, net: -7000 },
    ]);
  });

  test('checkout-com', async () => {
    const header =
      'Entity ID,Action Type,Action ID,Payment ID,Reference,Payout ID,Breakdown Type,Requested On,Processed On,' +
      'Holding Currency,Holding Currency Amount\n';
    const row = (breakdown: string, amount: string) =>
      `ent_1,Capture,act_1,pay_1,order-1,PO1,${breakdown},2026-11-20T10:00:00.000,2026-11-20T10:00:01.123,GBP,${amount}\n`;
    const { lines } = await readAs(
      'checkout-com',
      written(
        header +
          row('Capture', '100.00') +
          row('Premium Variable Fee', '-1.50000') +
          row('Rolling Reserve', '-5'),
      ),
    );
    expect(lines).toMatchObject([
      {
        kind: 'payment',
        gross: 10000,
        net: 10000,
        references: ['pay_1', 'order-1', 'act_1'],
        id: 'act_1|Capture',
        group: 'PO1',
      },
      { kind: 'fee', gross: -150, fee: 0, net: -150, booked: '2026-11-20' },
      { kind: 'reserve', gross: -500 },
    ]);
  });
});

test('profiles have names of their own', () => {
  const names = CSV_READERS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
