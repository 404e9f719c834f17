import { buildQrReference, buildSwissQrBill } from '../../../../domain/business/documents/swiss-qr-bill';
import { buildTestAddress, buildTestInvoice } from '../../../support/business/documents';

const { seller } = buildTestInvoice();
const SWISS = {
  ...seller,
  iban: 'CH93 0076 2011 6238 5295 7',
  address: buildTestAddress({ line1: 'Marktgasse 28', postalCode: '9400', city: 'Rorschach', country: 'CH' }),
};
const buildBill = (changes: Parameters<typeof buildTestInvoice>[0] = {}, amount = '119') =>
  buildSwissQrBill(buildTestInvoice({ seller: SWISS, currencyCode: 'CHF', ...changes }), amount);

describe('the payment part of a Swiss QR bill', () => {
  test('has creditor, debtor, amount and the number of the invoice', () => {
    expect(buildBill()).toEqual({
      currency: 'CHF',
      amount: 119,
      creditor: {
        account: 'CH9300762011623852957',
        name: seller.legalName,
        address: 'Marktgasse 28',
        zip: '9400',
        city: 'Rorschach',
        country: 'CH',
      },
      debtor: {
        name: 'Café Ñandú, S.L.',
        address: 'Calle de la Ribera 3',
        zip: '08003',
        city: 'Barcelona',
        country: 'ES',
      },
      reference: undefined,
      message: 'R-2026-000017',
      language: 'DE',
    });
    expect(buildBill({ currencyCode: 'EUR', language: 'es' })).toMatchObject({ currency: 'EUR', language: 'EN' });
  });

  test('of a QR-IBAN has a reference with its check digit', () => {
    expect(buildQrReference('21 00000 00003 13947 14300 0901')).toBe('210000000003139471430009017');
    expect(buildBill({ seller: { ...SWISS, iban: 'CH44 3199 9123 0008 8901 2' } })?.reference).toBe(
      buildQrReference('2026000017'),
    );
  });

  test('exists only for CHF and EUR to accounts in Switzerland and Liechtenstein, with a complete address', () => {
    expect(buildBill({ currencyCode: 'USD' })).toBeUndefined();
    expect(buildBill({ seller })).toBeUndefined();
    expect(buildBill({ seller: { ...SWISS, iban: null } })).toBeUndefined();
    expect(buildBill({ seller: { ...SWISS, address: buildTestAddress({ country: 'CH' }) } })).toBeUndefined();
    expect(buildBill({}, '0')).toBeUndefined();
    const { buyer } = buildTestInvoice();
    expect(buildBill({ buyer: { ...buyer, address: buildTestAddress({}) } })).toMatchObject({ debtor: undefined });
  });
});
