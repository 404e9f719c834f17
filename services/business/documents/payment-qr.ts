import QRCode from 'qrcode';
import type { PrintableDocument } from '../../../domain/business/documents/printable-document';
import { SafeHtml } from '../../../lib/html';

/** Limits of the EPC quick response code: EPC069-12 v3.1, section 3. */
const EPC = { nameLength: 70, remittanceLength: 140, payloadBytes: 331 } as const;
const EPC_AMOUNT = /^\d{1,9}\.\d{2}$/;

export interface CreditTransfer {
  beneficiary: string;
  iban: string;
  bic?: string | undefined;
  /** Amount in EUR, `0.01` to `999999999.99`, two decimals. */
  amount: string;
  remittance: string;
}

/** ISO 13616: letters have the values 10–35, and the rearranged number is 1 modulo 97. */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** Truncates at a character boundary; line breaks become spaces, because they would start a new element. */
const toElement = (text: string, length: number): string =>
  [...text.replace(/\s+/gu, ' ').trim()].slice(0, length).join('');

/**
 * Builds the payload of an EPC QR code, version 002, UTF-8. The BIC is optional, so any SEPA account can be used.
 * Source: European Payments Council, EPC069-12.
 * @returns null if the transfer cannot be encoded: not an IBAN, an amount out of range, or too many bytes.
 */
export function buildEpcPayload(transfer: CreditTransfer): string | null {
  const iban = transfer.iban.replace(/\s/g, '').toUpperCase();
  if (!isIban(iban) || !EPC_AMOUNT.test(transfer.amount) || /^0+\.00$/.test(transfer.amount)) return null;
  const bic = (transfer.bic ?? '').replace(/\s/g, '').toUpperCase();
  if (bic !== '' && !/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)) return null;
  const beneficiary = toElement(transfer.beneficiary, EPC.nameLength);
  if (beneficiary === '') return null;
  const payload = [
    'BCD',
    '002',
    '1',
    'SCT',
    bic,
    beneficiary,
    iban,
    `EUR${transfer.amount}`,
    '',
    '',
    toElement(transfer.remittance, EPC.remittanceLength),
  ].join('\n');
  return Buffer.byteLength(payload, 'utf8') <= EPC.payloadBytes ? payload : null;
}

/** Renders the QR code as one SVG path of whole modules, with error correction level M as required by EPC069-12. */
function renderQrSvg(payload: string): SafeHtml {
  const { modules } = QRCode.create(payload, { errorCorrectionLevel: 'M' });
  const runs: string[] = [];
  for (let y = 0; y < modules.size; y += 1) {
    let x = 0;
    while (x < modules.size) {
      const start = x;
      while (x < modules.size && modules.get(y, x) !== 0) x += 1;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h-${x - start}z`);
      else x += 1;
    }
  }
  const size = modules.size;
  return new SafeHtml(
    `<svg class="qr" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${runs.join('')}"/></svg>`,
  );
}

/** EPC069-12 requires a decimal point and two decimals in every language. */
const epcAmountFormat = new Intl.NumberFormat('en', {
  useGrouping: false,
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/**
 * Renders the payment code of a document. Only invoices in EUR that are not void and have an IBAN have one.
 * @returns null if the document has no payment code.
 */
export function renderPaymentQr(document: PrintableDocument): SafeHtml | null {
  const { kind, voided, currencyCode, payment, seller, grandTotal, prepaid, number } = document;
  if (kind !== 'invoice' || voided !== undefined || currencyCode !== 'EUR' || payment.iban === undefined) return null;
  const payload = buildEpcPayload({
    beneficiary: payment.accountHolder ?? seller.name,
    iban: payment.iban,
    bic: payment.bic,
    amount: epcAmountFormat.format(prepaid?.due ?? grandTotal),
    remittance: number,
  });
  return payload === null ? null : renderQrSvg(payload);
}
