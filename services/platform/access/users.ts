import { conflict, invalidField } from '../../../domain/errors';
import { hashPassword } from '../../../lib/crypto/passwords';
import { newId } from '../../../lib/ids';
import { isDuplicateKey } from '../../../lib/mongo';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { nextNumber } from '../transactions/counters';
import type { Platform } from '../platform';
import { transact } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const SHORTEST_PASSWORD = 12;

/** One spelling of an address, for look-ups and the unique index. */
export const normaliseEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/** @throws AppError 400 naming the field */
export function requireLongPassword(password: string, field = 'password'): void {
  if (password.length < SHORTEST_PASSWORD)
    throw invalidField(field, `accepts at least ${SHORTEST_PASSWORD} characters`);
}

export interface NewUser {
  organisationId: string;
  email: string;
  name: string;
  /** One of the roles of domain/business/access/permissions.ts or domain/identity/access/roles.ts; the caller has checked it. */
  role: string;
  /** At least 12 characters; kept only as an argon2id hash. */
  password: string;
}

/** Who makes the account, and what else is written with it. */
export interface UserCreation {
  /** @default 'system' */
  actor?: string;
  also?: (unit: UnitOfWork, record: UserRecord) => Promise<void>;
}

/** @throws AppError 400 for a malformed email or short password, 409 when the email is known in this installation. */
export async function createUser(
  platform: Platform,
  input: NewUser,
  { actor = 'system', also }: UserCreation = {},
): Promise<UserRecord> {
  const email = normaliseEmail(input.email);
  if (!EMAIL.test(email)) throw invalidField('email', 'accepts an email address');
  requireLongPassword(input.password);
  const now = platform.clock.now();
  const record: UserRecord = {
    _id: newId('usr'),
    organisationId: input.organisationId,
    id: await nextNumber(input.organisationId, 'users'),
    email,
    name: input.name.trim(),
    role: input.role,
    passwordHash: await hashPassword(input.password),
    active: true,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await transact(platform, async (unit) => {
      await User.create([record], { session: unit.session });
      const scope = { organisationId: input.organisationId, mode: 'live' } as const;
      await unit.audit(scope, {
        actor,
        action: 'user.created',
        subject: record._id,
        fields: ['email', 'name', 'role'],
      });
      await also?.(unit, record);
    });
  } catch (error) {
    if (isDuplicateKey(error))
      throw conflict('email_taken', 'email: a user with this address exists already.', {
        fields: [{ field: 'email', problem: 'a user with this address exists already' }],
      });
    throw error;
  }
  return record;
}

export const findUserByEmail = (email: string): Promise<UserRecord | null> =>
  User.findOne({ email: normaliseEmail(email) }).lean<UserRecord>();
