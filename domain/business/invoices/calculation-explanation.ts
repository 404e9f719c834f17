import { Decimal } from '../decimal';
import type { DocumentSnapshot, InvoiceLineSnapshot, InvoiceTaxSnapshot } from './invoice';
import { taxRowOf } from './tax-rows';

/** One step of a document's arithmetic: what it is, how it is computed, and what came out, rounded. */
export interface CalculationStep {
  /** Such as `lines[1].gross`, `taxes[0].tax`, `grandTotal`. */
  of: string;
  formula: string;
  result: Decimal;
}

const plain = (text: string): string => new Decimal(text).toFixed();

function lineSteps(line: InvoiceLineSnapshot): CalculationStep[] {
  const of = `lines[${line.lineId}]`;
  const gross = {
    of: `${of}.gross`,
    formula: `${plain(line.quantity)} × ${plain(line.unitPrice)}${line.priceIncludesTax ? ' (with tax)' : ''}`,
    result: new Decimal(line.gross),
  };
  if (new Decimal(line.discount).isZero()) return [gross];
  const formula = `${plain(line.quantity)} × ${plain(line.unitPrice)} × ${plain(line.discountPercent)} %`;
  return [gross, { of: `${of}.discount`, formula, result: new Decimal(line.discount) }];
}

/** The amounts of a row's lines of one kind of price, written as a sum. */
const sumOf = (lines: readonly InvoiceLineSnapshot[]): string =>
  lines.map((line) => new Decimal(line.gross).minus(line.discount).toFixed()).join(' + ');

function rowFormulas(row: InvoiceTaxSnapshot, lines: readonly InvoiceLineSnapshot[], perLine: boolean) {
  const percent = plain(row.percent);
  const [exclusive, inclusive] = [false, true].map((with_) => lines.filter((line) => line.priceIncludesTax === with_));
  const parts = [
    ...(exclusive === undefined || exclusive.length === 0
      ? []
      : [
          {
            net: sumOf(exclusive),
            tax: perLine
              ? `each of (${sumOf(exclusive)}) × ${percent} %, rounded`
              : `(${sumOf(exclusive)}) × ${percent} %`,
          },
        ]),
    ...(inclusive === undefined || inclusive.length === 0
      ? []
      : [
          {
            net: perLine
              ? `each of (${sumOf(inclusive)}) ÷ (1 + ${percent} %), rounded`
              : `(${sumOf(inclusive)}) ÷ (1 + ${percent} %)`,
            tax: `(${sumOf(inclusive)}) − net`,
          },
        ]),
  ];
  return { net: parts.map(({ net }) => net).join(' + '), tax: parts.map(({ tax }) => tax).join(' + ') };
}

function taxSteps(document: DocumentSnapshot): CalculationStep[] {
  const perLine = document.taxRounding === 'per_line';
  return document.taxes.flatMap((row, index) => {
    const { net, tax } = rowFormulas(
      row,
      document.lines.filter((line) => taxRowOf(document, line) === index),
      perLine,
    );
    return [
      { of: `taxes[${index}].net`, formula: net, result: new Decimal(row.net) },
      { of: `taxes[${index}].tax`, formula: tax, result: new Decimal(row.tax) },
    ];
  });
}

const added = (amounts: readonly string[]): string => amounts.map(plain).join(' + ');

function totalSteps(document: DocumentSnapshot): CalculationStep[] {
  const { total, taxTotal, grandTotal, taxes } = document;
  return [
    { of: 'total', formula: added(taxes.map(({ net }) => net)), result: new Decimal(total) },
    { of: 'taxTotal', formula: added(taxes.map(({ tax }) => tax)), result: new Decimal(taxTotal) },
    { of: 'grandTotal', formula: `${plain(total)} + ${plain(taxTotal)}`, result: new Decimal(grandTotal) },
  ];
}

function baseSteps(document: DocumentSnapshot): CalculationStep[] {
  if (document.currencyCode === document.baseCurrencyCode) return [];
  const rate = plain(document.exchangeRate);
  const { total, taxTotal, baseTotal, baseTaxTotal, baseGrandTotal } = document;
  return [
    { of: 'base.total', formula: `${plain(total)} × ${rate}`, result: new Decimal(baseTotal) },
    { of: 'base.taxTotal', formula: `${plain(taxTotal)} × ${rate}`, result: new Decimal(baseTaxTotal) },
    {
      of: 'base.grandTotal',
      formula: `${plain(baseTotal)} + ${plain(baseTaxTotal)}`,
      result: new Decimal(baseGrandTotal),
    },
  ];
}

/**
 * How an issued document's amounts came about, step by step; every result is rounded half away from zero to the
 * currency's decimals. Tax is rounded once per rate, or on each line where the company said so when it was issued.
 */
export const explainCalculation = (document: DocumentSnapshot): CalculationStep[] => [
  ...document.lines.flatMap(lineSteps),
  ...taxSteps(document),
  ...totalSteps(document),
  ...baseSteps(document),
];
