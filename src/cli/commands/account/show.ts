/** `batchgate account show`: settings, keys by their fingerprints, fees and balances. */
import { nameOf } from '../../../batch/accounts.ts';
import { EXIT } from '../../../batch/exit.ts';
import { type Config, loadConfig } from '../../../config.ts';
import { digitsOf } from '../../../core/currency.ts';
import { formatAmount } from '../../../core/money.ts';
import { BOOKS, type Book } from '../../../core/transfer.ts';
import type { KnownAccount } from '../../../ledger/accounts.ts';
import { readBalances } from '../../../ledger/balances.ts';
import { chosenAccount, withAccount } from '../../account-choice.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { formatDuration, withData, withJson } from '../../options.ts';
import { print, printJson } from '../../output.ts';
import { listing, table } from '../../table.ts';

export const accountShowCommand = command({
  usage: 'show',
  describe: 'show an account: settings, keys, fees, balances',
  examples: [['account show --merchant M1 --account A1', 'never shows a key, only its fingerprint']],
  build: (yargs) => withAccount(withJson(withData(yargs))),
  run: (args) => {
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const account = await chosenAccount(opened, args);
      const balances = balancesOf(account, await readBalances(opened.database.reads));
      const shown = { environment: opened.environment, ...described(account, config), balances };
      if (args.json) printJson(shown);
      else print(text(account, shown));
      return EXIT.done;
    });
  },
});

type Balances = Readonly<Record<string, Readonly<Record<Book, string>>>>;

function described({ merchantId, accountId, settings }: KnownAccount, { payoutFees }: Config) {
  const fees = payoutFees.filter(({ currency }) => settings.currencies.includes(currency));
  return {
    merchant: merchantId,
    account: accountId,
    currencies: settings.currencies,
    capture: settings.capture,
    lifetime: formatDuration(settings.lifetime),
    time_zone: settings.time_zone,
    allow_ip: settings.allow_ip,
    storefronts: settings.storefronts,
    risk: {
      review: settings.risk.review,
      reject: settings.risk.reject,
      amount: Object.fromEntries(
        Object.entries(settings.risk.amount).map(([currency, minor]) => [
          currency,
          formatAmount(minor, digitsOf(currency)!),
        ]),
      ),
    },
    keys: settings.keys.map(({ file, fingerprint, revoked }) => ({ fingerprint, file, revoked })),
    payout_fees: fees.map(({ method, swift_charge_option, fee_paid_by, currency, amount }) => ({
      method: method ?? 'any',
      swift_charge_option: swift_charge_option ?? 'any',
      fee_paid_by: fee_paid_by ?? 'any',
      fee: `${amount} ${currency}`,
    })),
  };
}

/** Every book of every currency, zero where nothing was booked yet. */
function balancesOf(
  { number, settings }: KnownAccount,
  rows: Awaited<ReturnType<typeof readBalances>>,
): Balances {
  const own = rows.filter(({ account }) => account === number);
  const currencies = [...new Set([...settings.currencies, ...own.map(({ currency }) => currency)])];
  return Object.fromEntries(
    currencies.map((currency) => {
      const amount = (book: Book) =>
        own.find((row) => row.currency === currency && row.book === book)?.amount ?? '0';
      const books = BOOKS.map(
        (book) => [book, formatAmount(BigInt(amount(book)), digitsOf(currency)!)] as const,
      );
      return [currency, Object.fromEntries(books) as Record<Book, string>];
    }),
  );
}

function text(
  account: KnownAccount,
  shown: ReturnType<typeof described> & { balances: Balances; environment: string },
): string {
  const settings = listing([
    ['environment', shown.environment],
    ['currencies', shown.currencies.join(' ')],
    ['capture', shown.capture],
    ['authorisations last', shown.lifetime],
    ['time zone', shown.time_zone],
    ['may query from', shown.allow_ip.join(' ') || 'nowhere yet (account allow-ip)'],
    ['may frame its pages', shown.storefronts.join(' ') || 'nobody (account allow-storefront)'],
    ['risk', riskText(shown.risk)],
    ...shown.keys.map(
      ({ fingerprint, file, revoked }) =>
        ['key', `${fingerprint}  ${file}${revoked ? '  revoked' : ''}`] as const,
    ),
    ...(shown.payout_fees.length === 0 ? [['payout fees', 'none'] as const] : []),
    ...shown.payout_fees.map((rule) => ['payout fee', `${rule.fee}${conditions(rule)}`] as const),
  ]);
  const used = BOOKS.filter(
    (book) => book === 'merchant' || Object.values(shown.balances).some((books) => /[1-9]/.test(books[book])),
  );
  const rows = Object.entries(shown.balances).map(([currency, books]) => [
    currency,
    ...used.map((book) => books[book]),
  ]);
  const columns = used.map((book) => [book.replace('_', ' '), 'right'] as const);
  return [
    `account ${nameOf(account)}`,
    settings,
    'balances (credits less debits; merchant is what the merchant has)',
    table(['currency', ...columns], rows),
  ].join('\n');
}

function riskText({ review, reject, amount }: ReturnType<typeof described>['risk']): string {
  const limits = Object.entries(amount).map(([currency, limit]) => `held above ${limit} ${currency}`);
  return [`held from score ${review}, refused from ${reject}`, ...limits].join(', ');
}

function conditions(rule: ReturnType<typeof described>['payout_fees'][number]): string {
  const named = [
    ['method', rule.method],
    ['swift_charge_option', rule.swift_charge_option],
    ['fee_paid_by', rule.fee_paid_by],
  ].filter(([, value]) => value !== 'any');
  return named.length === 0
    ? ''
    : ` where ${named.map(([name, value]) => `${name} is ${value}`).join(' and ')}`;
}
