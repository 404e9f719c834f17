import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { conflictError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { postIdempotently } from '../documents/idempotent-postings';
import { requireOpenPeriod } from '../documents/posting-period';
import { buildDayRange, buildOccurrenceSearch, readPage } from '../records/lists';
import type { DayFilter, ListPage, ListQuery } from '../records/lists';
import { getCompanyToday, resolvePostingDate } from '../settings/company';
import { buildItemConditions } from './accounts';
import type { ItemFilter } from './accounts';
import { listActiveDeductions, postDeduction, reverseDeduction, sumBase } from './deductions';
import { readItemTaxes } from './document-taxes';
import { findOpenItem } from './open-items';
import { buildCounterName } from './payments';

/** What is written off: the open amount of a document, or the unused credit of a payment or credit note. */
export interface WriteOffInput {
  documentId?: number | undefined;
  paymentId?: number | undefined;
  creditNoteId?: number | undefined;
  /** Amount in the currency of the item. @default all that is open */
  amount?: Decimal | undefined;
  /** `YYYY-MM-DD`. @default today */
  date?: string | undefined;
  reason: string;
}

const DOCUMENT_KINDS = { receivable: 'invoice', payable: 'bill' } as const;

/** @throws AppError 400 if the company has no such document or credit */
async function getItem(
  unit: UnitOfWork,
  { organisationId }: BusinessCaller,
  side: LedgerSide,
  { documentId, paymentId, creditNoteId }: WriteOffInput,
): Promise<OpenItemRecord> {
  const [field, kind, id] =
    documentId !== undefined
      ? (['documentId', DOCUMENT_KINDS[side], documentId] as const)
      : paymentId !== undefined
        ? (['paymentId', 'payment', paymentId] as const)
        : (['creditNoteId', 'credit_note', creditNoteId ?? 0] as const);
  const item = await findOpenItem(unit, { organisationId, side, kind, id });
  if (item === null || item.state === 'void')
    throw invalidFieldError(
      field,
      field === 'documentId'
        ? `is not ${side === 'receivable' ? 'an invoice' : 'a bill'} of the company`
        : 'is not a credit of the company',
    );
  return item;
}

/**
 * The amount to write off, at most what is open and, with earlier write-offs of the item, the limit of the company.
 * @throws AppError 400; 409 `allocation_exceeds_open`, `write_off_exceeds_limit`
 */
async function resolveAmount(
  unit: UnitOfWork,
  { company }: BusinessCaller,
  item: OpenItemRecord,
  sent: Decimal | undefined,
): Promise<Decimal> {
  const { currencyCode, organisationId } = item;
  const open = fromDecimal128(item.open);
  const amount = sent ?? open;
  const decimals = getCurrencyDecimals(currencyCode);
  if (sent !== undefined && (sent.decimalPlaces() > decimals || !sent.gt(0)))
    throw invalidFieldError('amount', `must be greater than 0, with at most ${decimals} decimals in ${currencyCode}`);
  if (amount.gt(open) || open.isZero())
    throw conflictError(
      'allocation_exceeds_open',
      `amount: ${item.number} has ${open.toFixed()} ${currencyCode} open.`,
      {
        fields: [{ field: 'amount', problem: `must be at most ${open.toFixed()} ${currencyCode}` }],
        open: open.toNumber(),
      },
    );
  const limit = company.writeOffLimit === undefined ? ZERO : fromDecimal128(company.writeOffLimit);
  const base = round(amount.times(fromDecimal128(item.exchangeRate)), getCurrencyDecimals(company.baseCurrencyCode));
  const earlier = await listActiveDeductions(unit, { organisationId, itemId: item._id, kind: 'write_off' });
  const total = sumBase(earlier).plus(base);
  if (total.gt(limit))
    throw conflictError(
      'write_off_exceeds_limit',
      `amount: ${total.toFixed()} ${company.baseCurrencyCode} would be written off of ${item.number}; the limit of the company is ${limit.toFixed()}.`,
      {
        fields: [{ field: 'amount', problem: `must be at most ${limit.toFixed()} ${company.baseCurrencyCode}` }],
        limit: limit.toNumber(),
        route: 'PUT /api/config/company (writeOffLimit)',
      },
    );
  return amount;
}

const readWriteOff = (caller: BusinessCaller, side: LedgerSide, id: number): Promise<DeductionRecord | null> =>
  Deduction.findOne({ organisationId: caller.organisationId, side, kind: 'write_off', id })
    .lean<DeductionRecord>()
    .exec();

/** @throws AppError 404, also for another organisation's id */
export async function getWriteOff(caller: BusinessCaller, side: LedgerSide, id: number): Promise<DeductionRecord> {
  const record = await readWriteOff(caller, side, id);
  if (record === null) throw notFoundError('write_off');
  return record;
}

/**
 * Writes off a small difference: what is left open of a document, or of a credit. The net amount and tax of a document
 * are reduced in the proportion of its rates.
 * @throws AppError 400; 409 `allocation_exceeds_open`, `write_off_exceeds_limit`, `period_locked`
 */
export async function writeOff(
  request: BusinessRequest,
  side: LedgerSide,
  input: WriteOffInput,
): Promise<DeductionRecord> {
  const { platform, caller } = request;
  const { organisationId } = caller;
  return postIdempotently(
    request,
    (post) =>
      post(async (unit) => {
        const date = resolvePostingDate(platform, caller, input.date);
        await requireOpenPeriod(unit, caller, date, 'date');
        const item = await getItem(unit, caller, side, input);
        if (date < item.date)
          throw invalidFieldError('date', `must not be before ${item.date}, the day of ${item.number}`);
        const amount = await resolveAmount(unit, caller, item, input.amount);
        const counter = buildCounterName(side, 'write-offs');
        const id = await reserveNumberInTransaction(unit.mongoSession, organisationId, counter);
        const charged = await readItemTaxes(unit, item);
        const { reason } = input;
        const fields = { kind: 'write_off', id, amount, date, reason, ...charged } as const;
        const { deduction } = await postDeduction(unit, caller, item, fields);
        const subject = `${side}-write-off:${id}`;
        await unit.audit(caller, { actor: caller.id, action: 'write_off.posted', subject, reason });
        return { id, status: 201, result: deduction };
      }),
    (id) => getWriteOff(caller, side, id),
  );
}

/**
 * Voids a write-off by a counter-entry dated today: the amount is open again, the record is kept.
 * @throws AppError 404; 409 `already_void`, `period_locked`
 */
export async function voidWriteOff(
  request: BusinessRequest,
  side: LedgerSide,
  id: number,
  reason: string,
): Promise<DeductionRecord> {
  const { platform, caller } = request;
  const { organisationId } = caller;
  const read = () => getWriteOff(caller, side, id);
  return postIdempotently(
    request,
    async (post) => {
      await post(async (unit) => {
        const date = getCompanyToday(platform, caller);
        await requireOpenPeriod(unit, caller, date, 'date');
        const record = await read();
        const [active] = await listActiveDeductions(unit, { organisationId, side, kind: 'write_off', id });
        if (active === undefined)
          throw conflictError('already_void', `The write-off was voided on ${record.reversedOn ?? ''}.`);
        await reverseDeduction(unit, active, date, reason);
        const subject = `${side}-write-off:${id}`;
        await unit.audit(caller, { actor: caller.id, action: 'write_off.voided', subject, reason });
        return { id, status: 200, result: undefined };
      });
      return read();
    },
    read,
  );
}

export const WRITE_OFF_SORT_FIELDS = ['id', 'date'] as const;

/**
 * Returns one page of write-offs, also void ones. Every word of `search` must occur in the number of the document, the
 * name of the party or the reason.
 */
export async function listWriteOffs(
  caller: BusinessCaller,
  side: LedgerSide,
  { documentId, paymentId, creditNoteId, ...days }: DayFilter & ItemFilter,
  { search, ...query }: ListQuery,
): Promise<ListPage<DeductionRecord>> {
  const { organisationId } = caller;
  const date = buildDayRange(days);
  const ids = { documentId, paymentId, creditNoteId };
  const conditions = [
    ...(await buildItemConditions(caller, side, ids, { debit: 'itemId', credit: 'itemId' })),
    ...(buildOccurrenceSearch(search, ['documentNumber', 'partyName', 'reason']).$and ?? []),
  ];
  const base = { organisationId, side, kind: 'write_off' as const, ...(date === null ? {} : { date }) };
  return readPage(Deduction, conditions.length === 0 ? base : { ...base, $and: conditions }, query);
}
