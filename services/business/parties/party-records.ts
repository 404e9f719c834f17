import { Types } from 'mongoose';
import { parseVatIdentifier } from '../../../domain/business/documents/einvoice/identifiers';
import { isUnionMember } from '../../../domain/business/settings/countries';
import { isUnionVatIdentifier } from '../../../domain/business/settings/tax-profiles';
import { invalidFieldError } from '../../../domain/errors';
import { EMPTY_ADDRESS } from '../../../models/business/parties/address';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import type { PartyRecord } from '../../../models/business/parties/party';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import type { TaxIdVerification } from '../../../models/business/parties/tax-id-verification';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { planTaxIdVerification, requestTaxIdVerification } from './tax-id-verifications';
import type { VerificationSettings } from './tax-id-verifications';
import { createRecord, dryRunUpdate, duplicateError, omitUndefined, updateRecord } from '../records/records';
import type { RecordChange, RecordReference } from '../records/records';
import type { PartyInput, PartyKind } from './party-kinds';

type StoredInput = ReturnType<PartyKind<PartyRecord, unknown>['normalizeInput']>;

/**
 * The day on which the VAT identifier was verified: a change of the identifier ends the verification.
 * @throws AppError 400 if there is no identifier, or its check digits are wrong
 */
function resolveVerification(
  record: Pick<PartyRecord, 'taxId' | 'taxIdVerifiedOn'>,
  input: StoredInput,
): { taxIdVerifiedOn: string | null } {
  const taxId = input.taxId === undefined ? record.taxId : input.taxId;
  const { taxIdVerifiedOn } = input;
  if (taxIdVerifiedOn == null) {
    const isKept = taxIdVerifiedOn === undefined && taxId === record.taxId;
    return { taxIdVerifiedOn: isKept ? (record.taxIdVerifiedOn ?? null) : null };
  }
  if (taxId === null) throw invalidFieldError('taxIdVerifiedOn', 'needs a taxId');
  const isUnion = isUnionMember(parseVatIdentifier(taxId, EMPTY_ADDRESS)?.slice(0, 2).replace('EL', 'GR') ?? '');
  if (isUnion && !isUnionVatIdentifier(taxId))
    throw invalidFieldError('taxIdVerifiedOn', 'needs a taxId with the structure and check digits of a VAT identifier');
  return { taxIdVerifiedOn };
}

/** A party with its changed tax number begins a verification, unless the company confirms the number itself. */
function resolveTaxIdVerification(
  platform: VerificationSettings,
  caller: BusinessCaller,
  holder: 'customer' | 'vendor',
  record: PartyRecord,
  input: StoredInput,
): TaxIdVerification | null {
  if (input.taxId === undefined || input.taxId === record.taxId) return record.taxIdVerification ?? null;
  return input.taxIdVerifiedOn == null ? planTaxIdVerification(platform, caller, holder, input.taxId) : null;
}

/** A phone number is found as it was written, and by its digits without spaces. */
const buildPartyTokens = ({ code, name, taxId, email, phone }: PartyRecord): string[] =>
  buildSearchTokens([code, name, taxId, email, phone, phone?.replace(/\D+/g, '')]);

function applyInput<R extends PartyRecord>(
  record: R,
  input: StoredInput,
  taxIdVerification: TaxIdVerification | null,
  now: Date,
): R {
  const { address, ...fields } = input;
  const changed = {
    ...record,
    ...omitUndefined(fields),
    ...resolveVerification(record, input),
    taxIdVerification,
    address: { ...record.address, ...omitUndefined(address ?? {}) },
    updatedAt: now,
  };
  return { ...changed, tokens: buildPartyTokens(changed) };
}

/**
 * Checks the input of a new party.
 * @returns the function that builds its record once the id is known.
 * @throws AppError 400
 */
export function prepareParty<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: VerificationSettings,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  input: I & { name: string },
): (id: number, now: Date) => R {
  const stored = kind.normalizeInput(input);
  return (id, now) => {
    const blank = kind.createRecord({
      _id: new Types.ObjectId(),
      organisationId: caller.organisationId,
      id,
      code: `${kind.codePrefix}${id}`,
      name: input.name,
      tokens: [],
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    return applyInput(blank, stored, resolveTaxIdVerification(platform, caller, kind.holder, blank, stored), now);
  };
}

/** The record that `createParty` would write, with the same errors; writes nothing. */
export async function dryRunParty<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: Platform,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  input: I & { name: string },
): Promise<R> {
  const build = prepareParty(platform, caller, kind, input);
  const { organisationId } = caller;
  if (input.code !== undefined && (await kind.model.exists(kind.where({ organisationId, code: input.code }))) !== null)
    throw duplicateError(kind);
  return build(0, platform.clock.now());
}

/** Has the VAT identifier of a party with a new verification verified, in the transaction that writes the party. */
export async function beginTaxIdVerification<R extends PartyRecord>(
  unit: UnitOfWork,
  caller: BusinessCaller,
  { holder }: { holder: 'customer' | 'vendor' },
  { id: holderId, taxIdVerification }: R,
): Promise<void> {
  if (taxIdVerification != null) await requestTaxIdVerification(unit, caller, { holder, holderId }, taxIdVerification);
}

/**
 * Creates a customer or vendor. Only the name is required; the code defaults to the letter of the kind and the id.
 * @throws AppError 400, 409 `code_taken`
 */
export async function createParty<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: Platform,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  input: I & { name: string },
  use: IdempotentUse | undefined,
): Promise<R> {
  const build = prepareParty(platform, caller, kind, input);
  return createRecord(platform, caller, kind, use, build, (unit, party) =>
    beginTaxIdVerification(unit, caller, kind, party),
  );
}

function buildChange<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: Platform,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  input: I,
): RecordChange<R> {
  const stored = kind.normalizeInput(input);
  return async (current, now, unit) => {
    const verification = resolveTaxIdVerification(platform, caller, kind.holder, current, stored);
    const changed = applyInput(current, stored, verification, now);
    if (verification?.id !== current.taxIdVerification?.id) await beginTaxIdVerification(unit, caller, kind, changed);
    return changed;
  };
}

/**
 * Changes the fields that are sent. Documents issued before keep their contents.
 * @throws AppError 400, 404, 409 `code_taken`, 412 if the record has changed since
 */
export async function updateParty<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: Platform,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  at: RecordReference,
  input: I,
  use?: IdempotentUse,
): Promise<R> {
  const entry = { fields: Object.keys(omitUndefined(input)) };
  return updateRecord(platform, caller, kind, at, entry, buildChange(platform, caller, kind, input), use);
}

/** The record as `updateParty` would change it, with the same errors; writes nothing. */
export const dryRunPartyUpdate = async <R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: Platform,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  id: number,
  input: I,
): Promise<R> => dryRunUpdate(platform, caller, kind, id, buildChange(platform, caller, kind, input));

export const PARTY_SORT_FIELDS = ['id', 'code', 'name', 'createdAt'] as const;
