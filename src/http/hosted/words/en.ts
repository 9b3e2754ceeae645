import type { Words } from './words.ts';

/** For everybody whose language the pages do not have. */
export const ENGLISH: Words = {
  language: 'en',
  payTitle: (amount) => `Pay ${amount}`,
  to: (merchant) => `to ${merchant}`,
  order: 'Order number',
  items: 'What you are buying',
  form: {
    title: 'Pay by card',
    card: 'Card number',
    cardHint: 'The 12 to 19 digits on the card; spaces do not matter.',
    expiry: 'Valid until',
    month: 'Month',
    year: 'Year',
    yearShape: 'YY',
    code: 'Security code',
    codeHint: '3 or 4 digits on the card.',
    stored: (last4) => `Pay with the card ending in ${last4}`,
    other: 'Use another card',
    pay: (amount) => `Pay ${amount}`,
    leave: 'Cancel and return to the shop',
    promise: 'The shop never sees your card number. Nobody keeps the security code.',
  },
  faults: {
    title: 'Something needs correcting',
    noCard: 'Enter the card number',
    badCard: 'Check the card number: a digit seems to be wrong or missing',
    badMonth: 'Enter the month as 01 to 12',
    badYear: 'Enter the year as on the card, for example 29',
    pastExpiry: 'The card is past its date: check month and year, or use another card',
    badCode: (digits) => `Enter the ${digits ?? '3 or 4'} digits of the security code`,
    typeAgain: 'Card number and security code are not sent back to this page, so type them again.',
  },
  methods: {
    known: {
      pix: {
        name: 'Pix',
        happens: 'You would scan a QR code with the app of your bank, and confirm the amount there.',
      },
      boleto: {
        name: 'Boleto bancário',
        happens: 'You would get a payment slip, and pay it at a bank or in its app within some days.',
      },
      oxxo: { name: 'OXXO', happens: 'You would get a voucher, and pay it in cash at an OXXO shop.' },
      spei: {
        name: 'SPEI',
        happens: 'You would get a CLABE number, and transfer the amount to it from your bank.',
      },
      pse: {
        name: 'PSE',
        happens: 'You would go on to the pages of your bank, and confirm a debit from your account.',
      },
      bank_transfer: {
        name: 'Bank transfer',
        happens: 'You would get the bank details of the shop, and transfer the amount to them.',
      },
      wallet: { name: 'Wallet', happens: 'You would sign in to your wallet, and confirm the amount there.' },
    },
    other: (method) => ({ name: method, happens: 'You would confirm the amount with this method.' }),
    title: (method) => `Pay with ${method}`,
    happens: 'What would happen',
    decide: 'This page stands in for the payment method: you decide how it ends.',
    approve: (amount) => `Approve ${amount}`,
    decline: 'Decline',
  },
  challenge: {
    title: 'Confirm that it is you',
    text: 'Your bank wants to be sure that it is you who pays. Please answer in the window below.',
    frame: 'Your bank: confirm the payment',
    issuer: 'Simulated card issuer',
    question: (amount, merchant) => `Do you want to pay ${amount} to ${merchant}?`,
    pass: 'Yes, confirm',
    fail: 'No, refuse',
  },
  waiting: {
    title: 'Your bank is being asked',
    text: 'This takes a moment. The page goes on by itself; please do not pay a second time.',
    still:
      'It takes longer than usual. The shop is told as soon as there is an answer, and you may close this page.',
    again: 'Look again',
  },
  over: {
    1: { title: 'Payment approved', text: 'You are being taken back to the shop.' },
    2: {
      title: 'Payment received',
      text: 'It is still being checked. You are being taken back to the shop.',
    },
    0: { title: 'Nothing was paid', text: 'You are being taken back to the shop.' },
  },
  back: 'Return to the shop',
  goOn: 'Go on',
  gone: {
    title: 'This payment page is not there',
    text: 'The address is incomplete, or the page has expired: it is open for 24 hours. Return to the shop and start the payment again.',
  },
  noReturn: {
    title: 'You may close this page',
    text: 'The shop gave no web address to return to. The payment is decided, and the shop is told of it.',
  },
  foreign: {
    title: 'This did not come from the payment page',
    text: 'Another site tried to act here, so nothing was done. Go back to the payment page and try again.',
  },
  tooLarge: { title: 'That is too much', text: 'More was sent than the form can hold, so nothing was done.' },
  failed: {
    title: 'Something went wrong here',
    text: 'We cannot say how far it came. Look at the payment page again before you pay a second time.',
  },
};
