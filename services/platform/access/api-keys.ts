import ipaddr from 'ipaddr.js';
import {
  AppError,
  conflictError,
  forbiddenError,
  invalidFieldError,
  notFoundError,
  unauthorizedError,
} from '../../../domain/errors';
import { constantTimeEqual, generateSecret, sha256Hex } from '../../../lib/crypto/secrets';
import { getAddressFamily } from '../../../lib/egress/address';
import { newId } from '../../../lib/ids';
import { summariseError } from '../../../lib/logger';
import { SharedReads } from '../../../lib/shared-reads';
import { ApiKey } from '../../../models/platform/access/api-key';
import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import { requireActiveCreator } from './key-creator';
import type { KeyParent } from './key-creator';
import { revokeCreatedKeys } from './key-revocation';
import { readCursorPage } from '../lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../lists/cursor-pages';
import type { Platform, Scope } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { runIdempotently } from '../transactions/idempotency';
import type { IdempotentUse } from '../transactions/idempotency';

export type KeyApi = ApiKeyRecord['api'];

/** An authenticated API key. */
export interface KeyCredential extends Scope {
  readonly id: string;
  readonly permissions: ReadonlySet<string>;
  readonly record: ApiKeyRecord;
}

export interface NewApiKey {
  name: string;
  permissions: string[];
  allowedIps?: string[];
  expiresAt?: Date | null;
}

/** Minimum interval between two writes of `lastUsedAt` of one key. */
const LAST_USED_UPDATE_INTERVAL_MS = 10_000;
/** Keys that are neither revoked nor expired, per organisation, API and mode. */
export const MAX_ACTIVE_KEYS = 200;
const API_KEY_PATTERN = /^(vk_live|vk_test|erp)_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{43})$/;

const getKeyPrefix = (api: KeyApi, mode: Scope['mode']): string => (api === 'business' ? 'erp' : `vk_${mode}`);

type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Bits of an IPv4-mapped IPv6 address (`::ffff:203.0.113.9`) before the IPv4 address. */
const MAPPED_BITS = 96;

/** Addresses of clients are compared as IPv4 where they are mapped, so that ranges have to be, too. */
const toPlainRange = ([address, bits]: AddressRange): AddressRange =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? [address.toIPv4Address(), bits - MAPPED_BITS]
    : [address, bits];

const parseCidr = (value: string): AddressRange | null => {
  try {
    if (value.includes('/')) return toPlainRange(ipaddr.parseCIDR(value));
    const address = ipaddr.parse(value);
    return toPlainRange([address, address.kind() === 'ipv4' ? 32 : 128]);
  } catch {
    return null;
  }
};

/**
 * Whether a range of a new key is complete. ipaddr.js also parses shortened and octal forms, which mean other addresses
 * than they seem to: `203.0.113/24` is 203.0.0.0/24, and `010.1.1.1` is 8.1.1.1.
 */
const isCompleteRange = (value: string): boolean =>
  parseCidr(value) !== null && getAddressFamily(value.replace(/\/.*$/, '')) !== 0;

/** Whether `address` lies in one of the CIDR ranges; an empty list allows any address. */
export function isAddressAllowed(address: string, allowedIps: readonly string[]): boolean {
  if (allowedIps.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const presented = ipaddr.process(address);
  return allowedIps.some((cidr) => {
    const range = parseCidr(cidr);
    return range !== null && range[0].kind() === presented.kind() && presented.match(range);
  });
}

/** @throws AppError 403 if the new key would have more permissions, addresses or lifetime than its creator */
function requireSubset(input: NewApiKey, parent: KeyParent): void {
  const extra = input.permissions.find((permission) => !parent.permissions.has(permission));
  if (extra !== undefined) throw forbiddenError(extra);
  const { allowedIps, expiresAt } = parent;
  if (allowedIps.length > 0) {
    const requestedIps = input.allowedIps ?? [];
    const isWithinParent = (cidr: string): boolean => {
      const range = parseCidr(cidr);
      return (
        range !== null &&
        allowedIps.some((parentCidr) => {
          const outer = parseCidr(parentCidr);
          return outer !== null && outer[0].kind() === range[0].kind() && outer[1] <= range[1] && range[0].match(outer);
        })
      );
    };
    if (requestedIps.length === 0 || !requestedIps.every(isWithinParent)) {
      throw new AppError('forbidden', 403, 'allowedIps: must lie within the addresses of the key that creates it.', {
        field: 'allowedIps',
      });
    }
  }
  if (expiresAt !== null && (input.expiresAt == null || input.expiresAt > expiresAt)) {
    throw new AppError('forbidden', 403, 'expiresAt: must not be later than that of the key that creates it.', {
      field: 'expiresAt',
    });
  }
}

function validateNewKey(platform: Platform, input: NewApiKey): void {
  const malformed = (input.allowedIps ?? []).findIndex((cidr) => !isCompleteRange(cidr));
  if (malformed >= 0)
    throw invalidFieldError(`allowedIps[${malformed}]`, 'accepts an IP address or a CIDR such as 203.0.113.0/24');
  if (input.expiresAt != null && input.expiresAt <= platform.clock.now())
    throw invalidFieldError('expiresAt', 'must lie in the future');
}

/** @throws AppError 409 `api_key_limit` */
async function requireKeyCapacity(unit: UnitOfWork, { organisationId, api, mode }: KeyParent): Promise<void> {
  const filter = {
    organisationId,
    api,
    mode,
    revokedAt: null,
    $or: [{ expiresAt: null }, { expiresAt: { $gt: unit.platform.clock.now() } }],
  };
  const active = await ApiKey.countDocuments(filter).session(unit.mongoSession);
  if (active >= MAX_ACTIVE_KEYS)
    throw conflictError(
      'api_key_limit',
      `An organisation has at most ${MAX_ACTIVE_KEYS} active keys; revoke unused ones.`,
    );
}

async function insertKey(
  unit: UnitOfWork,
  scope: Scope,
  api: KeyApi,
  input: NewApiKey,
  { actor, ancestors }: { actor: string; ancestors: readonly string[] },
) {
  const id = newId('key');
  const secret = generateSecret();
  const record: ApiKeyRecord = {
    _id: id,
    organisationId: scope.organisationId,
    api,
    mode: scope.mode,
    name: input.name,
    secretHash: sha256Hex(secret),
    permissions: [...new Set(input.permissions)],
    allowedIps: input.allowedIps ?? [],
    expiresAt: input.expiresAt ?? null,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: unit.platform.clock.now(),
    createdBy: actor,
    ancestors: [...ancestors],
    createdKeys: 0,
  };
  await ApiKey.create([record], { session: unit.mongoSession });
  await unit.audit(scope, {
    actor,
    action: 'api_key.created',
    subject: id,
    fields: ['name', 'permissions', 'allowedIps', 'expiresAt'],
  });
  return { record, secret: `${getKeyPrefix(api, scope.mode)}_${id.slice('key_'.length)}_${secret}` };
}

/** Creates a key for the operator of the installation (CLI, first start). Only this call returns the secret. */
export async function issueApiKey(
  platform: Platform,
  scope: Scope,
  api: KeyApi,
  input: NewApiKey,
): Promise<{ record: ApiKeyRecord; secret: string }> {
  validateNewKey(platform, input);
  return runTransaction(platform, (unit) => insertKey(unit, scope, api, input, { actor: 'system', ancestors: [] }));
}

/**
 * Creates a key for another key or a signed-in user: with the same organisation and mode, and at most its permissions,
 * addresses and lifetime. It ends with its creator. Only the first call returns the secret; an idempotent repeat returns
 * null.
 * @throws AppError 400, 403, 409 `api_key_limit`
 */
export async function createApiKey(
  platform: Platform,
  parent: KeyParent,
  input: NewApiKey,
  use: IdempotentUse | undefined,
): Promise<{ record: ApiKeyRecord; secret: string | null }> {
  return runIdempotently<{ record: ApiKeyRecord; secret: string | null }>(
    platform,
    use,
    async (claim) => {
      validateNewKey(platform, input);
      requireSubset(input, parent);
      return runTransaction(platform, async (unit) => {
        await requireActiveCreator(unit, parent, input.permissions);
        await requireKeyCapacity(unit, parent);
        const { id: actor, ancestors } = parent;
        const created = await insertKey(unit, parent, parent.api, input, { actor, ancestors });
        await claim(unit, created.record._id, 201);
        return created;
      });
    },
    async (recordId) => ({ record: await getApiKey(parent, parent.api, recordId), secret: null }),
  );
}

/** @throws AppError 404, also for the id of another organisation, mode or API */
export async function getApiKey(scope: Scope, api: KeyApi, id: string): Promise<ApiKeyRecord> {
  const record = await ApiKey.findOne({
    _id: id,
    organisationId: scope.organisationId,
    mode: scope.mode,
    api,
  }).lean<ApiKeyRecord>();
  if (record === null) throw notFoundError('API key');
  return record;
}

/** API keys, newest first. */
export const listApiKeys = (
  { organisationId, mode }: Scope,
  api: KeyApi,
  page: CursorPageRequest,
): Promise<CursorPage<ApiKeyRecord>> => readCursorPage(ApiKey, { organisationId, mode, api }, page);

/**
 * Revokes a key and the keys that were created with it. It takes effect immediately on every replica, since keys are read from MongoDB on every request. Revoking
 * twice changes nothing.
 */
export async function revokeApiKey(
  platform: Platform,
  scope: Scope,
  api: KeyApi,
  id: string,
  actor: string,
): Promise<ApiKeyRecord> {
  const existing = await getApiKey(scope, api, id);
  if (existing.revokedAt != null) return existing;
  await runTransaction(platform, async (unit) => {
    const changed = await ApiKey.updateOne(
      { _id: id, organisationId: scope.organisationId, mode: scope.mode, api, revokedAt: null },
      { $set: { revokedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    );
    if (changed.modifiedCount === 0) return;
    await unit.audit(scope, { actor, action: 'api_key.revoked', subject: id });
    await revokeCreatedKeys(unit, { organisationId: scope.organisationId, creatorId: id, actor }, platform.clock.now());
  });
  return getApiKey(scope, api, id);
}

/** The status of a key at a time; a revoked key that has expired is `revoked`. */
export const getApiKeyStatus = (record: ApiKeyRecord, now: Date): 'active' | 'revoked' | 'expired' => {
  if (record.revokedAt != null) return 'revoked';
  return record.expiresAt != null && record.expiresAt <= now ? 'expired' : 'active';
};

class ApiKeyReads extends SharedReads<ApiKeyRecord | null> {
  constructor() {
    super(async (id) => ApiKey.findById(id).lean<ApiKeyRecord>());
  }
}

/**
 * Authenticates a request by API key. Every rejection has the same message, so that it reveals nothing about other keys.
 * @throws AppError 401 for a key that is unknown, of another API, revoked, expired or used from a disallowed address
 */
export async function authenticateApiKey(
  platform: Platform,
  api: KeyApi,
  presented: string,
  address: string,
): Promise<KeyCredential> {
  const rejection = unauthorizedError(
    'The API key is not valid here: unknown, revoked, expired, or not allowed from this address.',
  );
  const parts = API_KEY_PATTERN.exec(presented);
  if (parts === null) throw rejection;
  const [, prefix, ulid, secret] = parts;
  const record = await platform.singletons.get(ApiKeyReads).read(`key_${ulid ?? ''}`);
  const secretMatches = constantTimeEqual(sha256Hex(secret ?? ''), record?.secretHash ?? '');
  if (record === null || !secretMatches || record.api !== api || prefix !== getKeyPrefix(record.api, record.mode))
    throw rejection;
  const now = platform.clock.now();
  if (getApiKeyStatus(record, now) !== 'active' || !isAddressAllowed(address, record.allowedIps)) throw rejection;
  recordLastUse(platform, record, now);
  return {
    id: record._id,
    organisationId: record.organisationId,
    mode: record.mode,
    permissions: new Set(record.permissions),
    record,
  };
}

/** Updates `lastUsedAt` in the background; a lost update is harmless. */
function recordLastUse(platform: Platform, record: ApiKeyRecord, now: Date): void {
  if (record.lastUsedAt != null && now.getTime() - record.lastUsedAt.getTime() < LAST_USED_UPDATE_INTERVAL_MS) return;
  ApiKey.updateOne({ _id: record._id }, { $max: { lastUsedAt: now } }).catch((error: unknown) => {
    platform.logger.warn(
      { reason: summariseError(error), keyId: record._id },
      'Updating lastUsedAt of an API key failed',
    );
  });
}
