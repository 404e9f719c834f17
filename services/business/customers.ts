import { Types } from 'mongoose';
import type { Decimal } from '../../domain/business/decimal';
import type { DocumentLanguage, PostalAddress } from '../../domain/business/invoice';
import type { PaymentTermsCode } from '../../domain/business/payment-terms';
import { searchTokens } from '../../domain/business/search-tokens';
import { conflict, notFound } from '../../domain/errors';
import { isDuplicateKey } from '../../lib/mongo';
import { NO_ADDRESS } from '../../models/business/address';
import { Customer } from '../../models/business/customer';
import type { CustomerRecord } from '../../models/business/customer';
import { toStored } from '../../models/business/decimal128';
import { nextNumber } from '../platform/counters';
import { idempotently } from '../platform/idempotency';
import type { IdempotentUse } from '../platform/idempotency';
import type { Platform } from '../platform/platform';
import { transact } from '../platform/unit-of-work';
import type { BusinessCaller } from './caller';
import { activeFilter, createdBetween, readPage } from './lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from './lists';
import { requireVersion } from './versions';

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

const tokensOf = (record: Pick<CustomerRecord, 'code' | 'name' | 'taxId'>): string[] =>
  searchTokens([record.code, record.name, record.taxId]);

const codeTaken = () =>
  conflict('code_taken', 'code: another customer has it already.', {
    fields: [{ field: 'code', problem: 'another customer has it already' }],
  });

/** The fields that were sent. */
const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The record with the sent fields put in place. */
function apply(record: CustomerRecord, input: CustomerInput, now: Date): CustomerRecord {
  const { address, creditLimit, ...fields } = input;
  const sent = present(fields);
  const changed: CustomerRecord = {
    ...record,
    ...sent,
    address: { ...record.address, ...present(address ?? {}) },
    ...(creditLimit === undefined ? {} : { creditLimit: creditLimit === null ? null : toStored(creditLimit) }),
    updatedAt: now,
  };
  return { ...changed, tokens: tokensOf(changed) };
}

const draft = (caller: BusinessCaller, id: number, input: CustomerInput & { name: string }, now: Date) => {
  const blank: CustomerRecord = {
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    id,
    code: `C${id}`,
    name: input.name,
    taxId: null,
    email: null,
    phone: null,
    address: NO_ADDRESS,
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
};

/** What `createCustomer` would make, with the same refusals; writes nothing. */
export async function trialCustomer(
  platform: Platform,
  caller: BusinessCaller,
  input: CustomerInput & { name: string },
): Promise<CustomerRecord> {
  const { organisationId } = caller;
  if (input.code !== undefined && (await Customer.exists({ organisationId, code: input.code }))) throw codeTaken();
  return draft(caller, 0, input, platform.clock.now());
}

/**
 * Creates a customer; only the name is needed, the code defaults to `C` and the id.
 * @throws AppError 409 `code_taken`.
 */
export async function createCustomer(
  platform: Platform,
  caller: BusinessCaller,
  input: CustomerInput & { name: string },
  use: IdempotentUse | undefined,
): Promise<CustomerRecord> {
  return idempotently(
    platform,
    use,
    async (claim) => {
      const id = await nextNumber(caller.organisationId, 'customers');
      const record = draft(caller, id, input, platform.clock.now());
      try {
        await transact(platform, async (unit) => {
          await Customer.create([record], { session: unit.session });
          await unit.audit(caller, { actor: caller.id, action: 'customer.created', subject: `customer:${id}` });
          await claim(unit, String(id), 201);
        });
      } catch (error) {
        if (isDuplicateKey(error)) throw codeTaken();
        throw error;
      }
      return record;
    },
    (recordId) => getCustomer(caller, Number(recordId)),
  );
}

/** @throws AppError 404, also for another organisation's id. */
export async function getCustomer(caller: BusinessCaller, id: number): Promise<CustomerRecord> {
  const record = await Customer.findOne({ organisationId: caller.organisationId, id }).lean<CustomerRecord>();
  if (record === null) throw notFound('customer');
  return record;
}

/**
 * Changes the fields that are sent. Documents issued before keep what they say.
 * @param ifMatch version the client has seen; undefined: any.
 * @throws AppError 404, 409 `code_taken`, 412 when the record has changed since.
 */
export async function updateCustomer(
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  input: CustomerInput,
  ifMatch: number | undefined,
): Promise<CustomerRecord> {
  const { organisationId } = caller;
  try {
    return await transact(platform, async (unit) => {
      const current = await Customer.findOne({ organisationId, id }).session(unit.session).lean<CustomerRecord>();
      if (current === null) throw notFound('customer');
      requireVersion(current.version, ifMatch);
      const { _id, version, ...changed } = apply(current, input, platform.clock.now());
      await Customer.updateOne(
        { _id, version },
        { $set: { ...changed, version: version + 1 } },
        { session: unit.session },
      );
      const fields = Object.keys(input);
      await unit.audit(caller, { actor: caller.id, action: 'customer.updated', subject: `customer:${id}`, fields });
      return { ...changed, _id, version: version + 1 };
    });
  } catch (error) {
    if (isDuplicateKey(error)) throw codeTaken();
    throw error;
  }
}

export const CUSTOMER_SORT_FIELDS = ['id', 'code', 'name', 'createdAt'] as const;

export const listCustomers = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<CustomerRecord>> =>
  readPage(
    Customer,
    { organisationId: caller.organisationId, ...activeFilter(filter), ...createdBetween(filter) },
    query,
  );
