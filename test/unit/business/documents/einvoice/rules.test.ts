import {
  EINVOICE_RULES,
  findEInvoiceViolations,
  findRuleViolations,
} from '../../../../../domain/business/documents/einvoice/check';
import { toElectronicInvoice } from '../../../../../domain/business/documents/einvoice/from-document';
import type { ElectronicInvoice } from '../../../../../domain/business/documents/einvoice/semantic-model';
import type { EInvoiceProfile } from '../../../../../domain/business/documents/einvoice/specification';
import type { InvoiceSnapshot } from '../../../../../domain/business/invoices/invoice';
import {
  buildTestAddress,
  buildTestCreditNote,
  buildTestInvoice,
  buildTestInvoiceLine,
  buildTestInvoiceTax,
  buildUntaxedInvoice,
} from '../../../../support/business/documents';

const listRules = (document: Parameters<typeof findEInvoiceViolations>[0]): string[] => [
  ...new Set(findEInvoiceViolations(document).map(({ rule }) => rule)),
];

const { seller, buyer } = buildTestInvoice();

/** Builds an invoice with one line and tax row of a category, and further changes. */
const buildTaxedInvoice = (
  category: Parameters<typeof buildUntaxedInvoice>[0],
  reason: string | null = null,
  changes: Partial<InvoiceSnapshot> = {},
) => ({ ...buildUntaxedInvoice(category, reason), ...changes });

describe('a document that complies with EN 16931', () => {
  test.each([
    ['an invoice', buildTestInvoice()],
    ['a credit note', buildTestCreditNote()],
    [
      'an invoice in another currency',
      buildTestInvoice({ currencyCode: 'USD', exchangeRate: '0.9', baseTaxTotal: '17.1' }),
    ],
    ['an invoice at zero rate', buildTaxedInvoice('Z')],
    ['an exempt one that says why', buildTaxedInvoice('E', 'Exempt, article 132')],
    ['a reverse charge', buildTaxedInvoice('AE')],
    ['a supply within the Union', buildTaxedInvoice('K')],
    ['an export', buildTaxedInvoice('G')],
    ['a supply outside the scope of VAT', buildTaxedInvoice('O')],
    ['IPSI of Ceuta at 0 %', buildTaxedInvoice('M')],
    [
      'a seller with a national tax number and a registration',
      buildTestInvoice({ seller: { ...seller, taxId: '22/815/0815' } }),
    ],
    [
      'prices with tax, whose tax is not the product',
      buildTestInvoice({
        lines: [
          buildTestInvoiceLine({
            priceIncludesTax: true,
            unitPrice: '5.025',
            gross: '10.05',
            net: '8.38',
            tax: '1.67',
            taxPercent: '20',
          }),
        ],
        taxes: [buildTestInvoiceTax({ percent: '20', net: '8.38', tax: '1.67' })],
        total: '8.38',
        taxTotal: '1.67',
        grandTotal: '10.05',
      }),
    ],
    [
      'an invoice of nothing',
      buildTestInvoice({
        lines: [buildTestInvoiceLine({ unitPrice: '0', gross: '0', net: '0', tax: '0' })],
        taxes: [buildTestInvoiceTax({ net: '0', tax: '0' })],
        total: '0',
        taxTotal: '0',
        grandTotal: '0',
      }),
    ],
  ])('is %s', (_, document) => {
    expect(findEInvoiceViolations(document)).toEqual([]);
  });
});

describe('a document that violates EN 16931', () => {
  const noAddress = buildTestAddress({});
  test.each<[string, InvoiceSnapshot, string[]]>([
    ['no address of the seller', buildTestInvoice({ seller: { ...seller, address: noAddress } }), ['BR-08', 'BR-09']],
    ['no address of the buyer', buildTestInvoice({ buyer: { ...buyer, address: noAddress } }), ['BR-10', 'BR-11']],
    [
      'an address without country',
      buildTestInvoice({ buyer: { ...buyer, address: buildTestAddress({ city: 'Cork' }) } }),
      ['BR-11'],
    ],
    [
      'a country code that does not exist',
      buildTestInvoice({ buyer: { ...buyer, address: buildTestAddress({ country: 'QQ' }) } }),
      ['BR-CL-14'],
    ],
    ['a line without name', buildTestInvoice({ lines: [buildTestInvoiceLine({ description: ' ' })] }), ['BR-25']],
    ['an unknown unit', buildTestInvoice({ lines: [buildTestInvoiceLine({ unit: 'PCS' })] }), ['BR-CL-23']],
    ['no tax number of the seller', buildTestInvoice({ seller: { ...seller, taxId: null } }), ['BR-S-02']],
    [
      'a seller without any identifier',
      buildTestInvoice({ seller: { ...seller, taxId: null, registrationNumber: null } }),
      ['BR-CO-26', 'BR-S-02'],
    ],
    ['a standard rate of 0 %', buildTaxedInvoice('S'), ['BR-S-05']],
    ['an exemption without reason', buildTaxedInvoice('E'), ['BR-E-10']],
    [
      'a reason at standard rate',
      buildTestInvoice({ taxes: [buildTestInvoiceTax({ exemptionReason: 'why' })] }),
      ['BR-S-10'],
    ],
    ['a reason at zero rate', buildTaxedInvoice('Z', 'why'), ['BR-Z-10']],
    [
      'a reverse charge to a buyer without number',
      buildTaxedInvoice('AE', null, { buyer: { ...buyer, taxId: null } }),
      ['BR-AE-02'],
    ],
    [
      'a supply within the EU without VAT identifier',
      buildTaxedInvoice('K', null, { buyer: { ...buyer, taxId: '815' } }),
      ['BR-IC-02'],
    ],
    [
      'an export by a seller without VAT identifier',
      buildTaxedInvoice('G', null, { seller: { ...seller, taxId: '815' } }),
      ['BR-G-02'],
    ],
    [
      'a currency of three decimals',
      buildTestInvoice({ currencyCode: 'KWD', currencyDecimals: 3, baseCurrencyCode: 'KWD' }),
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
      'a base currency with three decimals',
      buildTestInvoice({ baseCurrencyCode: 'KWD', baseCurrencyDecimals: 3 }),
      ['BR-DEC-15'],
    ],
    ['tax rounded per line', buildTestInvoice({ taxRounding: 'per_line' }), ['VOUCH-TAX-ROUNDING']],
    ['a total that is not the sum of its lines', buildTestInvoice({ total: '101', grandTotal: '120' }), ['BR-CO-13']],
    ['a tax that is not the sum of its table', buildTestInvoice({ taxTotal: '20', grandTotal: '120' }), ['BR-CO-14']],
    ['a grand total that is not the sum', buildTestInvoice({ grandTotal: '120' }), ['BR-CO-15']],
    [
      'a tax of another rate',
      buildTestInvoice({ taxes: [buildTestInvoiceTax({ tax: '7' })], taxTotal: '7', grandTotal: '107' }),
      ['BR-CO-17', 'BR-S-09'],
    ],
    [
      'no lines',
      buildTestInvoice({ lines: [], taxes: [], total: '0', taxTotal: '0', grandTotal: '0' }),
      ['BR-16', 'BR-CO-18'],
    ],
  ])('is one with %s', (_, document, rules) => {
    expect(listRules(document).sort()).toEqual([...rules].sort());
  });

  test('mixes lines outside the scope of VAT with other lines', () => {
    const document = buildTestInvoice({
      lines: [buildTestInvoiceLine(), buildTestInvoiceLine({ lineId: 2, taxCategory: 'O', taxPercent: '0', tax: '0' })],
      taxes: [buildTestInvoiceTax(), buildTestInvoiceTax({ category: 'O', percent: '0', tax: '0' })],
      total: '200',
      taxTotal: '19',
      grandTotal: '219',
    });
    expect(listRules(document)).toEqual(['BR-O-11', 'BR-O-12']);
  });

  test('is reported by field', () => {
    const lines = [buildTestInvoiceLine(), buildTestInvoiceLine({ lineId: 2, unit: 'PCS' })];
    const document = buildTestInvoice({ lines, buyer: { ...buyer, address: buildTestAddress({ city: 'Cork' }) } });
    expect(
      findEInvoiceViolations({
        ...document,
        total: '200',
        taxes: [buildTestInvoiceTax({ net: '200', tax: '38' })],
        taxTotal: '38',
        grandTotal: '238',
      }),
    ).toEqual([
      expect.objectContaining({ rule: 'BR-11', field: 'customer.address.country' }),
      expect.objectContaining({ rule: 'BR-CL-23', field: 'lines[1].unit' }),
    ]);
  });
});

test('a discount for early payment has at most two decimals in XRechnung, which states no more', () => {
  const find = (percent: string, eInvoiceProfile: EInvoiceProfile) =>
    findEInvoiceViolations(
      buildTestInvoice({
        eInvoiceProfile,
        earlyPaymentDiscount: { percent, days: 14, until: '2026-12-05', amount: '2.56', payable: '116.44' },
      }),
    ).filter(({ field }) => field.startsWith('earlyPaymentDiscount'));
  expect(find('2.155', 'xrechnung')).toMatchObject([{ rule: 'BR-DE-18', field: 'earlyPaymentDiscount.percent' }]);
  expect(find('2.15', 'xrechnung')).toEqual([]);
  expect(find('2.155', 'en16931')).toEqual([]);
});

describe('every rule', () => {
  const fit = toElectronicInvoice(buildTestInvoice());
  const line = fit.lines[0];
  const tax = fit.taxes[0];
  if (line === undefined || tax === undefined) throw new Error('the sample has a line and a tax');

  const buildFitInvoice = (document: InvoiceSnapshot) => toElectronicInvoice(document);
  const [exempt, union, outside] = [
    buildFitInvoice(buildTaxedInvoice('E', 'why')),
    buildFitInvoice(buildTaxedInvoice('K')),
    buildFitInvoice(buildTaxedInvoice('O')),
  ];
  const withLine = (changes: Partial<ElectronicInvoice['lines'][number]>, of = fit): ElectronicInvoice => ({
    ...of,
    lines: of.lines.map((each) => ({ ...each, ...changes })),
  });
  const withTax = (changes: Partial<ElectronicInvoice['taxes'][number]>, of = fit): ElectronicInvoice => ({
    ...of,
    taxes: of.taxes.map((each) => ({ ...each, ...changes })),
  });
  const wrong = { amount: '1.001', base: '1.001', percent: '1', reason: '' };
  const adjustments = [
    { ...wrong, type: 'discount' },
    { ...wrong, type: 'charge' },
  ] as const;
  const categories = (['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const).flatMap((category) => {
    const of = buildFitInvoice(buildTaxedInvoice(category, category === 'E' ? 'why' : null));
    return [
      { ...of, taxes: [] },
      { ...of, seller: { ...of.seller, vatIdentifier: category === 'O' ? 'DE1' : null, taxRegistration: null } },
      { ...of, buyer: { ...of.buyer, vatIdentifier: null, legalRegistration: null } },
      withLine({ percent: '-1' }, of),
      { ...of, adjustments: adjustments.map((each) => ({ ...each, category, taxPercent: '-1' })) },
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
    { ...fit, precedingInvoices: [{ number: '', issueDate: '2026-11-21' }] },
    ...[fit.seller, fit.buyer].flatMap((party, index) =>
      [{ name: '' }, { address: buildTestAddress({}) as never }, { address: { ...party.address, country: 'QQ' } }].map(
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
    { ...union, delivery: { date: null, country: 'ES' } },
    { ...outside, taxes: [...outside.taxes, ...exempt.taxes], lines: [...outside.lines, ...exempt.lines] },
    { ...fit, lines: [] },
    withLine({ id: '', quantity: '', unit: '', name: '', price: '-1', net: '1.001', adjustments: [...adjustments] }),
    { ...fit, adjustments: adjustments.map((each) => ({ ...each, category: 'S', taxPercent: '19' })) },
    withLine({ unit: 'PCS' }),
    withTax({ taxable: '1.001', tax: '1.001' }),
    { ...fit, dueDate: null, paymentTerms: null },
    {
      ...fit,
      totals: {
        lines: '0.001',
        discounts: '7.001',
        charges: '8.001',
        taxExclusive: '2.001',
        tax: '3.001',
        taxInTaxCurrency: '4.001',
        prepaid: '9.001',
        taxInclusive: '5.001',
        due: '6.001',
      },
    },
  ];

  test('can be violated, and a compliant document satisfies it', () => {
    expect(findRuleViolations(fit)).toEqual([]);
    const seen = new Set(broken.flatMap((invoice) => findRuleViolations(invoice).map(({ rule }) => rule)));
    expect(EINVOICE_RULES.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
  });
});
