import {
  calculateCreditNote,
  creditedBase,
  payableOf,
} from '../../../domain/business/credit-notes/credit-note-calculation';
import type {
  CreditableLine,
  CreditedPart,
  CreditNoteCalculation,
} from '../../../domain/business/credit-notes/credit-note-calculation';
import { currencyDecimals } from '../../../domain/business/currencies';
import { Decimal, sum, ZERO } from '../../../domain/business/decimal';
import type { InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import type { BaseTotals } from '../../../domain/business/invoices/invoice-calculation';
import { taxRowOf } from '../../../domain/business/invoices/tax-rows';
import { conflict, invalid } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { fromStored } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

export interface CreditNoteLineInput {
  invoiceLineId: number;
  /** Units; instead of `amount`. */
  quantity?: Decimal | undefined;
  /** In the terms of the line's unit price. */
  amount?: Decimal | undefined;
}

/** A credit note worked out against what earlier ones took. */
export interface WorkedOutCredit {
  parts: CreditedPart[];
  calculation: CreditNoteCalculation;
  base: BaseTotals;
  /** Of the line of the same id: what is credited of it, in its own terms. */
  payables: Map<number, Decimal>;
}

const decimalOf = (text: string): Decimal => new Decimal(text);

function creditableLines(document: InvoiceSnapshot, earlier: readonly CreditNoteRecord[]): CreditableLine[] {
  return document.lines.map((line) => {
    const credited = earlier.flatMap(({ lines }) => lines.filter(({ invoiceLineId }) => invoiceLineId === line.lineId));
    return {
      lineId: line.lineId,
      quantity: decimalOf(line.quantity),
      payable: Decimal.max(decimalOf(line.gross).minus(decimalOf(line.discount)), ZERO),
      priceIncludesTax: line.priceIncludesTax,
      taxKey: String(taxRowOf(document, line)),
      taxPercent: decimalOf(line.taxPercent),
      creditedQuantity: sum(credited.map(({ quantity }) => (quantity === null ? ZERO : fromStored(quantity)))),
      creditedPayable: sum(credited.map(({ payable }) => fromStored(payable))),
    };
  });
}

/** What is asked of each line, or everything that is left. @throws AppError 400 naming every line that is wrong */
function partsOf(
  lines: readonly CreditableLine[],
  input: readonly CreditNoteLineInput[] | undefined,
  decimals: number,
): CreditedPart[] {
  if (input === undefined) return lines.flatMap((line) => restOf(line, decimals));
  const problems: FieldProblem[] = [];
  const parts = input.flatMap(({ invoiceLineId, quantity, amount }, index): CreditedPart[] => {
    const at = `lines[${index}]`;
    const wrong = (field: string, problem: string): [] => {
      problems.push({ field: `${at}${field}`, problem });
      return [];
    };
    if (!lines.some(({ lineId }) => lineId === invoiceLineId))
      return wrong('.invoiceLineId', 'is not a line of the invoice');
    if (input.findIndex((other) => other.invoiceLineId === invoiceLineId) !== index)
      return wrong('.invoiceLineId', 'is named twice');
    if ((quantity === undefined) === (amount === undefined)) return wrong('', 'needs either quantity or amount');
    if (amount !== undefined && (!amount.gt(0) || amount.decimalPlaces() > decimals))
      return wrong('.amount', `must be greater than 0, with at most ${decimals} decimals`);
    if (amount !== undefined) return [{ lineId: invoiceLineId, amount }];
    return [{ lineId: invoiceLineId, quantity: quantity ?? ZERO }];
  });
  if (problems.length > 0) throw invalid(problems);
  return parts;
}

/** What is left of a line: its units where only units were credited, else its amount. */
function restOf(line: CreditableLine, decimals: number): CreditedPart[] {
  const amount = line.payable.minus(line.creditedPayable);
  const quantity = line.quantity.minus(line.creditedQuantity);
  if (quantity.gt(0) && payableOf(line, { lineId: line.lineId, quantity }, decimals).eq(amount))
    return [{ lineId: line.lineId, quantity }];
  return amount.gt(0) ? [{ lineId: line.lineId, amount }] : [];
}

function refuseBeyondLines(lines: readonly CreditableLine[], parts: readonly CreditedPart[], decimals: number): void {
  const fields = parts.flatMap((part, index): FieldProblem[] => {
    const line = lines.find(({ lineId }) => lineId === part.lineId);
    if (line === undefined) return [];
    const units = line.quantity.minus(line.creditedQuantity);
    if ('quantity' in part && part.quantity.gt(units))
      return [
        { field: `lines[${index}].quantity`, problem: `must be at most ${units.toFixed()}, what is not credited yet` },
      ];
    const left = line.payable.minus(line.creditedPayable);
    if (payableOf(line, part, decimals).gt(left))
      return [
        { field: `lines[${index}]`, problem: `only ${left.toFixed()} of the line is not credited yet; name an amount` },
      ];
    return [];
  });
  if (fields.length === 0) return;
  const message = `More than is left of the invoice: ${fields.map(({ field, problem }) => `${field} ${problem}`).join('; ')}.`;
  throw conflict('credit_exceeds_invoice', message, { fields });
}

/**
 * Works a credit note out against the invoice and what was credited of it before, read in this transaction.
 * @param input undefined: everything that is left
 * @throws AppError 400 naming every wrong line; 409 `credit_exceeds_invoice`
 */
export async function workOutCredit(
  unit: UnitOfWork,
  invoice: InvoiceRecord,
  input: readonly CreditNoteLineInput[] | undefined,
): Promise<WorkedOutCredit> {
  const { organisationId, id, document } = invoice;
  const earlier = await CreditNote.find({ organisationId, invoiceId: id })
    .session(unit.session)
    .lean<CreditNoteRecord[]>();
  const decimals = document.currencyDecimals;
  const lines = creditableLines(document, earlier);
  const parts = partsOf(lines, input, decimals);
  if (parts.length === 0) throw conflict('credit_exceeds_invoice', 'Everything on the invoice is credited already.');
  refuseBeyondLines(lines, parts, decimals);
  const calculation = calculateCreditNote(lines, parts, decimals, document.taxRounding);
  const payables = new Map(calculation.lines.map(({ lineId, payable }) => [lineId, payable]));
  const before = earlier.map((note) => ({ total: fromStored(note.total), taxTotal: fromStored(note.taxTotal) }));
  const baseDecimals = currencyDecimals(document.baseCurrencyCode);
  const base = creditedBase(before, calculation, decimalOf(document.exchangeRate), baseDecimals);
  return { parts, calculation, base, payables };
}
