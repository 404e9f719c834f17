import type { QueryFilter } from 'mongoose';
import { matchesQuery, parseQueryWords } from '../../../domain/business/search-tokens';
import { conflictError, notFoundError } from '../../../domain/errors';
import { requireJwtSecret } from '../../../lib/config';
import { hashPassword } from '../../../lib/crypto/passwords';
import { hmacSha256Hex } from '../../../lib/crypto/secrets';
import { Organisation } from '../../../models/platform/access/organisation';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { computeTemporaryPasswordEnd, generatePassword } from '../../platform/access/password-change';
import { removeSecondFactor } from '../../platform/access/second-factor';
import { setSignInPolicy } from '../../platform/access/sign-in-policy';
import type { SignInPolicy } from '../../platform/access/sign-in-policy';
import { endSessions } from '../../platform/access/sign-in-sessions';
import { clearSignInFailures } from '../../platform/access/sign-in-throttle';
import { NAME_COLLATION } from '../../../models/name-order';
import { readMatchingPage } from '../../platform/lists/pages';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { revokeCreatedKeys, revokeKeysBeyondRoles } from '../../platform/access/key-revocation';
import { requireStrongPassword } from '../../platform/access/password-policy';
import { createUser, isOnlyAccount } from '../../platform/access/users';
import { readUserRoles, requireAnyRole } from '../../platform/access/user-roles';
import type { UserRoles } from '../../platform/access/user-roles';
import { requireAccountAuthority, requireOtherAccount } from './account-authority';
import type { BusinessCaller } from './caller';
import { buildActiveRecordFilter, buildChoiceCondition, buildCreatedFilter } from '../records/lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { omitUndefined } from '../records/records';
import { requireVersion } from '../../platform/transactions/versions';

export const USER_SORT_FIELDS = ['id', 'name', 'email', 'createdAt'] as const;

/** An account with its generated password, which is returned once; null if the caller chose the password. */
export interface AccountWithPassword {
  user: UserRecord;
  password: string | null;
}

/** Fields of a user that an administrator changes; undefined leaves a field as it is. */
export interface UserChange {
  name?: string | undefined;
  role?: UserRoles['business'] | undefined;
  identityRole?: UserRoles['identity'] | undefined;
  active?: boolean | undefined;
}

/**
 * The use of an Idempotency-Key whose request can contain a password. The stored hash is keyed, so that the password
 * cannot be guessed from it.
 */
function withKeyedFingerprint({ config }: Platform, use: IdempotentUse | undefined): IdempotentUse | undefined {
  if (use === undefined) return undefined;
  const compute = (secret: string): string => hmacSha256Hex(secret, `idempotency:${use.fingerprint}`);
  return {
    ...use,
    fingerprint: compute(requireJwtSecret(config)),
    otherFingerprints: config.jwtSecrets.slice(1).map(compute),
  };
}

/**
 * Creates an account.
 * @param input.password by default a generated password, which is returned once
 * @throws AppError 400, 403, 409 `email_taken`
 */
export async function addUser(
  platform: Platform,
  caller: BusinessCaller,
  input: { email: string; name: string; roles: UserRoles; password?: string | undefined },
  use: IdempotentUse | undefined,
): Promise<AccountWithPassword> {
  requireAccountAuthority(caller);
  const { organisationId } = caller;
  const generated = input.password === undefined ? generatePassword() : null;
  return runIdempotently<AccountWithPassword>(
    platform,
    withKeyedFingerprint(platform, use),
    async (claim) => {
      const account = { ...input, organisationId, password: input.password ?? generated ?? '' };
      const user = await createUser(platform, account, {
        actor: caller.id,
        generatedPassword: generated !== null,
        also: (unit, record) => claim(unit, String(record.id), 201),
      });
      return { user, password: generated };
    },
    async (recordId) => ({ user: await getUser(caller, Number(recordId)), password: null }),
  );
}

/** @throws AppError 404, also for the id of another organisation */
export async function getUser({ organisationId }: BusinessCaller, id: number, unit?: UnitOfWork): Promise<UserRecord> {
  const query = User.findOne({ organisationId, id });
  const record = await (unit === undefined ? query : query.session(unit.mongoSession)).lean<UserRecord>();
  if (record === null) throw notFoundError('user');
  return record;
}

/** @throws AppError 409 `last_administrator` */
async function requireAnotherAdministrator(unit: UnitOfWork, user: UserRecord): Promise<void> {
  const { organisationId, _id } = user;
  await Organisation.updateOne(
    { _id: organisationId },
    { $inc: { administratorsGuard: 1 } },
    { session: unit.mongoSession },
  );
  const another = { organisationId, role: 'admin', active: true, _id: { $ne: _id } };
  if ((await User.exists(another).session(unit.mongoSession)) === null)
    throw conflictError('last_administrator', 'The last active administrator can be neither demoted nor deactivated.');
}

async function writeUserChange(
  unit: UnitOfWork,
  caller: BusinessCaller,
  user: UserRecord,
  change: Partial<UserRecord>,
  entry: { action: string; fields: string[]; now: Date },
): Promise<UserRecord> {
  const set = { ...change, updatedAt: entry.now, version: user.version + 1 };
  await User.updateOne(
    { _id: user._id, organisationId: caller.organisationId },
    { $set: set },
    { session: unit.mongoSession },
  );
  const { action, fields } = entry;
  await unit.audit(caller, { actor: caller.id, action, subject: user._id, fields });
  return { ...user, ...set };
}

async function endLostAccess(
  unit: UnitOfWork,
  caller: BusinessCaller,
  { before, after }: { before: UserRecord; after: UserRecord },
  now: Date,
): Promise<void> {
  const created = { organisationId: caller.organisationId, creatorId: before._id, actor: caller.id };
  if (before.active && !after.active) {
    await endSessions(unit, before._id, now);
    await revokeCreatedKeys(unit, created, now);
  } else if (before.role !== after.role || before.identityRole !== after.identityRole) {
    await revokeKeysBeyondRoles(unit, created, readUserRoles(after), now);
  }
}

/**
 * Changes the name or roles of a user, or activates or deactivates the user. A deactivated user is signed out of every
 * session, and the API keys that the user created end; with another role, those end that the role could not create.
 * @throws AppError 403, 404, 409 `last_administrator`, 412
 */
export async function updateUser(
  platform: Platform,
  caller: BusinessCaller,
  at: { id: number; ifMatch: number | undefined },
  input: UserChange,
): Promise<UserRecord> {
  requireAccountAuthority(caller);
  return runTransaction(platform, async (unit) => {
    const user = await getUser(caller, at.id, unit);
    requireVersion(user.version, at.ifMatch);
    const change: Partial<UserRecord> = omitUndefined(input);
    const changed = { ...user, ...change };
    requireAnyRole(readUserRoles(changed));
    const wasAdministrator = user.role === 'admin' && user.active;
    if (wasAdministrator && !(changed.role === 'admin' && changed.active))
      await requireAnotherAdministrator(unit, user);
    const now = platform.clock.now();
    await endLostAccess(unit, caller, { before: user, after: changed }, now);
    return writeUserChange(unit, caller, user, change, { action: 'user.updated', fields: Object.keys(change), now });
  });
}

/**
 * Resets the password of another account and ends its sessions. Clears its failed sign-in attempts, unless they may be those
 * for an account of another organisation with the same email address.
 * @param chosen undefined: a generated password, which is returned once and is temporary
 * @throws AppError 400, 403, 404
 */
export async function resetPassword(
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  chosen: string | undefined,
): Promise<AccountWithPassword> {
  const account = await getUser(caller, id);
  requireAccountAuthority(caller);
  requireOtherAccount(caller, account, 'POST /v1/auth/password or POST /api/auth/password');
  if (chosen !== undefined) await requireStrongPassword(chosen, account);
  const generated = chosen === undefined ? generatePassword() : null;
  const passwordHash = await hashPassword(chosen ?? generated ?? '', account.passwordHash);
  const user = await runTransaction(platform, async (unit) => {
    const current = await getUser(caller, id, unit);
    const now = platform.clock.now();
    await endSessions(unit, current._id, now);
    const entry = { action: 'user.password_reset', fields: ['password'], now };
    return writeUserChange(
      unit,
      caller,
      current,
      {
        passwordHash,
        temporaryPasswordUntil: generated === null ? null : computeTemporaryPasswordEnd(now),
        devicesTrustedFrom: now,
      },
      entry,
    );
  });
  if (await isOnlyAccount(user.email)) await clearSignInFailures(platform, user.email);
  return { user, password: generated };
}

/**
 * Removes the second factor of another account.
 * @throws AppError 403, 404
 */
export async function removeUserSecondFactor(platform: Platform, caller: BusinessCaller, id: number): Promise<void> {
  const account = await getUser(caller, id);
  requireAccountAuthority(caller);
  const instead = 'POST /v1/auth/second-factor/remove or POST /api/auth/second-factor/remove';
  requireOtherAccount(caller, account, instead);
  await removeSecondFactor(platform, account, caller.id);
}

/**
 * Changes what the organisation requires of the sign-ins of its users, as far as removing their second factors.
 * @throws AppError 403
 */
export async function changeSignInPolicy(
  platform: Platform,
  caller: BusinessCaller,
  policy: SignInPolicy,
): Promise<SignInPolicy> {
  requireAccountAuthority(caller);
  return setSignInPolicy(platform, caller.organisationId, policy, caller.id);
}

/**
 * The condition for a search text: every word must be a prefix of a word in the name or email address. All users are read,
 * because an organisation has few.
 */
async function buildUserSearch(organisationId: string, search: string | undefined): Promise<QueryFilter<UserRecord>> {
  if (parseQueryWords(search ?? '').length === 0) return {};
  const users = await User.find({ organisationId }, { name: 1, email: 1 }).lean<
    Pick<UserRecord, '_id' | 'name' | 'email'>[]
  >();
  const found = users.filter(({ name, email }) => matchesQuery(search ?? '', [name, email]));
  return { _id: { $in: found.map(({ _id }) => _id) } };
}

/** One page of the users of the organisation, with the exact total. */
export async function listUsers(
  { organisationId }: BusinessCaller,
  filter: ActiveFilter &
    CreatedFilter & { role?: readonly string[] | undefined; identityRole?: readonly string[] | undefined },
  { page, pageSize, search, sortBy, sortDir }: ListQuery,
): Promise<ListPage<UserRecord>> {
  const condition: QueryFilter<UserRecord> = {
    organisationId,
    ...(filter.role === undefined ? {} : { role: buildChoiceCondition(filter.role) }),
    ...(filter.identityRole === undefined ? {} : { identityRole: buildChoiceCondition(filter.identityRole) }),
    ...buildActiveRecordFilter(filter),
    ...buildCreatedFilter(filter),
    ...(await buildUserSearch(organisationId, search)),
  };
  const sort = sortBy === 'id' ? ['id'] : [sortBy, 'id'];
  const request = { page, pageSize, sort, direction: sortDir };
  return readMatchingPage<UserRecord>(User, condition, request, sortBy === 'name' ? NAME_COLLATION : undefined);
}
