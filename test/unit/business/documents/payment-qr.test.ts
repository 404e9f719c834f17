import fc from 'fast-check';
import { toDecimalString } from '../../../../domain/business/documents/printable-document';
import { buildEpcPayload, isIban, renderPaymentQr } from '../../../../services/business/documents/payment-qr';
import { buildSampleDocument } from '../../../support/business/sample-document';

const TRANSFER = {
  beneficiary: 'Red Cross of Belgium',
  iban: 'BE72 0000 0000 1616',
  bic: 'BPOTBEB1',
  amount: '1.00',
  remittance: 'Urgency fund',
};

describe('the payment code', () => {
  test('has the elements of EPC069-12 in order', () => {
    expect(buildEpcPayload(TRANSFER)).toBe(
      'BCD\n002\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR1.00\n\n\nUrgency fund',
    );
  });

  test('has an empty BIC if there is none', () => {
    expect(buildEpcPayload({ ...TRANSFER, bic: undefined })?.split('\n')[4]).toBe('');
  });

  test.each([
    ['no IBAN', { iban: 'BE72 0000 0000 1617' }],
    ['a BIC of the wrong form', { bic: 'BPOT' }],
    ['nothing to pay', { amount: '0.00' }],
    ['a negative amount', { amount: '-1.00' }],
    ['more than the scheme carries', { amount: '1000000000.00' }],
    ['one decimal', { amount: '1.5' }],
    ['no beneficiary', { beneficiary: '  ' }],
  ])('is not made for %s', (_, change) => {
    expect(buildEpcPayload({ ...TRANSFER, ...change })).toBeNull();
  });

  test('has every element on one line and stays within the maximum size, for any names', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        (beneficiary, remittance) => {
          const payload = buildEpcPayload({ ...TRANSFER, beneficiary, remittance });
          if (payload === null) return;
          expect(payload.split('\n')).toHaveLength(11);
          expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(331);
          expect([...(payload.split('\n')[5] ?? '')].length).toBeLessThanOrEqual(70);
        },
      ),
    );
  });

  test('validates the check digits of IBANs', () => {
    for (const iban of ['DE89370400440532013000', 'GB82WEST12345698765432', 'NO9386011117947'])
      expect(isIban(iban)).toBe(true);
    for (const iban of ['DE88370400440532013000', 'GB82WEST', '', 'de89370400440532013000'])
      expect(isIban(iban)).toBe(false);
  });

  test('is printed only on invoices in EUR', () => {
    expect(renderPaymentQr(buildSampleDocument())).not.toBeNull();
    expect(renderPaymentQr(buildSampleDocument(8, 'en', { grandTotal: toDecimalString('7') }))).not.toBeNull();
    expect(renderPaymentQr(buildSampleDocument(8, 'en', { currencyCode: 'CHF' }))).toBeNull();
    expect(renderPaymentQr(buildSampleDocument(8, 'en', { kind: 'credit_note' }))).toBeNull();
    expect(renderPaymentQr(buildSampleDocument(8, 'en', { voided: { date: '2026-11-22' } }))).toBeNull();
    expect(renderPaymentQr(buildSampleDocument(8, 'en', { payment: {} }))).toBeNull();
    expect(renderPaymentQr(buildSampleDocument(8, 'en', { grandTotal: toDecimalString('0.00') }))).toBeNull();
  });
});
