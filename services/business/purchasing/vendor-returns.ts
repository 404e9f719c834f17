import { Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { conflictError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { isDuplicateKeyErrorOn } from '../../../lib/mongo';
import { Product } from '../../../models/business/catalogue/product';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Payable, VENDOR_NUMBER_KEY } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { VendorReturnRecord } from '../../../models/business/purchasing/vendor-return';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { Warehouse } from '../../../models/business/stock/warehouse';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { postIdempotently } from '../documents/idempotent-postings';
import { requireOpenPeriod } from '../documents/posting-period';
import { buildChoiceCondition, buildDayRange, readPage } from '../records/lists';
import type { ListPage, ListQuery } from '../records/lists';
import { getCompanyToday, resolvePostingDate } from '../settings/company';
import { issueStock } from '../stock/stock-movements';
import { readIssuedValues } from '../stock/issued-values';
import { readBilledGoods } from './billed-goods';
import { rejectForeignCosts } from './returned-costs';
import { creditReturn, reduceUnbilledPayable } from './return-settlement';
import type { ReturnFigures, ReturnSettlement } from './return-settlement';
import { computeReturnedLines, readReceivingMovements } from './vendor-return-lines';
import type { ReturnedLine, ReturnLineInput, TaxRates } from './vendor-return-lines';

export interface VendorReturnInput {
  /** Id of the receipt with which the goods came. */
  receiptId: number;
  /** `YYYY-MM-DD`. @default today */
  date?: string | undefined;
  reason: string;
  /** Number of the vendor's credit note. @default the number of the return */
  creditNoteNumber?: string | undefined;
  /** Undefined: all goods that are left. */
  lines?: ReturnLineInput[] | undefined;
}

const COUNTER = 'vendor-returns';

async function readReceipt(unit: UnitOfWork, { organisationId }: BusinessCaller, id: number): Promise<PayableRecord> {
  const receipt = await Payable.findOne({ organisationId, type: 'receipt', id })
    .session(unit.mongoSession)
    .lean<PayableRecord>();
  if (receipt === null) throw invalidFieldError('receiptId', 'is not a receipt of the company');
  return receipt;
}

async function readTaxRates(unit: UnitOfWork, { organisationId }: BusinessCaller): Promise<TaxRates> {
  const rates = await TaxRate.find({ organisationId }).session(unit.mongoSession).lean<TaxRateRecord[]>();
  return new Map(rates.map((rate) => [rate.id, rate]));
}

/** The ids of the warehouses of the company, also of inactive ones. */
async function readWarehouseIds(unit: UnitOfWork, { organisationId }: BusinessCaller): Promise<Set<number>> {
  const warehouses = await Warehouse.find({ organisationId }, { id: 1 })
    .session(unit.mongoSession)
    .lean<{ id: number }[]>();
  return new Set(warehouses.map(({ id }) => id));
}

/** The codes of the products, which a shortage names; a receipt has only their ids. */
async function readProductCodes(
  unit: UnitOfWork,
  organisationId: string,
  lines: readonly ReturnedLine[],
): Promise<Map<number, string>> {
  const filter = { organisationId, id: { $in: lines.map(({ productId }) => productId) } };
  const products = await Product.find(filter, { id: 1, code: 1 })
    .session(unit.mongoSession)
    .lean<{ id: number; code: string }[]>();
  return new Map(products.map(({ id, code }) => [id, code]));
}

/** Issues the goods at their moving average. @returns the value that left stock, by line of the receipt */
async function issueGoods(
  unit: UnitOfWork,
  caller: BusinessCaller,
  lines: readonly ReturnedLine[],
  { id, at }: { id: number; at: Date },
): Promise<Map<number, Decimal>> {
  const { organisationId, company } = caller;
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const posting = { organisationId, kind: 'vendor_return', invoiceId: null, sourceId: id, baseDecimals, at } as const;
  const codes = await readProductCodes(unit, organisationId, lines);
  await issueStock(
    unit,
    posting,
    lines.map(({ line, productId, warehouseId, quantity, field }) => ({
      lineId: line.lineId,
      field,
      productId,
      productCode: codes.get(productId) ?? String(productId),
      productName: line.description,
      warehouseId,
      quantity,
    })),
  );
  return readIssuedValues(unit, organisationId, { kind: 'vendor_return', sourceId: id });
}

/** Records on the receipt what was returned, so that concurrent returns and bills conflict. */
async function recordReturned(
  unit: UnitOfWork,
  receipt: PayableRecord,
  lines: readonly ReturnedLine[],
  figures: ReturnFigures,
): Promise<void> {
  const changed = receipt.lines.map((line) => {
    const own = lines.find((each) => each.line.lineId === line.lineId);
    if (own === undefined) return line;
    const before = line.returned === undefined ? ZERO : fromDecimal128(line.returned);
    return { ...line, returned: toDecimal128(before.plus(own.quantity)) };
  });
  const before = receipt.unbilledReturns;
  const add = (name: 'total' | 'taxTotal' | 'baseTotal' | 'baseTaxTotal') =>
    toDecimal128((before === undefined ? ZERO : fromDecimal128(before[name])).plus(figures[name]));
  const unbilledReturns = {
    total: add('total'),
    taxTotal: add('taxTotal'),
    baseTotal: add('baseTotal'),
    baseTaxTotal: add('baseTaxTotal'),
  };
  await Payable.updateOne(
    { _id: receipt._id, organisationId: receipt.organisationId },
    { $set: { lines: changed, ...(receipt.billId === null ? { unbilledReturns } : {}) } },
    { session: unit.mongoSession },
  );
}

/** What a return was computed and settled as. */
interface PostedReturn {
  id: number;
  number: string;
  reason: string;
  receipt: PayableRecord;
  lines: readonly ReturnedLine[];
  /** The value that left stock, by line. */
  values: ReadonlyMap<number, Decimal>;
  settled: ReturnSettlement;
  date: string;
  at: Date;
}

function buildRecord(
  { organisationId, id: createdBy }: BusinessCaller,
  { id, number, reason, receipt, lines, values, settled, date, at }: PostedReturn,
): VendorReturnRecord {
  const { total, taxTotal, baseTotal, baseTaxTotal, cost } = settled.figures;
  return {
    _id: new Types.ObjectId(),
    organisationId,
    id,
    number,
    receiptId: receipt.id,
    receiptNumber: receipt.number,
    vendorId: receipt.vendorId,
    vendorName: receipt.vendorName,
    date,
    currencyCode: receipt.currencyCode,
    exchangeRate: toDecimal128(settled.exchangeRate),
    reason,
    lines: lines.map(({ line, productId, warehouseId, quantity, unitCost, net, tax }) => ({
      lineId: line.lineId,
      productId,
      description: line.description,
      warehouseId,
      quantity: toDecimal128(quantity),
      unitCost: toDecimal128(unitCost),
      taxRateId: line.taxRateId,
      net: toDecimal128(net),
      tax: toDecimal128(tax),
      cost: toDecimal128(values.get(line.lineId) ?? ZERO),
    })),
    total: toDecimal128(total),
    taxTotal: toDecimal128(taxTotal),
    grandTotal: toDecimal128(total.plus(taxTotal)),
    baseTotal: toDecimal128(baseTotal),
    baseTaxTotal: toDecimal128(baseTaxTotal),
    cost: toDecimal128(cost),
    creditNoteId: settled.creditNoteId,
    createdBy,
    createdAt: at,
  };
}

async function writeReturn(
  unit: UnitOfWork,
  caller: BusinessCaller,
  input: VendorReturnInput,
  { id, date }: { id: number; date: string },
): Promise<VendorReturnRecord> {
  const { company } = caller;
  const at = unit.platform.clock.now();
  await requireOpenPeriod(unit, caller, date, 'date');
  // Goods leave stock today, whatever the date of the document.
  await requireOpenPeriod(unit, caller, getCompanyToday(unit.platform, caller), 'lines');
  const receipt = await readReceipt(unit, caller, input.receiptId);
  if (date < receipt.date) throw invalidFieldError('date', `must not be before the receipt, ${receipt.date}`);
  rejectBilledFields(receipt, input);
  await rejectForeignCosts(unit, caller, receipt, input.lines);
  const decimals = getCurrencyDecimals(receipt.currencyCode);
  const movements = await readReceivingMovements(unit.mongoSession, receipt);
  const taxRates = await readTaxRates(unit, caller);
  const billed = await readBilledGoods(unit, receipt);
  const warehouseIds = await readWarehouseIds(unit, caller);
  const terms = { decimals, taxRates, warehouseIds, billed };
  const lines = computeReturnedLines(receipt, movements, input.lines, terms);
  const values = await issueGoods(unit, caller, lines, { id, at });
  const number = `RT-${String(id).padStart(6, '0')}`;
  const exchangeRate = fromDecimal128(receipt.exchangeRate);
  const toBase = (amount: Decimal) => round(amount.times(exchangeRate), getCurrencyDecimals(company.baseCurrencyCode));
  const [total, taxTotal] = [sum(lines.map(({ net }) => net)), sum(lines.map(({ tax }) => tax))];
  const cost = sum([...values.values()]);
  const figures = { total, taxTotal, baseTotal: toBase(total), baseTaxTotal: toBase(taxTotal), cost };
  const context = { receipt, lines, figures, date, number, at };
  const settled =
    receipt.billId === null
      ? await reduceUnbilledPayable(unit, caller, context)
      : await creditReturn(unit, caller, {
          ...context,
          taxRates,
          creditNoteNumber: input.creditNoteNumber ?? number,
        });
  await recordReturned(unit, receipt, lines, settled.figures);
  const record = buildRecord(caller, { id, number, reason: input.reason, receipt, lines, values, settled, date, at });
  await VendorReturn.create([record], { session: unit.mongoSession });
  const { reason } = input;
  await unit.audit(caller, {
    actor: caller.id,
    action: 'vendor_return.posted',
    subject: `vendor_return:${id}`,
    reason,
  });
  return record;
}

/** The unbilled payable of a receipt has its amounts; only a credit note can have others, and a number. */
function rejectBilledFields({ billId }: PayableRecord, { lines, creditNoteNumber }: VendorReturnInput): void {
  if (billId !== null) return;
  const index = lines?.findIndex(({ unitCost }) => unitCost !== undefined) ?? -1;
  const problem = 'is accepted only with a receipt that has been billed';
  if (index >= 0) throw invalidFieldError(`lines[${index}].unitCost`, problem);
  if (creditNoteNumber !== undefined) throw invalidFieldError('creditNoteNumber', problem);
}

/**
 * Returns goods of a receipt to the vendor: issues them at their moving average, and reduces the unbilled payable of
 * the receipt or, after its bill, credits the bill, in one transaction.
 * @throws AppError 400; 403 for another cost without the permission `payables:create`; 409 `over_return`,
 * `insufficient_stock`, `receipt_settled`, `credit_exceeds_bill`, `number_taken`, `period_locked`
 */
export function createVendorReturn(request: BusinessRequest, input: VendorReturnInput): Promise<VendorReturnRecord> {
  const { platform, caller } = request;
  return postIdempotently(
    request,
    async (post) => {
      try {
        return await post(async (unit) => {
          const date = resolvePostingDate(platform, caller, input.date);
          const id = await reserveNumberInTransaction(unit.mongoSession, caller.organisationId, COUNTER);
          return { id, status: 201, result: await writeReturn(unit, caller, input, { id, date }) };
        });
      } catch (error) {
        if (!isDuplicateKeyErrorOn(error, VENDOR_NUMBER_KEY)) throw error;
        const problem = 'exists already for this vendor';
        throw conflictError('number_taken', `creditNoteNumber: ${problem}.`, {
          fields: [{ field: 'creditNoteNumber', problem }],
        });
      }
    },
    (id) => getVendorReturn(caller, id),
  );
}

/** @throws AppError 404, also for the id of another organisation */
export async function getVendorReturn({ organisationId }: BusinessCaller, id: number): Promise<VendorReturnRecord> {
  const record = await VendorReturn.findOne({ organisationId, id }).lean<VendorReturnRecord>();
  if (record === null) throw notFoundError('vendor return');
  return record;
}

export const VENDOR_RETURN_SORT_FIELDS = ['id'] as const;

export interface VendorReturnFilter {
  vendorId?: readonly number[] | undefined;
  receiptId?: readonly number[] | undefined;
  /** Inclusive dates. */
  from?: string | undefined;
  to?: string | undefined;
}

/** One page of returns with the exact total. */
export function listVendorReturns(
  { organisationId }: BusinessCaller,
  { vendorId, receiptId, from, to }: VendorReturnFilter,
  query: ListQuery,
): Promise<ListPage<VendorReturnRecord>> {
  const date = buildDayRange({ from, to });
  const filter = {
    organisationId,
    ...(vendorId === undefined ? {} : { vendorId: buildChoiceCondition(vendorId) }),
    ...(receiptId === undefined ? {} : { receiptId: buildChoiceCondition(receiptId) }),
    ...(date === null ? {} : { date }),
  };
  return readPage(VendorReturn, filter, query);
}
