import { Decimal } from '../decimal';
import { computeLinePayable, signAdjustment } from './adjustments';
import type { DocumentSnapshot, InvoiceLineSnapshot, InvoiceTaxSnapshot } from './invoice';
import { findTaxRowIndex } from './tax-rows';

/** One step of a document's calculation: its name, its formula, and its rounded result. */
export interface CalculationStep {
  /** Computed amount, such as `lines[1].gross`, `taxes[0].tax`, `grandTotal`. */
  of: string;
  formula: string;
  result: Decimal;
}

const formatPlain = (text: string): string => new Decimal(text).toFixed();

function explainLine(line: InvoiceLineSnapshot): CalculationStep[] {
  const path = `lines[${line.lineId}]`;
  const gross = {
    of: `${path}.gross`,
    formula: `${formatPlain(line.quantity)} × ${formatPlain(line.unitPrice)}${line.priceIncludesTax ? ' (with tax)' : ''}`,
    result: new Decimal(line.gross),
  };
  const formula = `${formatPlain(line.quantity)} × ${formatPlain(line.unitPrice)} × ${formatPlain(line.discountPercent)} %`;
  const discount = { of: `${path}.discount`, formula, result: new Decimal(line.discount) };
  const adjustments = (line.adjustments ?? []).map(({ type, percent, amount }, index) => ({
    of: `${path}.adjustments[${index}]`,
    formula: `${type}: ${percent === null ? formatPlain(amount) : `${formatPlain(line.gross)} × ${formatPlain(percent)} %`}`,
    result: new Decimal(amount),
  }));
  return [gross, ...(discount.result.isZero() ? [] : [discount]), ...adjustments];
}

const explainAdjustments = ({ adjustments = [] }: DocumentSnapshot): CalculationStep[] =>
  adjustments.map(({ type, percent, base, amount, includesTax }, index) => {
    const computed = percent === null || base === null ? amount : `${formatPlain(base)} × ${formatPlain(percent)} %`;
    const formula = `${type}: ${computed}${includesTax ? ' (with tax)' : ''}`;
    return { of: `adjustments[${index}].amount`, formula, result: new Decimal(amount) };
  });

/** A line, or a discount (negative) or charge of the document, as the tax table adds it up. */
interface PricedAmount {
  priceIncludesTax: boolean;
  amount: Decimal;
}

/** Lists what a row of the tax table is computed from. */
const listPricedAmounts = (document: DocumentSnapshot, index: number): PricedAmount[] => [
  ...document.lines
    .filter((line) => findTaxRowIndex(document, line) === index)
    .map((line) => ({ priceIncludesTax: line.priceIncludesTax, amount: computeLinePayable(line) })),
  ...(document.adjustments ?? [])
    .filter((adjustment) => findTaxRowIndex(document, adjustment) === index)
    .map(({ includesTax, type, amount }) => ({
      priceIncludesTax: includesTax,
      amount: signAdjustment(type, new Decimal(amount)),
    })),
];

/** Writes the amounts of a row of one kind of price as a sum. */
const formatLineSum = (lines: readonly PricedAmount[]): string =>
  lines
    .map(({ amount }) => amount.toFixed())
    .join(' + ')
    .replaceAll('+ -', '− ');

function buildTaxFormulas(row: InvoiceTaxSnapshot, lines: readonly PricedAmount[], perLine: boolean) {
  const percent = formatPlain(row.percent);
  const [exclusive, inclusive] = [false, true].map((includesTax) =>
    lines.filter((line) => line.priceIncludesTax === includesTax),
  );
  const parts = [
    ...(exclusive === undefined || exclusive.length === 0
      ? []
      : [
          {
            net: formatLineSum(exclusive),
            tax: perLine
              ? `each of (${formatLineSum(exclusive)}) × ${percent} %, rounded`
              : `(${formatLineSum(exclusive)}) × ${percent} %`,
          },
        ]),
    ...(inclusive === undefined || inclusive.length === 0
      ? []
      : [
          {
            net: perLine
              ? `each of (${formatLineSum(inclusive)}) ÷ (1 + ${percent} %), rounded`
              : `(${formatLineSum(inclusive)}) ÷ (1 + ${percent} %)`,
            tax: `(${formatLineSum(inclusive)}) − net`,
          },
        ]),
  ];
  return { net: parts.map(({ net }) => net).join(' + '), tax: parts.map(({ tax }) => tax).join(' + ') };
}

function explainTaxes(document: DocumentSnapshot): CalculationStep[] {
  const perLine = document.taxRounding === 'per_line';
  return document.taxes.flatMap((row, index) => {
    const { net, tax } = buildTaxFormulas(row, listPricedAmounts(document, index), perLine);
    return [
      { of: `taxes[${index}].net`, formula: net, result: new Decimal(row.net) },
      { of: `taxes[${index}].tax`, formula: tax, result: new Decimal(row.tax) },
    ];
  });
}

const formatSum = (amounts: readonly string[]): string => amounts.map(formatPlain).join(' + ');

function explainTotals(document: DocumentSnapshot): CalculationStep[] {
  const { total, taxTotal, grandTotal, taxes } = document;
  return [
    { of: 'total', formula: formatSum(taxes.map(({ net }) => net)), result: new Decimal(total) },
    { of: 'taxTotal', formula: formatSum(taxes.map(({ tax }) => tax)), result: new Decimal(taxTotal) },
    { of: 'grandTotal', formula: `${formatPlain(total)} + ${formatPlain(taxTotal)}`, result: new Decimal(grandTotal) },
  ];
}

function explainBaseTotals(document: DocumentSnapshot): CalculationStep[] {
  if (document.currencyCode === document.baseCurrencyCode) return [];
  const rate = formatPlain(document.exchangeRate);
  const { total, taxTotal, baseTotal, baseTaxTotal, baseGrandTotal } = document;
  return [
    { of: 'base.total', formula: `${formatPlain(total)} × ${rate}`, result: new Decimal(baseTotal) },
    { of: 'base.taxTotal', formula: `${formatPlain(taxTotal)} × ${rate}`, result: new Decimal(baseTaxTotal) },
    {
      of: 'base.grandTotal',
      formula: `${formatPlain(baseTotal)} + ${formatPlain(baseTaxTotal)}`,
      result: new Decimal(baseGrandTotal),
    },
  ];
}

/**
 * Explains the amounts of an issued document step by step. Every result is rounded half away from zero to the
 * currency's decimals. Tax is rounded once per rate, or on each line if the company was configured so at issue.
 */
export const explainCalculation = (document: DocumentSnapshot): CalculationStep[] => [
  ...document.lines.flatMap(explainLine),
  ...explainAdjustments(document),
  ...explainTaxes(document),
  ...explainTotals(document),
  ...explainBaseTotals(document),
];
