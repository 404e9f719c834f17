import type { DecimalText } from '../../decimal';
import { Decimal, sum } from '../../decimal';
import { signAdjustment } from '../../invoices/adjustments';
import type { DocumentAdjustmentSnapshot, InvoiceLineSnapshot, IssuedDocument } from '../../invoices/invoice';
import { getSupplyPeriod } from '../../invoices/supply-dates';
import { getLabels } from '../labels';
import type { ElectronicAdjustment, ElectronicDocumentAdjustment, ElectronicLine } from './semantic-model';
import { blankToNull, formatAmount } from './values';

/**
 * By which an amount may differ from its factors by the rules PEPPOL-EN16931-R040 and R120, which XRechnung has, too. In
 * currencies without decimals, rounding makes larger differences.
 */
const MAX_DIFFERENCE = new Decimal('0.02');

const isClose = (a: Decimal, b: DecimalText): boolean => a.minus(b).abs().lte(MAX_DIFFERENCE);

/** A percentage with its base, for an amount that is their product; neither for another amount. */
function statePercentage(
  percent: DecimalText | null,
  base: DecimalText | null,
  amount: DecimalText,
  decimals: number,
): Pick<ElectronicAdjustment, 'percent' | 'base'> {
  if (percent === null || base === null || !isClose(new Decimal(base).times(percent).div(100), amount))
    return { percent: null, base: null };
  return { percent, base: formatAmount(base, decimals) };
}

/** Builds the discounts and charges of a line whose price is without tax; `discountPercent` is the first of them. */
function buildLineAdjustments(line: InvoiceLineSnapshot, document: IssuedDocument): ElectronicAdjustment[] {
  const decimals = document.currencyDecimals;
  const reason = getLabels(document.language).discount;
  const { gross, discount, discountPercent: percent, adjustments = [] } = line;
  const own = new Decimal(discount).isZero() ? [] : [{ type: 'discount', reason, percent, amount: discount } as const];
  return [...own, ...adjustments].map((each) => ({
    ...each,
    amount: formatAmount(each.amount, decimals),
    ...statePercentage(each.percent, gross, each.amount, decimals),
  }));
}

/** Whether quantity and unit price, with discounts and charges, are the net amount of a line. */
function hasExactPrice({ quantity, unitPrice, discount, adjustments = [], net }: InvoiceLineSnapshot): boolean {
  const changes = adjustments.map(({ type, amount }) => signAdjustment(type, new Decimal(amount)));
  return isClose(sum([new Decimal(quantity).times(unitPrice).minus(discount), ...changes]), net);
}

/**
 * Builds the price of a line without tax. A price that includes tax has no equivalent unit price with few decimals, and
 * one in a currency without decimals can differ from the rounded amount, so the net amount after discounts and charges is
 * given for the whole quantity (BT-149).
 */
export function buildLine(line: InvoiceLineSnapshot, document: IssuedDocument): ElectronicLine {
  const net = formatAmount(line.net, document.currencyDecimals);
  const hasPrice = !line.priceIncludesTax && hasExactPrice(line);
  return {
    id: String(line.lineId),
    quantity: line.quantity,
    unit: line.unit,
    period: getSupplyPeriod(line),
    net,
    adjustments: hasPrice ? buildLineAdjustments(line, document) : [],
    price: hasPrice ? line.unitPrice : net,
    priceQuantity: hasPrice ? null : line.quantity,
    category: line.taxCategory,
    percent: line.taxCategory === 'O' ? null : line.taxPercent,
    name: line.description,
    description: blankToNull(line.details ?? null),
    sellerItemId: line.productCode,
  };
}

/** Builds a discount or charge of the document. A percentage of an amount that includes tax has no meaning before tax. */
export function buildDocumentAdjustment(
  adjustment: DocumentAdjustmentSnapshot,
  decimals: number,
): ElectronicDocumentAdjustment {
  const { type, reason, percent, base, includesTax, net, taxCategory, taxPercent } = adjustment;
  return {
    type,
    reason,
    amount: formatAmount(net, decimals),
    ...statePercentage(includesTax ? null : percent, base, net, decimals),
    category: taxCategory,
    taxPercent: taxCategory === 'O' ? null : taxPercent,
  };
}
