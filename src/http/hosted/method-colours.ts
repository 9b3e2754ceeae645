/** The colour of each payment method's badge: white stands on it with a contrast above 4.5. */
export const METHOD_COLOURS: Readonly<Record<string, string>> = {
  pix: '#1c756b',
  boleto: '#37424f',
  oxxo: '#b0221c',
  spei: '#5d2c8a',
  pse: '#1b5aa6',
  bank_transfer: '#2747c7',
  wallet: '#8a4b00',
};
