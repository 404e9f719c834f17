import { computeCreditedDiscount } from '../../../domain/business/credit-notes/credited-discount';
import { sumTaxedAmounts } from '../../../domain/business/taxed-amount';
import type { TaxedAmount } from '../../../domain/business/taxed-amount';
import type { CreditNoteCalculation } from '../../../domain/business/credit-notes/credit-note-calculation';
import type { CreditedRate } from '../../../domain/business/credit-notes/credited-base';
import { Decimal, ZERO } from '../../../domain/business/decimal';
import { signAdjustment } from '../../../domain/business/invoices/adjustments';
import type { DocumentAdjustmentSnapshot, InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { findTaxRowIndex } from '../../../domain/business/invoices/tax-rows';
import { fromShareText, isOfRate } from '../../../domain/business/payments/deductions';
import type { TaxShare } from '../../../domain/business/payments/deductions';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { listActiveDeductions } from '../payments/deductions';
import { toDocumentRows } from '../payments/document-taxes';
import { findOpenItem } from '../payments/open-items';

/** What credit notes deduct of a discount for early payment, for each row of the tax table of the invoice. */
export interface CreditedDiscount {
  rows: TaxedAmount[];
  /** What earlier credit notes deducted. */
  before: TaxedAmount[];
}

/** A tax rate of an invoice, with what a credit note takes of it at the prices before the discount, and deducts. */
export interface DiscountedRate extends Pick<CreditedRate, 'invoiced' | 'creditedBefore' | 'credited' | 'deducted'> {
  rate: TaxShare;
  /** Positions of its rows in the tax table of the invoice. */
  rows: number[];
  /** What earlier credit notes have not deducted of the discount. */
  discount: TaxedAmount;
}

interface DiscountedNote {
  calculation: CreditNoteCalculation;
  discount: CreditedDiscount;
  rates: DiscountedRate[];
  /** The discounts that the customer took and that are not taken back. */
  posted: DeductionRecord[];
}

/** Reads the discounts for early payment that the customer took and that are not taken back. */
async function readPostedDiscounts(unit: UnitOfWork, invoice: InvoiceRecord): Promise<DeductionRecord[]> {
  const { organisationId, id, document } = invoice;
  if (document.earlyPaymentDiscount === undefined) return [];
  const item = await findOpenItem(unit, { organisationId, side: 'receivable', kind: 'invoice', id });
  return item === null ? [] : listActiveDeductions(unit, { organisationId, itemId: item._id, kind: 'discount' });
}

const toSignedAmount = ({ type, net, tax }: DocumentAdjustmentSnapshot): TaxedAmount => ({
  net: signAdjustment(type, new Decimal(net)).neg(),
  tax: signAdjustment(type, new Decimal(tax)).neg(),
});

const listDeducted = ({ document: { adjustments = [] } }: CreditNoteRecord): DocumentAdjustmentSnapshot[] =>
  adjustments.filter(({ isEarlyPayment }) => isEarlyPayment === true);

/** Sums what credit notes deducted of the discount, for each row of the tax table of the invoice. */
const sumDeducted = (document: InvoiceSnapshot, notes: readonly CreditNoteRecord[]): TaxedAmount[] => {
  const deducted = notes.flatMap(listDeducted);
  return document.taxes.map((_, index) =>
    sumTaxedAmounts(deducted.filter((each) => findTaxRowIndex(document, each) === index).map(toSignedAmount)),
  );
};

/** Sums what earlier credit notes credited at the prices before the discount, for each row of the tax table. */
export function sumCreditedRows(document: InvoiceSnapshot, earlier: readonly CreditNoteRecord[]): TaxedAmount[] {
  const deducted = sumDeducted(document, earlier);
  return document.taxes.map((invoiced, index) => {
    const { taxRateId, category, percent, exemptionReason } = invoiced;
    const rows = earlier
      .flatMap((note) => note.document.taxes)
      .filter(
        (row) =>
          row.taxRateId === taxRateId &&
          row.category === category &&
          row.percent === percent &&
          row.exemptionReason === exemptionReason,
      )
      .map(({ net, tax }) => ({ net: new Decimal(net), tax: new Decimal(tax) }));
    return sumTaxedAmounts([...rows, ...deducted.slice(index, index + 1)]);
  });
}

function reduceCalculation(calculation: CreditNoteCalculation, deducted: readonly TaxedAmount[]) {
  const taxes = calculation.taxes.map((row) => {
    const { net, tax } = deducted[Number(row.taxKey)] ?? { net: ZERO, tax: ZERO };
    return { ...row, net: row.net.minus(net), tax: row.tax.minus(tax) };
  });
  const { net: total, tax: taxTotal } = sumTaxedAmounts(taxes);
  return { ...calculation, taxes, total, taxTotal, grandTotal: total.plus(taxTotal) };
}

const NOTHING: TaxedAmount = { net: ZERO, tax: ZERO };

/**
 * Reduces a credit note by its part of the discount for early payment that the customer took: the discount has reduced
 * revenue and tax already (§ 17 UStG, article 90 of the VAT directive), and the customer gets back what was paid.
 */
export async function deductCreditedDiscount(
  unit: UnitOfWork,
  invoice: InvoiceRecord,
  earlier: readonly CreditNoteRecord[],
  calculation: CreditNoteCalculation,
): Promise<DiscountedNote> {
  const { document } = invoice;
  const before = sumDeducted(document, earlier);
  const posted = await readPostedDiscounts(unit, invoice);
  const shares = toDocumentRows(document);
  const granted = posted.flatMap(({ taxes }) => taxes.map(fromShareText));
  const creditedBefore = sumCreditedRows(document, earlier);
  const rows = shares.map((share, index) => ({
    rateKey: String(shares.findIndex((other) => isOfRate(other, share))),
    invoiced: share,
    creditedBefore: creditedBefore[index] ?? NOTHING,
    credited: calculation.taxes.find(({ taxKey }) => taxKey === String(index)) ?? NOTHING,
  }));
  const remaining = new Map(
    [...new Set(rows.map(({ rateKey }) => rateKey))].map((rateKey) => {
      const rate = shares[Number(rateKey)];
      const own = granted.filter((each) => rate !== undefined && isOfRate(rate, each));
      const taken = sumTaxedAmounts(before.filter((_, index) => rows[index]?.rateKey === rateKey));
      return [rateKey, sumTaxedAmounts([...own, { net: taken.net.neg(), tax: taken.tax.neg() }])] as const;
    }),
  );
  const deducted = computeCreditedDiscount(rows, remaining, document.currencyDecimals);
  const rates = [...remaining].flatMap(([rateKey, discount]): DiscountedRate[] => {
    const rate = shares[Number(rateKey)];
    const positions = rows.flatMap((row, position) => (row.rateKey === rateKey ? [position] : []));
    const own = rows.filter((row) => row.rateKey === rateKey);
    if (rate === undefined) return [];
    return [
      {
        rate,
        rows: positions,
        invoiced: sumTaxedAmounts(own.map((row) => row.invoiced)),
        creditedBefore: sumTaxedAmounts(own.map((row) => row.creditedBefore)),
        credited: sumTaxedAmounts(own.map((row) => row.credited)),
        discount,
        deducted: sumTaxedAmounts(positions.map((position) => deducted[position] ?? NOTHING)),
      },
    ];
  });
  const discounted = reduceCalculation(calculation, deducted);
  return { calculation: discounted, discount: { rows: deducted, before }, rates, posted };
}
