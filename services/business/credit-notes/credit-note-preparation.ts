import { calculateCreditNote, computePayable } from '../../../domain/business/credit-notes/credit-note-calculation';
import type {
  CreditableLine,
  CreditedPart,
  CreditNoteCalculation,
} from '../../../domain/business/credit-notes/credit-note-calculation';
import type { CreditableAdjustment } from '../../../domain/business/credit-notes/credited-adjustments';
import { Decimal, sum, ZERO } from '../../../domain/business/decimal';
import { computeLinePayable } from '../../../domain/business/invoices/adjustments';
import type { InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { findTaxRowIndex } from '../../../domain/business/invoices/tax-rows';
import { conflictError, invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { computeNoteBase } from './credited-base';
import type { CreditedBase } from './credited-base';
import { deductCreditedDiscount, sumCreditedRows } from './credited-discounts';
import type { CreditedDiscount } from './credited-discounts';
import { rejectWrittenOffInvoiceCredit } from './written-off';

export interface CreditNoteLineInput {
  invoiceLineId: number;
  /** Credited units; either this or `amount`. */
  quantity?: Decimal | undefined;
  /** Credited amount, including tax if the line's unit price does. */
  amount?: Decimal | undefined;
}

/** What a credit note credits. */
export interface CreditedInput {
  /** @default everything that is not credited yet */
  lines?: readonly CreditNoteLineInput[] | undefined;
  /** Whether the credited units return to stock. */
  restock: boolean;
}

/** A computed credit note, taking earlier credit notes into account. */
export interface PreparedCreditNote {
  parts: CreditedPart[];
  calculation: CreditNoteCalculation;
  base: CreditedBase;
  /** Credited amount by line id, including tax if the line's unit price does. */
  payables: Map<number, Decimal>;
  /** What this credit note and earlier ones deduct of a discount for early payment. */
  discount: CreditedDiscount;
  /** Tax that earlier credit notes credited before that discount, for each row of the invoice's tax table. */
  creditedTaxes: Decimal[];
}

const toDecimal = (text: string): Decimal => new Decimal(text);

function buildCreditableLines(document: InvoiceSnapshot, earlier: readonly CreditNoteRecord[]): CreditableLine[] {
  return document.lines.map((line) => {
    const credited = earlier.flatMap(({ lines }) => lines.filter(({ invoiceLineId }) => invoiceLineId === line.lineId));
    return {
      lineId: line.lineId,
      quantity: toDecimal(line.quantity),
      payable: computeLinePayable(line),
      priceIncludesTax: line.priceIncludesTax,
      taxKey: String(findTaxRowIndex(document, line)),
      taxPercent: toDecimal(line.taxPercent),
      creditedQuantity: sum(credited.map(({ quantity }) => (quantity === null ? ZERO : fromDecimal128(quantity)))),
      creditedPayable: sum(credited.map(({ payable }) => fromDecimal128(payable))),
    };
  });
}

const buildCreditableAdjustments = (
  document: InvoiceSnapshot,
  earlier: readonly CreditNoteRecord[],
): CreditableAdjustment[] =>
  (document.adjustments ?? []).map((adjustment) => {
    const { adjustmentId, type, includesTax } = adjustment;
    const credited = earlier.flatMap(({ document: { adjustments = [] } }) =>
      adjustments.filter((each) => each.adjustmentId === adjustmentId),
    );
    return {
      adjustmentId,
      type,
      includesTax,
      amount: toDecimal(adjustment.amount),
      taxKey: String(findTaxRowIndex(document, adjustment)),
      taxPercent: toDecimal(adjustment.taxPercent),
      credited: sum(credited.map(({ amount }) => toDecimal(amount))),
    };
  });

/**
 * Determines the credited parts: those requested, or everything not credited yet.
 * @throws AppError 400 naming every invalid line
 */
function resolveParts(
  lines: readonly CreditableLine[],
  { lines: input, restock }: CreditedInput,
  decimals: number,
): CreditedPart[] {
  if (input === undefined) return computeRemainders(lines, restock, decimals);
  const problems: FieldProblem[] = [];
  const parts = input.flatMap(({ invoiceLineId, quantity, amount }, index): CreditedPart[] => {
    const at = `lines[${index}]`;
    const addProblem = (field: string, problem: string): [] => {
      problems.push({ field: `${at}${field}`, problem });
      return [];
    };
    if (!lines.some(({ lineId }) => lineId === invoiceLineId))
      return addProblem('.invoiceLineId', 'is not a line of the invoice');
    if (input.findIndex((other) => other.invoiceLineId === invoiceLineId) !== index)
      return addProblem('.invoiceLineId', 'occurs twice');
    if ((quantity === undefined) === (amount === undefined)) return addProblem('', 'needs either quantity or amount');
    if (amount !== undefined && (!amount.gt(0) || amount.decimalPlaces() > decimals))
      return addProblem('.amount', `must be greater than 0, with at most ${decimals} decimals`);
    if (amount !== undefined) return [{ lineId: invoiceLineId, amount }];
    return [{ lineId: invoiceLineId, quantity: quantity ?? ZERO }];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  return parts;
}

/**
 * Returns the part of a line that is not credited yet: as units if only units were credited before, else as an amount, of
 * which units that return to stock are named.
 */
function computeRemainder(line: CreditableLine, restock: boolean, decimals: number): CreditedPart[] {
  const { lineId } = line;
  const amount = line.payable.minus(line.creditedPayable);
  const quantity = line.quantity.minus(line.creditedQuantity);
  if (quantity.gt(0) && computePayable(line, { lineId, quantity }, decimals).eq(amount)) return [{ lineId, quantity }];
  if (quantity.gt(0) && restock) return [{ lineId, quantity, amount }];
  return amount.gt(0) ? [{ lineId, amount }] : [];
}

/** The parts that are not credited yet; none if nothing is left of any price, also if units could return to stock. */
function computeRemainders(lines: readonly CreditableLine[], restock: boolean, decimals: number): CreditedPart[] {
  const parts = lines.flatMap((line) => computeRemainder(line, restock, decimals));
  const isCredited = parts.every((part) => 'amount' in part && part.amount.isZero());
  return isCredited ? [] : parts;
}

function rejectPartsBeyondLines(
  lines: readonly CreditableLine[],
  parts: readonly CreditedPart[],
  decimals: number,
): void {
  const fields = parts.flatMap((part, index): FieldProblem[] => {
    const line = lines.find(({ lineId }) => lineId === part.lineId);
    if (line === undefined) return [];
    const units = line.quantity.minus(line.creditedQuantity);
    if ('quantity' in part && part.quantity.gt(units))
      return [
        {
          field: `lines[${index}].quantity`,
          problem: `must be at most ${units.toFixed()}, the quantity not credited yet`,
        },
      ];
    const left = line.payable.minus(line.creditedPayable);
    if (computePayable(line, part, decimals).gt(left))
      return [
        {
          field: `lines[${index}]`,
          problem: `only ${left.toFixed()} of the line is not credited yet; name an amount, or leave out lines to credit the rest`,
        },
      ];
    return [];
  });
  if (fields.length === 0) return;
  const message = `Exceeds what is not credited yet: ${fields.map(({ field, problem }) => `${field} ${problem}`).join('; ')}.`;
  throw conflictError('credit_exceeds_invoice', message, { fields });
}

/**
 * Computes a credit note from the invoice and its earlier credit notes, read in this transaction.
 * @throws AppError 400 naming every invalid line; 409 `credit_exceeds_invoice`
 */
export async function prepareCreditNote(
  unit: UnitOfWork,
  invoice: InvoiceRecord,
  input: CreditedInput,
): Promise<PreparedCreditNote> {
  const { organisationId, id, document } = invoice;
  const earlier = await CreditNote.find({ organisationId, invoiceId: id })
    .session(unit.mongoSession)
    .lean<CreditNoteRecord[]>();
  const decimals = document.currencyDecimals;
  const lines = buildCreditableLines(document, earlier);
  const parts = resolveParts(lines, input, decimals);
  if (parts.length === 0)
    throw conflictError('credit_exceeds_invoice', 'Everything on the invoice is credited already.');
  rejectPartsBeyondLines(lines, parts, decimals);
  const calculation = calculateCreditNote(
    lines,
    parts,
    decimals,
    document.taxRounding,
    buildCreditableAdjustments(document, earlier),
  );
  const payables = new Map(calculation.lines.map(({ lineId, payable }) => [lineId, payable]));
  const creditedTaxes = sumCreditedRows(document, earlier).map(({ tax }) => tax);
  const discounted = await deductCreditedDiscount(unit, invoice, earlier, calculation);
  await rejectWrittenOffInvoiceCredit(unit, invoice, earlier, discounted.calculation);
  const base = computeNoteBase(document, earlier, discounted.calculation, discounted);
  const { discount } = discounted;
  return { parts, payables, creditedTaxes, calculation: discounted.calculation, discount, base };
}
