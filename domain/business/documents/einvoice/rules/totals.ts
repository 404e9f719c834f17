import { Decimal, round, sum } from '../../../decimal';
import type { DecimalText } from '../../../invoices/invoice';
import type { ElectronicInvoice, ElectronicTax } from '../semantic-model';
import { lineRule, taxRule, documentRule } from './rule';
import type { Rule } from './rule';

const toDecimal = (text: DecimalText): Decimal => new Decimal(text);

const sumAmounts = (texts: readonly DecimalText[]): Decimal => sum(texts.map(toDecimal));

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
    'BR-CO-13',
    'total',
    'the total without tax (BT-109) must be the sum of the lines (BT-106)',
    ({ totals }) => toDecimal(totals.taxExclusive).eq(totals.lines),
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
  documentRule('BR-CO-16', 'grandTotal', 'the amount due (BT-115) must be the total with tax', ({ totals }) =>
    toDecimal(totals.due).eq(totals.taxInclusive),
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

/** Rules that limit amounts to two decimals (BR-DEC-*). */
const DECIMAL_RULES: readonly Rule[] = [
  decimalsRule('BR-DEC-09', 'total', 'the sum of line amounts (BT-106)', ({ totals }) => totals.lines),
  decimalsRule('BR-DEC-12', 'total', 'the total without tax (BT-109)', ({ totals }) => totals.taxExclusive),
  decimalsRule('BR-DEC-13', 'taxTotal', 'the tax (BT-110)', ({ totals }) => totals.tax),
  decimalsRule('BR-DEC-14', 'grandTotal', 'the total with tax (BT-112)', ({ totals }) => totals.taxInclusive),
  decimalsRule(
    'BR-DEC-15',
    'company.baseCurrencyCode',
    'the tax in the tax currency (BT-111)',
    ({ totals }) => totals.taxInTaxCurrency,
  ),
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
  lineRule('BR-DEC-24', 'discountPercent', 'a discount (BT-136) must have at most two decimals', ({ discount }) =>
    hasAtMostTwoDecimals(discount?.amount ?? null),
  ),
  lineRule(
    'BR-DEC-25',
    'discountPercent',
    'the base of a discount (BT-137) must have at most two decimals',
    ({ discount }) => hasAtMostTwoDecimals(discount?.base ?? null),
  ),
];

export const TOTALS_RULES: readonly Rule[] = [...CALCULATION_RULES, ...DECIMAL_RULES];
