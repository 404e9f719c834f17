import { forbiddenError, unauthorizedError } from '../../../domain/errors';
import { ApiKey } from '../../../models/platform/access/api-key';
import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import type { Scope } from '../platform';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { isSessionOpen } from './sign-in-sessions';
import { listUserPermissions, readUserRoles } from './user-roles';

/** The creator of a key. A new key can have at most the creator's permissions, addresses and lifetime. */
export interface KeyParent extends Scope {
  readonly id: string;
  readonly api: ApiKeyRecord['api'];
  readonly kind: 'key' | 'user';
  /** The session of a user; null for a key. */
  readonly sessionId: string | null;
  /** The creator and the creators before it. */
  readonly ancestors: readonly string[];
  readonly permissions: ReadonlySet<string>;
  /** CIDR ranges; empty allows any address. */
  readonly allowedIps: readonly string[];
  readonly expiresAt: Date | null;
}

const creatorEndedError = () => unauthorizedError('The credential is no longer valid.');

/**
 * Writes the creator, so that its revocation, deactivation, change of roles or reset of its password at the same time
 * fails or sees the new key.
 * @param permissions those of the new key
 * @throws AppError 401 if the creator or its session ended since the request was authenticated, 403 if its role changed
 */
export async function requireActiveCreator(
  unit: UnitOfWork,
  { id, kind, organisationId, api, sessionId }: KeyParent,
  permissions: readonly string[],
): Promise<void> {
  const count = { $inc: { createdKeys: 1 } };
  const options = { session: unit.mongoSession };
  if (kind === 'key') {
    const active = { _id: id, organisationId, revokedAt: null };
    if ((await ApiKey.updateOne(active, count, options)).matchedCount === 0) throw creatorEndedError();
    return;
  }
  const user = await User.findOneAndUpdate(
    { _id: id, organisationId, active: true },
    count,
    options,
  ).lean<UserRecord>();
  if (user === null || sessionId === null || !(await isSessionOpen(unit, sessionId))) throw creatorEndedError();
  const allowed = new Set<string>(listUserPermissions(readUserRoles(user))[api]);
  const extra = permissions.find((permission) => !allowed.has(permission));
  if (extra !== undefined) throw forbiddenError(extra);
}
