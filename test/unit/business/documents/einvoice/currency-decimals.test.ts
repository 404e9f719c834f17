import fc from 'fast-check';
import { Decimal, sum } from '../../../../../domain/business/decimal';
import { toElectronicInvoice } from '../../../../../domain/business/documents/einvoice/from-document';
import type {
  ElectronicAdjustment,
  ElectronicInvoice,
  ElectronicLine,
} from '../../../../../domain/business/documents/einvoice/semantic-model';
import { ADJUSTMENT_TYPES } from '../../../../../domain/business/invoices/adjustments';
import { calculateInvoice } from '../../../../../domain/business/invoices/invoice-calculation';
import type { CalculatedLine, CalculationLine } from '../../../../../domain/business/invoices/invoice-calculation';
import { buildTestAdjustment, buildTestInvoice, buildTestInvoiceLine } from '../../../../support/business/documents';

/** By which amounts of a line and their factors may differ by the rules R040 and R120 of Peppol and XRechnung. */
const SLACK = 0.02;

const buildLine = (lineId: number, line: CalculationLine, amounts: CalculatedLine) =>
  buildTestInvoiceLine({
    lineId,
    quantity: line.quantity.toFixed(),
    unitPrice: line.unitPrice.toFixed(),
    discountPercent: line.discountPercent.toFixed(),
    priceIncludesTax: line.priceIncludesTax,
    gross: amounts.gross.toFixed(),
    discount: amounts.discount.toFixed(),
    adjustments: (line.adjustments ?? []).map((terms, index) => ({
      type: terms.type,
      reason: 'Packing',
      percent: 'percent' in terms ? terms.percent.toFixed() : null,
      amount: amounts.adjustments[index]?.toFixed() ?? '0',
    })),
    net: amounts.net.toFixed(),
  });

/** A document of these lines, with a discount on all of them. */
function buildDocument(lines: readonly CalculationLine[], percent: Decimal, decimals: number): ElectronicInvoice {
  const discount = { terms: { type: 'discount', percent }, tax: null } as const;
  const calculated = calculateInvoice(lines, decimals, 'per_rate', [discount]);
  const document = buildTestInvoice({
    currencyDecimals: decimals,
    lines: lines.flatMap((line, index) => {
      const amounts = calculated.lines[index];
      return amounts === undefined ? [] : [buildLine(index + 1, line, amounts)];
    }),
    adjustments: calculated.adjustments.map(({ base, amount, net, includesTax }) =>
      buildTestAdjustment({
        percent: percent.toFixed(),
        base: base?.toFixed() ?? null,
        amount: amount.toFixed(),
        net: net.toFixed(),
        includesTax,
      }),
    ),
  });
  return toElectronicInvoice(document);
}

/** By how much the net amount of a line differs from its price, discounts and charges (R120). */
const findLineGap = ({ net, quantity, price, priceQuantity, adjustments }: ElectronicLine): Decimal =>
  new Decimal(quantity)
    .times(new Decimal(price).div(priceQuantity ?? 1))
    .plus(sum(adjustments.map(({ type, amount }) => new Decimal(amount).times(type === 'charge' ? 1 : -1))))
    .minus(net)
    .abs();

/** By how much an amount differs from its percentage of its base (R040). */
const findAdjustmentGap = ({ base, percent, amount }: ElectronicAdjustment): Decimal =>
  base === null || percent === null ? new Decimal(0) : new Decimal(base).times(percent).div(100).minus(amount).abs();

const scaled = (max: number, decimals: number) =>
  fc.integer({ min: 1, max }).map((value) => new Decimal(value).div(10 ** decimals));
const lineOf = (decimals: number): fc.Arbitrary<CalculationLine> =>
  fc.record({
    quantity: scaled(100_000, 3),
    unitPrice: scaled(1_000_000, 4),
    discountPercent: fc.oneof(fc.constant(new Decimal(0)), scaled(400_000, 4)),
    priceIncludesTax: fc.boolean(),
    taxKey: fc.constant('1'),
    taxPercent: fc.constant(new Decimal(19)),
    adjustments: fc.array(
      fc.oneof(
        fc.record({ type: fc.constantFrom(...ADJUSTMENT_TYPES), percent: scaled(200_000, 4) }),
        fc.record({ type: fc.constant('charge' as const), amount: scaled(1000, decimals) }),
      ),
      { maxLength: 2 },
    ),
  });

test.each([
  ['no decimals', 0],
  ['two decimals', 2],
  ['three decimals', 3],
])('prices, percentages and amounts agree as the rules of Peppol require in currencies with %s', (_, decimals) => {
  fc.assert(
    fc.property(fc.array(lineOf(decimals), { minLength: 1, maxLength: 4 }), scaled(500_000, 4), (lines, percent) => {
      const invoice = buildDocument(lines, percent, decimals);
      const adjustments = [...invoice.adjustments, ...invoice.lines.flatMap((line) => line.adjustments)];
      for (const gap of [...invoice.lines.map(findLineGap), ...adjustments.map(findAdjustmentGap)])
        expect(gap.toNumber()).toBeLessThanOrEqual(SLACK);
    }),
  );
});

test('a line in yen states its net amount for its quantity only if its price does not multiply to it', () => {
  const line = buildTestInvoiceLine({ quantity: '3', discountPercent: '10' });
  const inYen = (changes: Partial<typeof line>) =>
    toElectronicInvoice(
      buildTestInvoice({ currencyCode: 'JPY', currencyDecimals: 0, lines: [{ ...line, ...changes }] }),
    ).lines[0];
  expect(inYen({ unitPrice: '33.5', gross: '101', discount: '10', net: '91' })).toMatchObject({
    price: '91',
    priceQuantity: '3',
    adjustments: [],
  });
  expect(inYen({ unitPrice: '33', gross: '99', discount: '10', net: '89' })).toMatchObject({
    price: '33',
    priceQuantity: null,
    adjustments: [{ amount: '10', base: null, percent: null }],
  });
  expect(inYen({ unitPrice: '40', gross: '120', discount: '12', net: '108' })).toMatchObject({
    adjustments: [{ amount: '12', base: '120', percent: '10' }],
  });
});
