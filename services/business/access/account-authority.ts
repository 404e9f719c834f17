import { PERMISSIONS } from '../../../domain/business/access/permissions';
import { AppError, forbiddenError } from '../../../domain/errors';
import type { UserRecord } from '../../../models/platform/access/user';
import type { BusinessCaller, CallerKey } from './caller';

/** Ids of keys; ancestors of a key are keys and a user. */
const KEY_ID = /^key_/;

/** Why a key must not change accounts, which would outlive it and be used from anywhere; null if it may. */
function describeLimit({ allowedIps, expiresAt, ancestors }: CallerKey): string | null {
  if (allowedIps.length > 0) return 'is limited to addresses';
  if (expiresAt instanceof Date) return 'expires';
  return ancestors.some((id) => KEY_ID.test(id)) ? 'was created by another key' : null;
}

/**
 * Requires what it takes to change accounts. An account can be given any role in either API, so a caller with fewer
 * permissions could grant itself more, and a limited API key could create an account without its limits.
 * @throws AppError 403
 */
export function requireAccountAuthority({ permissions, key }: BusinessCaller): void {
  const missing = PERMISSIONS.find((permission) => !permissions.has(permission));
  if (missing !== undefined) throw forbiddenError(missing);
  const limit = key === null ? null : describeLimit(key);
  if (limit !== null)
    throw new AppError(
      'forbidden',
      403,
      `This API key ${limit}, and accounts would not have its limits: sign in as an administrator, or use a key without limits that an administrator or the operator created.`,
    );
}

/**
 * Requires that an account is neither the caller's own nor that of the user behind the API key: a stolen session must not
 * replace the proof of its user.
 * @param instead the requests with which users change it for themselves
 * @throws AppError 403
 */
export function requireOtherAccount({ id, key }: BusinessCaller, account: UserRecord, instead: string): void {
  if (account._id === id || key?.ancestors.includes(account._id) === true)
    throw new AppError('forbidden', 403, `This is your own account: use ${instead}, which require your password.`);
}
