import type { QueryFilter } from 'mongoose';
import { PERMISSIONS } from '../../../domain/business/access/permissions';
import type { Role } from '../../../domain/business/access/permissions';
import { queryWords } from '../../../domain/business/search-tokens';
import { conflict, forbidden, notFound } from '../../../domain/errors';
import { hashPassword } from '../../../lib/crypto/passwords';
import { keyedHash, randomSecret } from '../../../lib/crypto/secrets';
import { Organisation } from '../../../models/platform/access/organisation';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { forgetFailures } from '../../platform/access/login-lock';
import { readPageOf } from '../../platform/lists/pages';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { createUser, requireLongPassword } from '../../platform/access/users';
import type { BusinessCaller } from './caller';
import { activeFilter, createdBetween, escaped } from '../records/lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { endSessions } from './password-change';
import { sentOf } from '../records/records';
import { requireVersion } from '../records/versions';

export const USER_SORT_FIELDS = ['id', 'name', 'email', 'createdAt'] as const;

/** An account with the password it was given, which is told this once; null where the caller chose it. */
export interface AccountMade {
  user: UserRecord;
  password: string | null;
}

/** Characters of a generated password: 144 bits. */
const GENERATED_LENGTH = 24;

const generatedPassword = (): string => randomSecret().slice(0, GENERATED_LENGTH);

/**
 * Accounts can be given any role, also one that opens the identity API: who makes or changes them must hold every
 * permission, or a limited key could hand itself what it lacks.
 * @throws AppError 403
 */
function requireWholeAuthority(caller: BusinessCaller): void {
  const missing = PERMISSIONS.find((permission) => !caller.permissions.has(permission));
  if (missing !== undefined) throw forbidden(missing);
}

/**
 * The use of an Idempotency-Key whose request may hold a password: what is kept of it is keyed, or a password could be
 * guessed from it.
 */
const keyed = (platform: Platform, use: IdempotentUse | undefined): IdempotentUse | undefined =>
  use === undefined
    ? undefined
    : { ...use, fingerprint: keyedHash(platform.config.jwtSecret, `idempotency:${use.fingerprint}`) };

/**
 * Makes an account.
 * @param input.password at least 12 characters. @default generated, and told this once
 * @throws AppError 400, 403, 409 `email_taken`
 */
export async function addUser(
  platform: Platform,
  caller: BusinessCaller,
  input: { email: string; name: string; role: Role; password?: string | undefined },
  use: IdempotentUse | undefined,
): Promise<AccountMade> {
  requireWholeAuthority(caller);
  const { organisationId } = caller;
  const generated = input.password === undefined ? generatedPassword() : null;
  return idempotently<AccountMade>(
    platform,
    keyed(platform, use),
    async (claim) => {
      const account = { ...input, organisationId, password: input.password ?? generated ?? '' };
      const user = await createUser(platform, account, {
        actor: caller.id,
        also: (unit, record) => claim(unit, String(record.id), 201),
      });
      return { user, password: generated };
    },
    async (recordId) => ({ user: await getUser(caller, Number(recordId)), password: null }),
  );
}

/** @throws AppError 404, also for another organisation's number. */
export async function getUser({ organisationId }: BusinessCaller, id: number, unit?: UnitOfWork): Promise<UserRecord> {
  const query = User.findOne({ organisationId, id });
  const record = await (unit === undefined ? query : query.session(unit.session)).lean<UserRecord>();
  if (record === null) throw notFound('user');
  return record;
}

/** @throws AppError 409 `last_administrator` */
async function requireAnotherAdministrator(unit: UnitOfWork, user: UserRecord): Promise<void> {
  const { organisationId, _id } = user;
  const { session } = unit;
  await Organisation.updateOne({ _id: organisationId }, { $inc: { administratorsGuard: 1 } }, { session });
  const another = { organisationId, role: 'admin', active: true, _id: { $ne: _id } };
  if ((await User.exists(another).session(session)) === null)
    throw conflict('last_administrator', 'The last active administrator can be neither demoted nor deactivated.');
}

async function write(
  unit: UnitOfWork,
  caller: BusinessCaller,
  user: UserRecord,
  change: Partial<Pick<UserRecord, 'name' | 'role' | 'active' | 'passwordHash'>>,
  entry: { action: string; fields: string[]; now: Date },
): Promise<UserRecord> {
  const set = { ...change, updatedAt: entry.now, version: user.version + 1 };
  await User.updateOne(
    { _id: user._id, organisationId: caller.organisationId },
    { $set: set },
    { session: unit.session },
  );
  const { action, fields } = entry;
  await unit.audit(caller, { actor: caller.id, action, subject: user._id, fields });
  return { ...user, ...set };
}

/**
 * Changes name, role or whether a person may sign in. One deactivated is signed out everywhere.
 * @throws AppError 403, 404, 409 `last_administrator`, 412
 */
export async function updateUser(
  platform: Platform,
  caller: BusinessCaller,
  at: { id: number; ifMatch: number | undefined },
  input: { name?: string | undefined; role?: Role | undefined; active?: boolean | undefined },
): Promise<UserRecord> {
  requireWholeAuthority(caller);
  return transact(platform, async (unit) => {
    const user = await getUser(caller, at.id, unit);
    requireVersion(user.version, at.ifMatch);
    const change: Partial<UserRecord> = sentOf(input);
    const changed = { ...user, ...change };
    const wasAdministrator = user.role === 'admin' && user.active;
    if (wasAdministrator && !(changed.role === 'admin' && changed.active))
      await requireAnotherAdministrator(unit, user);
    const now = platform.clock.now();
    if (user.active && !changed.active) await endSessions(unit, user._id, now);
    return write(unit, caller, user, change, { action: 'user.updated', fields: Object.keys(change), now });
  });
}

/**
 * Gives an account a new password, ends its sessions and forgets its failed logins.
 * @param chosen at least 12 characters; undefined: generated, and told this once.
 * @throws AppError 400, 403, 404
 */
export async function resetPassword(
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  chosen: string | undefined,
): Promise<AccountMade> {
  await getUser(caller, id);
  requireWholeAuthority(caller);
  if (chosen !== undefined) requireLongPassword(chosen);
  const generated = chosen === undefined ? generatedPassword() : null;
  const passwordHash = await hashPassword(chosen ?? generated ?? '');
  const user = await transact(platform, async (unit) => {
    const current = await getUser(caller, id, unit);
    const now = platform.clock.now();
    await endSessions(unit, current._id, now);
    const entry = { action: 'user.password_reset', fields: ['password'], now };
    return write(unit, caller, current, { passwordHash }, entry);
  });
  await forgetFailures(platform, user.email);
  return { user, password: generated };
}

/** Every word must begin a word of the name or the address; an organisation's people are few enough to be read. */
const searchFilter = (search: string): QueryFilter<UserRecord>[] =>
  queryWords(search).map((word) => {
    const starts = { $regex: `(^|[^\\p{L}\\p{N}])${escaped(word)}`, $options: 'i' };
    return { $or: [{ name: starts }, { email: starts }] };
  });

export function listUsers(
  { organisationId }: BusinessCaller,
  filter: ActiveFilter & CreatedFilter & { role?: string | undefined },
  { page, pageSize, search, sortBy, sortDir }: ListQuery,
): Promise<ListPage<UserRecord>> {
  const words = searchFilter(search ?? '');
  const wanted: QueryFilter<UserRecord> = {
    organisationId,
    ...(filter.role === undefined ? {} : { role: filter.role }),
    ...activeFilter(filter),
    ...createdBetween(filter),
    ...(words.length === 0 ? {} : { $and: words }),
  };
  const sort = sortBy === 'id' ? ['id'] : [sortBy, 'id'];
  return readPageOf<UserRecord>(
    { page, pageSize, sort, direction: sortDir },
    {
      count: (session) => User.countDocuments(wanted).session(session).exec(),
      rows: (window, session) =>
        User.find(wanted)
          .sort(window.sort)
          .skip(window.skip)
          .limit(window.limit)
          .session(session)
          .lean<UserRecord[]>()
          .exec(),
    },
  );
}
