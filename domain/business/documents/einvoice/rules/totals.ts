import type { DecimalText } from '../../../decimal';
import { Decimal, round, sum } from '../../../decimal';
import type { AdjustmentType } from '../../../invoices/adjustments';
import type { ElectronicInvoice, ElectronicTax } from '../semantic-model';
import { lineRule, taxRule, documentRule } from './rule';
import type { Rule } from './rule';

const toDecimal = (text: DecimalText): Decimal => new Decimal(text);

const sumAmounts = (texts: readonly DecimalText[]): Decimal => sum(texts.map(toDecimal));

const sumOfType = (type: AdjustmentType, adjustments: ElectronicInvoice['adjustments']): Decimal =>
  sumAmounts(adjustments.filter((each) => each.type === type).map(({ amount }) => amount));

/**
 * The tax of a row is its taxable amount times its rate. The published validation artefacts accept differences of less
 * than one unit of the currency, which prices that include tax need: 10.05 at 20 % is 8.38 and 1.67, not 1.68.
 */
export const isTaxConsistent = ({ taxable, tax, percent }: ElectronicTax): boolean =>
  round(
    toDecimal(taxable)
      .times(percent ?? '0')
      .div(100),
    2,
  )
    .minus(tax)
    .abs()
    .lt(1);

/** Rules on sums and products of amounts (BR-CO-*). */
const CALCULATION_RULES: readonly Rule[] = [
  documentRule(
    'BR-CO-09',
    'company.taxId',
    'the seller’s VAT identifier (BT-31) must begin with a country code',
    ({ seller }) => seller.vatIdentifier === null || /^[A-Z]{2}/.test(seller.vatIdentifier),
  ),
  documentRule(
    'BR-CO-10',
    'total',
    'the sum of line amounts (BT-106) must be the sum of the lines (BT-131)',
    ({ totals, lines }) => toDecimal(totals.lines).eq(sumAmounts(lines.map((line) => line.net))),
  ),
  documentRule(
    'BR-CO-11',
    'adjustments',
    'the sum of discounts (BT-107) must be the sum of those of the document (BT-92)',
    ({ totals, adjustments }) => toDecimal(totals.discounts ?? '0').eq(sumOfType('discount', adjustments)),
  ),
  documentRule(
    'BR-CO-12',
    'adjustments',
    'the sum of charges (BT-108) must be the sum of those of the document (BT-99)',
    ({ totals, adjustments }) => toDecimal(totals.charges ?? '0').eq(sumOfType('charge', adjustments)),
  ),
  documentRule(
    'BR-CO-13',
    'total',
    'the total without tax (BT-109) must be the lines (BT-106) less discounts (BT-107) plus charges (BT-108)',
    ({ totals }) =>
      toDecimal(totals.taxExclusive).eq(
        toDecimal(totals.lines)
          .minus(totals.discounts ?? 0)
          .plus(totals.charges ?? 0),
      ),
  ),
  documentRule(
    'BR-CO-14',
    'taxTotal',
    'the tax (BT-110) must be the sum of the tax table (BT-117)',
    ({ totals, taxes }) => toDecimal(totals.tax).eq(sumAmounts(taxes.map((row) => row.tax))),
  ),
  documentRule('BR-CO-15', 'grandTotal', 'the total with tax (BT-112) must be total and tax together', ({ totals }) =>
    toDecimal(totals.taxInclusive).eq(sumAmounts([totals.taxExclusive, totals.tax])),
  ),
  documentRule(
    'BR-CO-16',
    'grandTotal',
    'the amount due (BT-115) must be the total with tax (BT-112) less what was paid before (BT-113)',
    ({ totals }) => toDecimal(totals.due).eq(toDecimal(totals.taxInclusive).minus(totals.prepaid ?? 0)),
  ),
  taxRule(
    'BR-CO-17',
    'the tax of a rate (BT-117) must be its taxable amount (BT-116) times the rate; round tax per rate, not per line',
    isTaxConsistent,
  ),
  documentRule('BR-CO-18', 'taxes', 'the document needs a tax table (BG-23)', ({ taxes }) => taxes.length > 0),
  documentRule(
    'BR-CO-25',
    'paymentTerms',
    'an amount due needs a due date (BT-9) or payment terms (BT-20)',
    ({ totals, dueDate, paymentTerms }) => !toDecimal(totals.due).gt(0) || dueDate !== null || paymentTerms !== null,
  ),
  documentRule(
    'BR-CO-26',
    'company.registrationNumber',
    'the seller needs a VAT identifier (BT-31) or a registration number (BT-30)',
    ({ seller }) => seller.vatIdentifier !== null || seller.legalRegistration !== null || seller.identifier !== null,
  ),
];

/** Counts the written decimals: 100.000 has three. */
const hasAtMostTwoDecimals = (text: DecimalText | null): boolean => (text?.split('.')[1]?.length ?? 0) <= 2;

const decimalsRule = (
  id: string,
  field: string,
  term: string,
  read: (invoice: ElectronicInvoice) => DecimalText | null,
): Rule =>
  documentRule(id, field, `${term} must have at most two decimals`, (invoice) => hasAtMostTwoDecimals(read(invoice)));

interface AdjustmentDecimals {
  id: string;
  type: AdjustmentType;
  term: string;
  read: 'amount' | 'base';
}

const ADJUSTMENT_DECIMALS: readonly AdjustmentDecimals[] = [
  { id: 'BR-DEC-01', type: 'discount', term: 'a discount (BT-92)', read: 'amount' },
  { id: 'BR-DEC-02', type: 'discount', term: 'the base of a discount (BT-93)', read: 'base' },
  { id: 'BR-DEC-05', type: 'charge', term: 'a charge (BT-99)', read: 'amount' },
  { id: 'BR-DEC-06', type: 'charge', term: 'the base of a charge (BT-100)', read: 'base' },
];

const LINE_ADJUSTMENT_DECIMALS: readonly AdjustmentDecimals[] = [
  { id: 'BR-DEC-24', type: 'discount', term: 'a discount (BT-136)', read: 'amount' },
  { id: 'BR-DEC-25', type: 'discount', term: 'the base of a discount (BT-137)', read: 'base' },
  { id: 'BR-DEC-27', type: 'charge', term: 'a charge (BT-141)', read: 'amount' },
  { id: 'BR-DEC-28', type: 'charge', term: 'the base of a charge (BT-142)', read: 'base' },
];

/** Rules that limit amounts to two decimals (BR-DEC-*). */
const DECIMAL_RULES: readonly Rule[] = [
  decimalsRule('BR-DEC-09', 'total', 'the sum of line amounts (BT-106)', ({ totals }) => totals.lines),
  decimalsRule('BR-DEC-10', 'adjustments', 'the sum of discounts (BT-107)', ({ totals }) => totals.discounts),
  decimalsRule('BR-DEC-11', 'adjustments', 'the sum of charges (BT-108)', ({ totals }) => totals.charges),
  decimalsRule('BR-DEC-12', 'total', 'the total without tax (BT-109)', ({ totals }) => totals.taxExclusive),
  decimalsRule('BR-DEC-13', 'taxTotal', 'the tax (BT-110)', ({ totals }) => totals.tax),
  decimalsRule('BR-DEC-14', 'grandTotal', 'the total with tax (BT-112)', ({ totals }) => totals.taxInclusive),
  decimalsRule(
    'BR-DEC-15',
    'company.baseCurrencyCode',
    'the tax in the tax currency (BT-111)',
    ({ totals }) => totals.taxInTaxCurrency,
  ),
  decimalsRule('BR-DEC-16', 'prepaid', 'what was paid before (BT-113)', ({ totals }) => totals.prepaid),
  decimalsRule('BR-DEC-18', 'grandTotal', 'the amount due (BT-115)', ({ totals }) => totals.due),
  taxRule('BR-DEC-19', 'a taxable amount (BT-116) must have at most two decimals', ({ taxable }) =>
    hasAtMostTwoDecimals(taxable),
  ),
  taxRule('BR-DEC-20', 'the tax of a rate (BT-117) must have at most two decimals', ({ tax }) =>
    hasAtMostTwoDecimals(tax),
  ),
  lineRule('BR-DEC-23', 'net', 'the amount of a line (BT-131) must have at most two decimals', ({ net }) =>
    hasAtMostTwoDecimals(net),
  ),
  ...ADJUSTMENT_DECIMALS.map(({ id, type, term, read }) =>
    documentRule(id, 'adjustments', `${term} must have at most two decimals`, ({ adjustments }) =>
      adjustments.every((each) => each.type !== type || hasAtMostTwoDecimals(each[read])),
    ),
  ),
  ...LINE_ADJUSTMENT_DECIMALS.map(({ id, type, term, read }) =>
    lineRule(id, 'discountPercent', `${term} must have at most two decimals`, ({ adjustments }) =>
      adjustments.every((each) => each.type !== type || hasAtMostTwoDecimals(each[read])),
    ),
  ),
];

export const TOTALS_RULES: readonly Rule[] = [...CALCULATION_RULES, ...DECIMAL_RULES];
