import { RULES, unfitnessOf, violationsOf } from '../../../../../domain/business/documents/einvoice/check';
import { electronicInvoice } from '../../../../../domain/business/documents/einvoice/from-document';
import type { ElectronicInvoice } from '../../../../../domain/business/documents/einvoice/semantic-model';
import type { InvoiceSnapshot } from '../../../../../domain/business/invoices/invoice';
import {
  address,
  creditNoteWith,
  invoiceWith,
  lineWith,
  taxWith,
  untaxedInvoice,
} from '../../../../support/business/documents';

const rulesOf = (document: Parameters<typeof unfitnessOf>[0]): string[] => [
  ...new Set(unfitnessOf(document).map(({ rule }) => rule)),
];

const { seller, buyer } = invoiceWith();

/** An invoice with one line and row of a category, and whatever else differs. */
const taxed = (
  category: Parameters<typeof untaxedInvoice>[0],
  reason: string | null = null,
  changes: Partial<InvoiceSnapshot> = {},
) => ({ ...untaxedInvoice(category, reason), ...changes });

describe('a document fit to be sent electronically', () => {
  test.each([
    ['an invoice', invoiceWith()],
    ['a credit note', creditNoteWith()],
    ['an invoice in another currency', invoiceWith({ currencyCode: 'USD', exchangeRate: '0.9', baseTaxTotal: '17.1' })],
    ['an invoice at zero rate', taxed('Z')],
    ['an exempt one that says why', taxed('E', 'Exempt, article 132')],
    ['a reverse charge', taxed('AE')],
    ['a supply within the Union', taxed('K')],
    ['an export', taxed('G')],
    ['a supply outside the scope of VAT', taxed('O')],
    ['IPSI of Ceuta at 0 %', taxed('M')],
    [
      'a seller with a national tax number and a registration',
      invoiceWith({ seller: { ...seller, taxId: '22/815/0815' } }),
    ],
    [
      'prices with tax, whose tax is not the product',
      invoiceWith({
        lines: [
          lineWith({
            priceIncludesTax: true,
            unitPrice: '5.025',
            gross: '10.05',
            net: '8.38',
            tax: '1.67',
            taxPercent: '20',
          }),
        ],
        taxes: [taxWith({ percent: '20', net: '8.38', tax: '1.67' })],
        total: '8.38',
        taxTotal: '1.67',
        grandTotal: '10.05',
      }),
    ],
    [
      'an invoice of nothing',
      invoiceWith({
        lines: [lineWith({ unitPrice: '0', gross: '0', net: '0', tax: '0' })],
        taxes: [taxWith({ net: '0', tax: '0' })],
        total: '0',
        taxTotal: '0',
        grandTotal: '0',
      }),
    ],
  ])('is %s', (_, document) => {
    expect(unfitnessOf(document)).toEqual([]);
  });
});

describe('a document unfit to be sent electronically', () => {
  const noAddress = address({});
  test.each<[string, InvoiceSnapshot, string[]]>([
    ['no address of the seller', invoiceWith({ seller: { ...seller, address: noAddress } }), ['BR-08', 'BR-09']],
    ['no address of the buyer', invoiceWith({ buyer: { ...buyer, address: noAddress } }), ['BR-10', 'BR-11']],
    ['an address without country', invoiceWith({ buyer: { ...buyer, address: address({ city: 'Cork' }) } }), ['BR-11']],
    ['a country nobody has', invoiceWith({ buyer: { ...buyer, address: address({ country: 'QQ' }) } }), ['BR-CL-14']],
    ['a line without name', invoiceWith({ lines: [lineWith({ description: ' ' })] }), ['BR-25']],
    ['a unit nobody knows', invoiceWith({ lines: [lineWith({ unit: 'PCS' })] }), ['BR-CL-23']],
    ['no tax number of the seller', invoiceWith({ seller: { ...seller, taxId: null } }), ['BR-S-02']],
    [
      'no identifier of the seller at all',
      invoiceWith({ seller: { ...seller, taxId: null, registrationNumber: null } }),
      ['BR-CO-26', 'BR-S-02'],
    ],
    ['a standard rate of 0 %', taxed('S'), ['BR-S-05']],
    ['an exemption without reason', taxed('E'), ['BR-E-10']],
    ['a reason at standard rate', invoiceWith({ taxes: [taxWith({ exemptionReason: 'why' })] }), ['BR-S-10']],
    ['a reason at zero rate', taxed('Z', 'why'), ['BR-Z-10']],
    [
      'a reverse charge to someone without number',
      taxed('AE', null, { buyer: { ...buyer, taxId: null } }),
      ['BR-AE-02'],
    ],
    [
      'a supply within the Union without VAT identifier',
      taxed('K', null, { buyer: { ...buyer, taxId: '815' } }),
      ['BR-IC-02'],
    ],
    [
      'an export by someone without VAT identifier',
      taxed('G', null, { seller: { ...seller, taxId: '815' } }),
      ['BR-G-02'],
    ],
    [
      'a currency of three decimals',
      invoiceWith({ currencyCode: 'KWD', currencyDecimals: 3, baseCurrencyCode: 'KWD' }),
      [
        'VOUCH-CURRENCY',
        'BR-DEC-09',
        'BR-DEC-12',
        'BR-DEC-13',
        'BR-DEC-14',
        'BR-DEC-18',
        'BR-DEC-19',
        'BR-DEC-20',
        'BR-DEC-23',
      ],
    ],
    [
      'books in a currency of three decimals',
      invoiceWith({ baseCurrencyCode: 'KWD', baseCurrencyDecimals: 3 }),
      ['BR-DEC-15'],
    ],
    ['tax rounded per line', invoiceWith({ taxRounding: 'per_line' }), ['VOUCH-TAX-ROUNDING']],
    ['a total that is not the sum of its lines', invoiceWith({ total: '101', grandTotal: '120' }), ['BR-CO-10']],
    ['a tax that is not the sum of its table', invoiceWith({ taxTotal: '20', grandTotal: '120' }), ['BR-CO-14']],
    ['a grand total that is not the sum', invoiceWith({ grandTotal: '120' }), ['BR-CO-15']],
    [
      'a tax of another rate',
      invoiceWith({ taxes: [taxWith({ tax: '7' })], taxTotal: '7', grandTotal: '107' }),
      ['BR-CO-17', 'BR-S-09'],
    ],
    [
      'no lines',
      invoiceWith({ lines: [], taxes: [], total: '0', taxTotal: '0', grandTotal: '0' }),
      ['BR-16', 'BR-CO-18'],
    ],
  ])('is one with %s', (_, document, rules) => {
    expect(rulesOf(document).sort()).toEqual([...rules].sort());
  });

  test('is one that mixes what is outside the scope of VAT with anything else', () => {
    const document = invoiceWith({
      lines: [lineWith(), lineWith({ lineId: 2, taxCategory: 'O', taxPercent: '0', tax: '0' })],
      taxes: [taxWith(), taxWith({ category: 'O', percent: '0', tax: '0' })],
      total: '200',
      taxTotal: '19',
      grandTotal: '219',
    });
    expect(rulesOf(document)).toEqual(['BR-O-11', 'BR-O-12']);
  });

  test('is told by field, so that it can be mended', () => {
    const lines = [lineWith(), lineWith({ lineId: 2, unit: 'PCS' })];
    const document = invoiceWith({ lines, buyer: { ...buyer, address: address({ city: 'Cork' }) } });
    expect(
      unfitnessOf({
        ...document,
        total: '200',
        taxes: [taxWith({ net: '200', tax: '38' })],
        taxTotal: '38',
        grandTotal: '238',
      }),
    ).toEqual([
      expect.objectContaining({ rule: 'BR-11', field: 'customer.address.country' }),
      expect.objectContaining({ rule: 'BR-CL-23', field: 'lines[1].unit' }),
    ]);
  });
});

describe('every rule', () => {
  const fit = electronicInvoice(invoiceWith());
  const line = fit.lines[0];
  const tax = fit.taxes[0];
  if (line === undefined || tax === undefined) throw new Error('the sample has a line and a tax');

  const fitOf = (document: InvoiceSnapshot) => electronicInvoice(document);
  const [exempt, union, outside] = [fitOf(taxed('E', 'why')), fitOf(taxed('K')), fitOf(taxed('O'))];
  const withLine = (changes: Partial<ElectronicInvoice['lines'][number]>, of = fit): ElectronicInvoice => ({
    ...of,
    lines: of.lines.map((each) => ({ ...each, ...changes })),
  });
  const withTax = (changes: Partial<ElectronicInvoice['taxes'][number]>, of = fit): ElectronicInvoice => ({
    ...of,
    taxes: of.taxes.map((each) => ({ ...each, ...changes })),
  });
  const discount = { amount: '1.001', base: '1.001', percent: '1', reason: '' };
  const categories = (['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const).flatMap((category) => {
    const of = fitOf(taxed(category, category === 'E' ? 'why' : null));
    return [
      { ...of, taxes: [] },
      { ...of, seller: { ...of.seller, vatIdentifier: category === 'O' ? 'DE1' : null, taxRegistration: null } },
      { ...of, buyer: { ...of.buyer, vatIdentifier: null, legalRegistration: null } },
      withLine({ percent: '-1' }, of),
      withTax({ taxable: '99.00' }, of),
      withTax({ tax: '50.00' }, of),
      withTax(
        of.taxes.some((each) => each.exemptionReason !== null || each.exemptionCode !== null)
          ? { exemptionReason: null, exemptionCode: null }
          : { exemptionReason: 'why' },
        of,
      ),
    ];
  });
  const broken: ElectronicInvoice[] = [
    ...categories,
    { ...fit, number: ' ' },
    { ...fit, issueDate: '21.11.2026' },
    { ...fit, currencyCode: '' },
    { ...fit, taxCurrencyCode: 'XXX' },
    { ...fit, precedingInvoice: { number: '', issueDate: '2026-11-21' } },
    ...[fit.seller, fit.buyer].flatMap((party, index) =>
      [{ name: '' }, { address: address({}) as never }, { address: { ...party.address, country: 'QQ' } }].map(
        (changes) => ({
          ...fit,
          [index === 0 ? 'seller' : 'buyer']: { ...party, ...changes },
        }),
      ),
    ),
    { ...fit, seller: { ...fit.seller, vatIdentifier: '123', legalRegistration: null } },
    { ...fit, seller: { ...fit.seller, vatIdentifier: null, legalRegistration: null } },
    { ...fit, payment: { meansCode: '58', remittance: 'x', account: '', accountName: 'x', bic: null } },
    { ...union, delivery: null },
    { ...union, delivery: { date: '2026-11-21', country: null } },
    { ...outside, taxes: [...outside.taxes, ...exempt.taxes], lines: [...outside.lines, ...exempt.lines] },
    { ...fit, lines: [] },
    withLine({ id: '', quantity: '', unit: '', name: '', price: '-1', net: '1.001', discount }),
    withLine({ unit: 'PCS' }),
    withTax({ taxable: '1.001', tax: '1.001' }),
    { ...fit, dueDate: null, paymentTerms: null },
    {
      ...fit,
      totals: {
        lines: '1.001',
        taxExclusive: '2.001',
        tax: '3.001',
        taxInTaxCurrency: '4.001',
        taxInclusive: '5.001',
        due: '6.001',
      },
    },
  ];

  test('can be broken, and is kept by a fit document', () => {
    expect(violationsOf(fit)).toEqual([]);
    const seen = new Set(broken.flatMap((invoice) => violationsOf(invoice).map(({ rule }) => rule)));
    expect(RULES.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
  });
});
