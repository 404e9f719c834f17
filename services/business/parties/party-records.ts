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
import { createRecord, duplicateError, omitUndefined, updateRecord } from '../records/records';
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

function applyInput<R extends PartyRecord>(record: R, input: StoredInput, now: Date): R {
  const { address, ...fields } = input;
  const changed = {
    ...record,
    ...omitUndefined(fields),
    ...resolveVerification(record, input),
    address: { ...record.address, ...omitUndefined(address ?? {}) },
    updatedAt: now,
  };
  return { ...changed, tokens: buildSearchTokens([changed.code, changed.name, changed.taxId]) };
}

/**
 * Checks the input of a new party.
 * @returns the function that builds its record once the id is known.
 * @throws AppError 400
 */
export function prepareParty<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
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
    return applyInput(blank, stored, now);
  };
}

/** The record that `createParty` would write, with the same errors; writes nothing. */
export async function dryRunParty<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: Platform,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  input: I & { name: string },
): Promise<R> {
  const build = prepareParty(caller, kind, input);
  const { organisationId } = caller;
  if (input.code !== undefined && (await kind.model.exists(kind.where({ organisationId, code: input.code }))) !== null)
    throw duplicateError(kind);
  return build(0, platform.clock.now());
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
  return createRecord(platform, caller, kind, use, prepareParty(caller, kind, input));
}

/**
 * Changes the fields that are sent. Documents issued before keep their contents.
 * @throws AppError 400, 404, 409 `code_taken`, 412 if the record has changed since
 */
export async function updateParty<R extends PartyRecord, I extends PartyInput<PartyRecord>>(
  platform: Platform,
  caller: BusinessCaller,
  kind: PartyKind<R, I>,
  at: { id: number; ifMatch: number | undefined },
  input: I,
  use?: IdempotentUse,
): Promise<R> {
  const stored = kind.normalizeInput(input);
  const entry = { fields: Object.keys(omitUndefined(input)) };
  return updateRecord(platform, caller, kind, at, entry, (current, now) => applyInput(current, stored, now), use);
}

export const PARTY_SORT_FIELDS = ['id', 'code', 'name', 'createdAt'] as const;
