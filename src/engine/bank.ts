/** Whether a beneficiary's bank details can be right: IBAN and BIC by their check digits and shape. */
import { isValidBIC, isValidIBAN } from 'ibantools';
import type { PayoutMessage } from '../core/payout-message.ts';

/** What is wrong, in words, or undefined. */
export function bankFault(message: PayoutMessage): string | undefined {
  const { iban, swift_code } = message.beneficiary.bank_details ?? {};
  if (iban !== undefined && !isValidIBAN(iban.replaceAll(' ', ''))) return 'the IBAN is not valid';
  return swift_code !== undefined && !isValidBIC(swift_code) ? 'the BIC is not valid' : undefined;
}
