import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import type { FieldProblem } from '../../errors';

/**
 * Normalises an IBAN: without spaces, in capitals. Null if length or structure do not match its country, or the check
 * digits are wrong (ISO 13616, MOD 97-10).
 */
export function readIban(text: string): string | null {
  const compact = electronicFormatIBAN(text.replace(/\s+/g, '').toUpperCase());
  return compact !== null && isValidIBAN(compact) ? compact : null;
}

/** Formats an IBAN in groups of four. */
export const groupIban = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');

/** Normalises a BIC of 8 or 11 characters to capitals; null if it does not match ISO 9362. */
export function readBic(text: string): string | null {
  const compact = text.replace(/\s+/g, '').toUpperCase();
  return isValidBIC(compact) ? compact : null;
}

/** Weights of the check digit of a routing number (American Bankers Association). */
const ROUTING_WEIGHTS = [3, 7, 1] as const;

/** Whether the text is a routing number of the United States: nine digits whose weighted sum is a multiple of 10. */
export const isRoutingNumber = (text: string): boolean =>
  /^\d{9}$/.test(text) &&
  [...text].reduce((total, digit, index) => total + Number(digit) * (ROUTING_WEIGHTS[index % 3] ?? 0), 0) % 10 === 0;

/** Bank details as sent; undefined if not sent, null for none. */
interface BankDetails {
  iban?: string | null | undefined;
  bic?: string | null | undefined;
}

/** Normalises bank details and collects their problems. */
export function readBankDetails(sent: BankDetails): BankDetails & { problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const iban = sent.iban == null ? sent.iban : readIban(sent.iban);
  if (sent.iban != null && iban === null)
    problems.push({ field: 'iban', problem: 'must be an IBAN with the right length and check digits' });
  const bic = sent.bic == null ? sent.bic : readBic(sent.bic);
  if (sent.bic != null && bic === null) problems.push({ field: 'bic', problem: 'must be a BIC of 8 or 11 characters' });
  return { iban, bic, problems };
}
