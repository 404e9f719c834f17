import { divideTotals } from '../../../domain/business/accounting/tax-postings';
import type { TaxRow } from '../../../domain/business/accounting/tax-postings';
import { Decimal, round } from '../../../domain/business/decimal';
import {
  computeRest,
  fromShareText,
  toRestComponents,
  toShareText,
} from '../../../domain/business/payments/deductions';
import type { TaxShareText } from '../../../domain/business/payments/deductions';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { toDocumentRows } from './document-taxes';

/** Net amounts and taxes of a deposit invoice by rate, in base currency. */
async function readDepositRows(unit: UnitOfWork, item: OpenItemRecord): Promise<{ rows: TaxRow[]; decimals: number }> {
  const invoice = await Invoice.findOne({ organisationId: item.organisationId, id: item.id }, { document: 1 })
    .session(unit.mongoSession)
    .lean<Pick<InvoiceRecord, 'document'>>();
  if (invoice === null) throw new Error('an item names an invoice that does not exist');
  const { document } = invoice;
  const decimals = document.baseCurrencyDecimals;
  const rows = divideTotals({
    rows: toDocumentRows(document),
    total: new Decimal(document.total),
    taxTotal: new Decimal(document.taxTotal),
    baseTotal: new Decimal(document.baseTotal),
    baseTaxTotal: new Decimal(document.baseTaxTotal),
    exchangeRate: new Decimal(document.exchangeRate),
    decimals: document.currencyDecimals,
    baseDecimals: decimals,
  });
  return {
    rows: rows.map(({ category, percent, baseNet, baseTax, components }) => ({
      category,
      percent,
      net: baseNet,
      tax: baseTax,
      ...(components && { components }),
    })),
    decimals,
  };
}

/** The taxes that became due by what has settled the deposit before. */
async function readDueTaxes(unit: UnitOfWork, { _id, organisationId, side }: OpenItemRecord): Promise<TaxShareText[]> {
  const { mongoSession } = unit;
  const allocations = await Allocation.find({ organisationId, side, debitItemId: _id, reversedOn: null })
    .session(mongoSession)
    .lean<AllocationRecord[]>();
  const deductions = await Deduction.find({ organisationId, itemId: _id, reversedOn: null })
    .session(mongoSession)
    .lean<DeductionRecord[]>();
  return [...allocations, ...deductions].flatMap(({ depositTaxes }) => depositTaxes ?? []);
}

/**
 * The net amounts and taxes, in base currency, that become due when a part of a deposit invoice is settled. What settles
 * all that is left takes the rest, so that cents of rounding do not remain.
 * @param item the deposit invoice before it is settled
 * @param amount in its currency
 */
export async function computeDepositTaxes(
  unit: UnitOfWork,
  item: OpenItemRecord,
  amount: Decimal,
): Promise<TaxShareText[]> {
  const { rows, decimals } = await readDepositRows(unit, item);
  if (amount.eq(fromDecimal128(item.open))) {
    const due = (await readDueTaxes(unit, item)).map(fromShareText);
    return toRestComponents(computeRest(rows, due), rows, due, decimals).map(toShareText);
  }
  const share = amount.div(fromDecimal128(item.original));
  return rows.map((row) => {
    const gross = round(row.net.plus(row.tax).times(share), decimals);
    const tax = round(row.tax.times(share), decimals);
    return toShareText({ ...row, net: gross.minus(tax), tax });
  });
}

/** The same for an item of any kind: nothing unless it is a deposit invoice. */
export const computeDueTaxes = async (
  unit: UnitOfWork,
  item: OpenItemRecord,
  amount: Decimal,
): Promise<{ depositTaxes?: TaxShareText[] }> =>
  item.isDeposit === true ? { depositTaxes: await computeDepositTaxes(unit, item, amount) } : {};
