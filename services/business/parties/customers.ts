import { Types } from 'mongoose';
import type { Decimal } from '../../../domain/business/decimal';
import type { DocumentLanguage, PostalAddress } from '../../../domain/business/invoices/invoice';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { EMPTY_ADDRESS } from '../../../models/business/parties/address';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { toDecimal128 } from '../../../models/business/decimal128';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { buildActiveRecordFilter, buildCreatedFilter, readPage } from '../records/lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, omitUndefined, duplicateError, updateRecord } from '../records/records';
import type { RecordKind } from '../records/records';

/** What a client sets of a customer; undefined leaves a field as it is (or at its default). */
export interface CustomerInput {
  code?: string | undefined;
  name?: string | undefined;
  taxId?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  address?: { [K in keyof PostalAddress]?: PostalAddress[K] | undefined } | undefined;
  currencyCode?: string | null | undefined;
  paymentTerms?: PaymentTermsCode | null | undefined;
  language?: DocumentLanguage | null | undefined;
  creditLimit?: Decimal | null | undefined;
  notes?: string | null | undefined;
  active?: boolean | undefined;
}

const buildCustomerTokens = (record: Pick<CustomerRecord, 'code' | 'name' | 'taxId'>): string[] =>
  buildSearchTokens([record.code, record.name, record.taxId]);

/** How customers are found, numbered and named. */
export const CUSTOMER_KIND: RecordKind<CustomerRecord> = {
  model: Customer,
  name: 'customer',
  counter: 'customers',
  unique: 'code',
  where: (key) => key,
};

/** The record with the sent fields put in place. */
function apply(record: CustomerRecord, input: CustomerInput, now: Date): CustomerRecord {
  const { address, creditLimit, ...fields } = input;
  const changed: CustomerRecord = {
    ...record,
    ...omitUndefined(fields),
    address: { ...record.address, ...omitUndefined(address ?? {}) },
    ...(creditLimit === undefined ? {} : { creditLimit: creditLimit === null ? null : toDecimal128(creditLimit) }),
    updatedAt: now,
  };
  return { ...changed, tokens: buildCustomerTokens(changed) };
}

/** A new customer; the code defaults to `C` and the number. */
export function buildCustomer(
  caller: BusinessCaller,
  id: number,
  input: CustomerInput & { name: string },
  now: Date,
): CustomerRecord {
  const blank: CustomerRecord = {
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    id,
    code: `C${id}`,
    name: input.name,
    taxId: null,
    email: null,
    phone: null,
    address: EMPTY_ADDRESS,
    currencyCode: null,
    paymentTerms: null,
    language: null,
    creditLimit: null,
    notes: null,
    active: true,
    tokens: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return apply(blank, input, now);
}

/** What `createCustomer` would make, with the same refusals; writes nothing. */
export async function dryRunCustomer(
  platform: Platform,
  caller: BusinessCaller,
  input: CustomerInput & { name: string },
): Promise<CustomerRecord> {
  const { organisationId } = caller;
  if (input.code !== undefined && (await Customer.exists({ organisationId, code: input.code })))
    throw duplicateError(CUSTOMER_KIND);
  return buildCustomer(caller, 0, input, platform.clock.now());
}

/**
 * Creates a customer; only the name is needed, the code defaults to `C` and the id.
 * @throws AppError 409 `code_taken`.
 */
export const createCustomer = (
  platform: Platform,
  caller: BusinessCaller,
  input: CustomerInput & { name: string },
  use: IdempotentUse | undefined,
): Promise<CustomerRecord> =>
  createRecord(platform, caller, CUSTOMER_KIND, use, (id, now) => buildCustomer(caller, id, input, now));

/** @throws AppError 404, also for another organisation's id. */
export const getCustomer = (caller: BusinessCaller, id: number): Promise<CustomerRecord> =>
  getRecord(caller, CUSTOMER_KIND, id);

/**
 * Changes the fields that are sent. Documents issued before keep what they say.
 * @throws AppError 404, 409 `code_taken`, 412 when the record has changed since.
 */
export const updateCustomer = (
  platform: Platform,
  caller: BusinessCaller,
  at: { id: number; ifMatch: number | undefined },
  input: CustomerInput,
): Promise<CustomerRecord> =>
  updateRecord(platform, caller, CUSTOMER_KIND, at, { fields: Object.keys(input) }, (current, now) =>
    apply(current, input, now),
  );

export const CUSTOMER_SORT_FIELDS = ['id', 'code', 'name', 'createdAt'] as const;

export const listCustomers = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<CustomerRecord>> =>
  readPage(
    Customer,
    { organisationId: caller.organisationId, ...buildActiveRecordFilter(filter), ...buildCreatedFilter(filter) },
    query,
  );
