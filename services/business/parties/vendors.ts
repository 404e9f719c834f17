import { Types } from 'mongoose';
import { readBankDetails } from '../../../domain/business/payments/bank-details';
import type { PostalAddress } from '../../../domain/business/invoices/invoice';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { invalidRequestError } from '../../../domain/errors';
import { EMPTY_ADDRESS } from '../../../models/business/parties/address';
import { Vendor } from '../../../models/business/parties/vendor';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { buildActiveRecordFilter, buildCreatedFilter, readPage } from '../records/lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, omitUndefined, duplicateError, updateRecord } from '../records/records';
import type { RecordKind } from '../records/records';

const KIND: RecordKind<VendorRecord> = {
  model: Vendor,
  name: 'vendor',
  counter: 'vendors',
  unique: 'code',
  where: (key) => key,
};

export const VENDOR_SORT_FIELDS = ['id', 'code', 'name', 'createdAt'] as const;

/** What a client sets of a vendor; undefined leaves a field as it is (or at its default). */
export interface VendorInput {
  code?: string | undefined;
  name?: string | undefined;
  taxId?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  address?: { [K in keyof PostalAddress]?: PostalAddress[K] | undefined } | undefined;
  currencyCode?: string | null | undefined;
  paymentTerms?: PaymentTermsCode | null | undefined;
  bankName?: string | null | undefined;
  iban?: string | null | undefined;
  bic?: string | null | undefined;
  notes?: string | null | undefined;
  active?: boolean | undefined;
}

/** The input with its bank details in the form they are stored. @throws AppError 400 */
function normaliseInput<T extends VendorInput>(input: T): T {
  const { iban, bic, problems } = readBankDetails(input);
  if (problems.length > 0) throw invalidRequestError(problems);
  return { ...input, iban, bic };
}

function apply(record: VendorRecord, input: VendorInput, now: Date): VendorRecord {
  const { address, ...fields } = input;
  const changed: VendorRecord = {
    ...record,
    ...omitUndefined(fields),
    address: { ...record.address, ...omitUndefined(address ?? {}) },
    updatedAt: now,
  };
  return { ...changed, tokens: buildSearchTokens([changed.code, changed.name, changed.taxId]) };
}

function buildVendor(
  caller: BusinessCaller,
  id: number,
  input: VendorInput & { name: string },
  now: Date,
): VendorRecord {
  const blank: VendorRecord = {
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    id,
    code: `V${id}`,
    name: input.name,
    taxId: null,
    email: null,
    phone: null,
    address: EMPTY_ADDRESS,
    currencyCode: null,
    paymentTerms: null,
    bankName: null,
    iban: null,
    bic: null,
    notes: null,
    active: true,
    tokens: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return apply(blank, input, now);
}

/** What `createVendor` would make, with the same refusals; writes nothing. */
export async function dryRunVendor(
  platform: Platform,
  caller: BusinessCaller,
  input: VendorInput & { name: string },
): Promise<VendorRecord> {
  const validInput = normaliseInput(input);
  const { organisationId } = caller;
  if (validInput.code !== undefined && (await Vendor.exists({ organisationId, code: validInput.code })) !== null)
    throw duplicateError(KIND);
  return buildVendor(caller, 0, validInput, platform.clock.now());
}

/**
 * Creates a vendor; only the name is needed, the code defaults to `V` and the id.
 * @throws AppError 400, 409 `code_taken`
 */
export async function createVendor(
  platform: Platform,
  caller: BusinessCaller,
  input: VendorInput & { name: string },
  use: IdempotentUse | undefined,
): Promise<VendorRecord> {
  const validInput = normaliseInput(input);
  return createRecord(platform, caller, KIND, use, (id, now) => buildVendor(caller, id, validInput, now));
}

/** @throws AppError 404, also for another organisation's number. */
export const getVendor = (caller: BusinessCaller, id: number): Promise<VendorRecord> => getRecord(caller, KIND, id);

/**
 * Changes the fields that are sent. Documents made before keep what they say.
 * @throws AppError 400, 404, 409 `code_taken`, 412
 */
export async function updateVendor(
  platform: Platform,
  caller: BusinessCaller,
  at: { id: number; ifMatch: number | undefined },
  input: VendorInput,
): Promise<VendorRecord> {
  const validInput = normaliseInput(input);
  const entry = { fields: Object.keys(omitUndefined(validInput)) };
  return updateRecord(platform, caller, KIND, at, entry, (current, now) => apply(current, validInput, now));
}

export const listVendors = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<VendorRecord>> =>
  readPage(
    Vendor,
    { organisationId: caller.organisationId, ...buildActiveRecordFilter(filter), ...buildCreatedFilter(filter) },
    query,
  );
