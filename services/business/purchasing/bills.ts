import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeDueDate } from '../../../domain/business/payments/payment-terms';
import { conflictError, invalidRequestError, invalidFieldError, notFoundError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { isDuplicateKeyErrorOn } from '../../../lib/mongo';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payable, VENDOR_NUMBER_KEY } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { Vendor } from '../../../models/business/parties/vendor';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { formatFutureDateProblem, getCompanyToday } from '../settings/company';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { postIdempotently } from '../documents/idempotent-postings';
import { findDocumentExchangeRate, findExchangeRate } from '../settings/document-rates';
import { findLineTaxRate, resolveLineTaxRate } from '../settings/line-tax-rates';
import { withCurrentTaxRates } from '../settings/tax-rate-uses';
import { findOpenItem } from '../payments/open-items';
import { requireOpenPeriod } from '../documents/posting-period';
import { applyVendorCredit, rejectExcessiveBillCredit } from './bill-credits';
import {
  buildBilledReceipt,
  compareWithReceipts,
  readUnbilledReceipts,
  rejectOverbilling,
  replaceUnbilledPayable,
} from './bill-receipts';
import { calculatePurchase, readCatalogue } from './lines';
import type { BoughtLine } from './lines';
import { postPayable } from './payables';
import type { NewPayable } from './payables';
import { PAYABLE_COUNTER } from './receipts';
import { applyVendorTotals } from './vendor-totals';

export interface BillLineInput {
  productId?: number | undefined;
  /** @default the name of the product */
  description?: string | undefined;
  quantity: Decimal;
  /** Cost per unit before tax, in the currency of the bill. */
  unitCost: Decimal;
  taxRateId?: number | undefined;
}

export interface BillInput {
  /** Whether the document is a bill or a credit note. */
  type: 'bill' | 'credit_note';
  vendorId: number;
  /** Number given by the vendor. */
  number: string;
  /** Date of the vendor's document, `YYYY-MM-DD`. */
  date: string;
  /**
   * The day whose tax rates apply, `YYYY-MM-DD`.
   * @default that of the payable that a credit note names; the last date of the receipts of a bill; else `date`
   */
  supplyDate?: string | undefined;
  /** Not before `date`. @default by the payment terms of the vendor */
  dueDate?: string | undefined;
  currencyCode?: string | undefined;
  reference?: string | undefined;
  lines: BillLineInput[];
  /** Total before tax as printed by the vendor. @default the sum of the lines */
  total?: Decimal | undefined;
  /** Tax as printed by the vendor. @default the tax of the lines */
  taxTotal?: Decimal | undefined;
  /** Ids of the receipts whose unbilled payables a bill replaces. */
  receiptIds?: number[] | undefined;
  /** Id of the payable that a credit note reduces first. */
  payableId?: number | undefined;
}

interface PreparedBill extends Omit<NewPayable, 'id' | 'at' | 'receiptIds' | 'differences'> {
  /** The products of its lines that are kept in stock. */
  stockedProductIds: ReadonlySet<number>;
}

/** The day whose tax rates apply to a bill or credit note: that of its supply. */
async function findTaxDate({ organisationId }: BusinessCaller, input: BillInput): Promise<string> {
  const { supplyDate, date, payableId, receiptIds = [] } = input;
  if (supplyDate !== undefined) return supplyDate;
  const type = { $in: payableId === undefined ? (['receipt'] as const) : (['bill', 'receipt'] as const) };
  const ids = payableId === undefined ? receiptIds : [payableId];
  if (ids.length === 0) return date;
  const named = await Payable.find({ organisationId, type, id: { $in: ids } }, { date: 1, supplyDate: 1 }).lean<
    Pick<PayableRecord, 'date' | 'supplyDate'>[]
  >();
  const dates = named.map((payable) => payable.supplyDate ?? payable.date);
  return dates.toSorted().at(-1) ?? date;
}

/** Reads and checks the references of a bill and calculates it. @throws AppError 400 naming every wrong field */
async function prepareBill(platform: Platform, caller: BusinessCaller, input: BillInput): Promise<PreparedBill> {
  const { organisationId, company } = caller;
  const problems: FieldProblem[] = [];
  const today = getCompanyToday(platform, caller);
  if (input.date > today) problems.push({ field: 'date', problem: formatFutureDateProblem(today) });
  const productIds = input.lines.flatMap(({ productId }) => (productId === undefined ? [] : [productId]));
  const [vendor, catalogue, taxDate] = await Promise.all([
    Vendor.findOne({ organisationId, id: input.vendorId }).lean<VendorRecord>(),
    readCatalogue(caller, productIds),
    findTaxDate(caller, input),
  ]);
  if (vendor === null) problems.push({ field: 'vendorId', problem: 'is not a vendor of the company' });
  if (input.dueDate !== undefined && input.dueDate < input.date)
    problems.push({ field: 'dueDate', problem: `must not be before the bill, ${input.date}` });
  const currencyCode = input.currencyCode ?? vendor?.currencyCode ?? company.baseCurrencyCode;
  // What was received or billed in a currency or at a tax rate before it became inactive is still billed and credited.
  const follows = input.payableId !== undefined || (input.receiptIds ?? []).length > 0;
  const findRate = follows ? findExchangeRate : findDocumentExchangeRate;
  const findTaxRate = follows ? findLineTaxRate : resolveLineTaxRate;
  const rate = await findRate(caller, currencyCode, input.date);
  if ('problem' in rate) problems.push({ field: 'currencyCode', problem: rate.problem });
  const lines = input.lines.flatMap(
    (line, index): (BoughtLine & { productId: number | null; description: string })[] => {
      const field = `lines[${index}]`;
      const product = line.productId === undefined ? undefined : catalogue.products.get(line.productId);
      if (line.productId !== undefined && product === undefined)
        problems.push({ field: `${field}.productId`, problem: 'is not a product of the company' });
      const description = line.description ?? product?.name;
      if (description === undefined)
        problems.push({ field: `${field}.description`, problem: 'is required without a product' });
      const taxRate = findTaxRate(
        caller,
        catalogue.taxRates,
        { taxRateId: line.taxRateId, product, party: vendor, date: taxDate, field: `${field}.taxRateId` },
        problems,
      );
      const { quantity, unitCost } = line;
      return taxRate === null
        ? []
        : [{ quantity, unitCost, taxRate, productId: product?.id ?? null, description: description ?? '' }];
    },
  );
  if (problems.length > 0 || vendor === null || 'problem' in rate) throw invalidRequestError(problems);
  const calculated = { lines, calculation: calculatePurchase(caller, lines, currencyCode) };
  const terms = vendor.paymentTerms ?? company.defaultPaymentTerms;
  return {
    type: input.type,
    number: input.number,
    vendor,
    date: input.date,
    ...(taxDate === input.date ? {} : { supplyDate: taxDate }),
    dueDate: input.type === 'credit_note' ? input.date : (input.dueDate ?? computeDueDate(input.date, terms)),
    currencyCode,
    exchangeRate: rate,
    ...applyVendorTotals(calculated, input, currencyCode),
    stockedProductIds: new Set(
      [...catalogue.products.values()].filter(({ type }) => type === 'goods').map(({ id }) => id),
    ),
    reference: input.reference,
  };
}

async function writeBill(
  unit: UnitOfWork,
  caller: BusinessCaller,
  prepared: PreparedBill,
  id: number,
  receiptIds: number[],
): Promise<PayableRecord> {
  const { organisationId, company } = caller;
  const at = unit.platform.clock.now();
  await requireOpenPeriod(unit, caller, prepared.date, 'date');
  const receipts = await readUnbilledReceipts(unit, caller, prepared, receiptIds);
  rejectOverbilling(caller, prepared, receipts, (productId) => prepared.stockedProductIds.has(productId));
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  for (const { item } of receipts)
    await replaceUnbilledPayable(unit, item, { id, date: prepared.date, at }, baseDecimals);
  await Payable.updateMany(
    { organisationId, type: 'receipt', id: { $in: receiptIds } },
    { $set: { billId: id } },
    { session: unit.mongoSession },
  );
  const differences = compareWithReceipts(caller, prepared, receipts);
  const billedReceipts = receipts.map(({ receipt }) => buildBilledReceipt(receipt, baseDecimals));
  const record = await postPayable(unit, caller, { ...prepared, id, receiptIds, billedReceipts, differences, at });
  await unit.audit(caller, { actor: caller.id, action: 'payable.posted', subject: `payable:${id}` });
  return record;
}

/** @throws AppError 409 `already_void` for a bill that was voided */
async function rejectVoidBill(unit: UnitOfWork, { organisationId, id, number }: OpenItemRecord): Promise<void> {
  const bill = await Payable.findOne({ organisationId, type: 'bill', id }, { voidedOn: 1 })
    .session(unit.mongoSession)
    .lean<Pick<PayableRecord, 'voidedOn'>>();
  if (bill?.voidedOn !== undefined)
    throw conflictError('already_void', `payableId: bill ${number} was voided on ${bill.voidedOn}.`);
}

/**
 * The open item of the payable that a credit note of a vendor reduces.
 * @throws AppError 400; 409 `already_void`, `credit_exceeds_bill`
 */
async function readCreditedItem(
  unit: UnitOfWork,
  { organisationId }: BusinessCaller,
  { vendor, date, currencyCode, lines, calculation }: PreparedBill,
  payableId: number,
): Promise<OpenItemRecord> {
  const kind = ['bill', 'receipt'] as const;
  const item = await findOpenItem(unit, { organisationId, side: 'payable', kind, id: payableId });
  if (item === null || item.partyId !== vendor.id)
    throw invalidFieldError('payableId', 'is not a payable of the vendor');
  if (item.kind === 'bill') await rejectVoidBill(unit, item);
  if (item.currencyCode !== currencyCode)
    throw invalidFieldError('payableId', `is in ${item.currencyCode}, the credit note in ${currencyCode}`);
  if (date < item.date) throw invalidFieldError('date', `must not be before the ${item.kind}, ${item.date}`);
  await rejectExcessiveBillCredit(
    unit,
    item,
    lines.map(({ taxRate }, index) => {
      const { net, tax } = calculation.lines[index] ?? { net: ZERO, tax: ZERO };
      return { taxRateId: taxRate.id, net, tax };
    }),
  );
  return item;
}

/** Writes a credit note of a vendor. It first reduces the bill that it names; the remainder is a credit. */
async function writeCredit(
  unit: UnitOfWork,
  caller: BusinessCaller,
  prepared: PreparedBill,
  id: number,
  payableId: number | undefined,
): Promise<PayableRecord> {
  const at = unit.platform.clock.now();
  await requireOpenPeriod(unit, caller, prepared.date, 'date');
  const debit = payableId === undefined ? null : await readCreditedItem(unit, caller, prepared, payableId);
  const creditedBillId = debit?.kind === 'bill' ? debit.id : undefined;
  const record = await postPayable(unit, caller, { ...prepared, id, creditedBillId, at });
  await unit.audit(caller, { actor: caller.id, action: 'payable.credited', subject: `payable:${id}` });
  await applyVendorCredit(unit, caller, { id, debit, date: prepared.date, isAtSameRate: false });
  return record;
}

const numberTakenError = (number: string) =>
  conflictError('number_taken', `number: ${number} of this vendor exists already.`, {
    fields: [{ field: 'number', problem: 'exists already for this vendor' }],
  });

/**
 * Records a bill of a vendor, which replaces the unbilled payables of its receipts, or a credit note of a vendor.
 * @throws AppError 400; 409 `number_taken`, `receipt_billed`, `receipt_settled`, `over_billing`, `credit_exceeds_bill`,
 * `already_void`, `period_locked`
 */
export async function recordBill(request: BusinessRequest, input: BillInput): Promise<PayableRecord> {
  const { platform, caller } = request;
  const write = () =>
    postIdempotently(
      request,
      async (post) => {
        const prepared = await prepareBill(platform, caller, input);
        const receiptIds = [...new Set(input.receiptIds ?? [])];
        try {
          return await post(async (unit) => {
            const id = await reserveNumberInTransaction(unit.mongoSession, caller.organisationId, PAYABLE_COUNTER);
            const result =
              input.type === 'bill'
                ? await writeBill(unit, caller, prepared, id, receiptIds)
                : await writeCredit(unit, caller, prepared, id, input.payableId);
            return { id, status: 201, result };
          });
        } catch (error) {
          if (isDuplicateKeyErrorOn(error, VENDOR_NUMBER_KEY)) throw numberTakenError(input.number);
          throw error;
        }
      },
      (id) => getPayable(caller, id),
    );
  return withCurrentTaxRates(write);
}

/** @throws AppError 404, also for the id of another organisation */
export async function getPayable(caller: BusinessCaller, id: number, unit?: UnitOfWork): Promise<PayableRecord> {
  const record = await Payable.findOne({ organisationId: caller.organisationId, id })
    .session(unit?.mongoSession ?? null)
    .lean<PayableRecord>();
  if (record === null) throw notFoundError('payable');
  return record;
}
