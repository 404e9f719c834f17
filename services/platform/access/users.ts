import { conflictError, invalidFieldError, unauthorizedError } from '../../../domain/errors';
import { hashPassword } from '../../../lib/crypto/passwords';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { SharedReads } from '../../../lib/shared-reads';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { normaliseEmail } from './email-addresses';
import { requireStrongPassword } from './password-policy';
import { requireAnyRole } from './user-roles';
import type { UserRoles } from './user-roles';
import { reserveNumber } from '../transactions/counters';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';

class UserReads extends SharedReads<UserRecord | null> {
  constructor() {
    super(async (id) => User.findById(id).lean<UserRecord>());
  }
}

/** The user whose credential a request presents; null if it does not exist. Its organisation is that of the credential. */
export const readAuthenticatingUser = (platform: Platform, id: string): Promise<UserRecord | null> =>
  platform.singletons.get(UserReads).read(id);

const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export interface NewUser {
  organisationId: string;
  email: string;
  name: string;
  roles: UserRoles;
  /** Stored only as an argon2id hash. */
  password: string;
}

/** The actor of the audit row, and additional writes in the same transaction. */
export interface CreateUserOptions {
  /** @default 'system' */
  actor?: string;
  /** Whether the password was generated, so that its strength need not be examined. @default false */
  generatedPassword?: boolean;
  also?: (unit: UnitOfWork, record: UserRecord) => Promise<void>;
}

/** @throws AppError 400 for a malformed email or a weak password, 409 if the email exists in the organisation */
export async function createUser(
  platform: Platform,
  input: NewUser,
  { actor = 'system', generatedPassword = false, also }: CreateUserOptions = {},
): Promise<UserRecord> {
  const email = normaliseEmail(input.email);
  if (!EMAIL_PATTERN.test(email)) throw invalidFieldError('email', 'accepts an email address');
  requireAnyRole(input.roles);
  if (!generatedPassword) await requireStrongPassword(input.password, { ...input, email });
  const now = platform.clock.now();
  const record: UserRecord = {
    _id: newId('usr'),
    organisationId: input.organisationId,
    id: await reserveNumber(input.organisationId, 'users'),
    email,
    name: input.name.trim(),
    role: input.roles.business,
    identityRole: input.roles.identity,
    passwordHash: await hashPassword(input.password, (await findUsersByEmail(email))[0]?.passwordHash),
    temporaryPasswordUntil: null,
    devicesTrustedFrom: null,
    secondFactorAt: null,
    secondFactorRequired: false,
    active: true,
    createdKeys: 0,
    signIns: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await runTransaction(platform, async (unit) => {
      record.secondFactorRequired = await readSecondFactorRequired(unit, input.organisationId);
      await User.create([record], { session: unit.mongoSession });
      const scope = { organisationId: input.organisationId, mode: 'live' } as const;
      await unit.audit(scope, {
        actor,
        action: 'user.created',
        subject: record._id,
        fields: ['email', 'name', 'role', 'identityRole'],
      });
      await also?.(unit, record);
    });
  } catch (error) {
    if (isDuplicateKeyError(error))
      throw conflictError('email_taken', 'email: a user of this organisation has this address already.', {
        fields: [{ field: 'email', problem: 'a user of this organisation has this address already' }],
      });
    throw error;
  }
  return record;
}

/** Written as well as read, so that a concurrent change of the policy conflicts and reaches the new user. */
async function readSecondFactorRequired({ mongoSession }: UnitOfWork, organisationId: string): Promise<boolean> {
  const organisation = await Organisation.findOneAndUpdate(
    { _id: organisationId },
    { $inc: { usersGuard: 1 } },
    { session: mongoSession },
  ).lean<OrganisationRecord>();
  return organisation?.secondFactorRequired === true;
}

/** @throws AppError 401 for a deleted user */
export async function getUserAccount(id: string): Promise<UserRecord> {
  const record = await User.findById(id).lean<UserRecord>();
  if (record === null) throw unauthorizedError();
  return record;
}

/** The accounts of an email address, at most one in each organisation. */
export const findUsersByEmail = (email: string): Promise<UserRecord[]> =>
  User.find({ email: normaliseEmail(email) })
    .sort({ createdAt: 1 })
    .lean<UserRecord[]>();

/** Whether no other organisation has an account with this email address. */
export const isOnlyAccount = async (email: string): Promise<boolean> => (await findUsersByEmail(email)).length === 1;
