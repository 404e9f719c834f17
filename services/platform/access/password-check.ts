import { unauthorizedError } from '../../../domain/errors';
import { verifyPassword } from '../../../lib/crypto/passwords';
import type { UserRecord } from '../../../models/platform/access/user';
import { isKnownDevice, issueDeviceToken, readDeviceToken } from './known-devices';
import type { KnownDevice } from './known-devices';
import { beginSignIn, beginSourceAttempt, throttledError } from './sign-in-throttle';
import type { SignInAttempt } from './sign-in-throttle';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import { findUserByEmail } from './users';

/** Organisation id for failed logins of unknown addresses, which belong to no organisation. */
const NO_ORGANISATION = 'installation';

/** Where an attempt to sign in comes from. */
export interface SignInClient {
  address: string;
  /** User-Agent of the client. */
  device: string | null;
  /** Token of an earlier sign-in on the same device. */
  deviceToken: string | null;
}

export interface SignInInput {
  email: string;
  password: string;
  client: SignInClient;
}

/** A user who has signed in, with the token by which the device is known from now on. */
export interface AuthenticatedUser {
  user: UserRecord;
  deviceToken: string;
}

/** The only rejection of an email address or password, in both APIs. */
export const invalidCredentials = () => unauthorizedError('Invalid credentials: email or password is wrong.');

const auditRejectedLogin = (
  platform: Platform,
  user: UserRecord | null,
  action: string,
  reason?: string,
): Promise<void> =>
  runTransaction(platform, (unit) =>
    unit.audit(
      { organisationId: user?.organisationId ?? NO_ORGANISATION, mode: 'live' },
      {
        actor: user?._id ?? 'anonymous',
        action,
        subject: user?._id ?? 'unknown',
        ...(reason === undefined ? {} : { reason }),
      },
    ),
  );

/** Begins an attempt; while attempts are delayed, also one from a device on which the user has signed in before. */
async function beginAllowedAttempt(
  platform: Platform,
  { email, client }: SignInInput,
  user: UserRecord | null,
  device: KnownDevice | null,
): Promise<SignInAttempt | number> {
  const attempt = await beginSignIn(platform, email, client.address);
  if (typeof attempt !== 'number' || user === null || device === null || !isKnownDevice(device, user)) return attempt;
  return beginSourceAttempt(platform, email, 'device', device.id);
}

const hasExpiredPassword = ({ clock }: Platform, { temporaryPasswordUntil }: UserRecord): boolean =>
  temporaryPasswordUntil instanceof Date && temporaryPasswordUntil <= clock.now();

/**
 * Authenticates a user by email address and password. Failures of both APIs count together.
 * @throws AppError 401 with the same message and timing for an unknown address and a wrong password; 429
 * `sign_in_throttled` after too many failures
 */
export async function authenticateUser(platform: Platform, input: SignInInput): Promise<AuthenticatedUser> {
  const device = readDeviceToken(platform, input.client.deviceToken);
  const user = await findUserByEmail(input.email);
  const attempt = await beginAllowedAttempt(platform, input, user, device);
  if (typeof attempt === 'number') {
    await auditRejectedLogin(platform, user, 'login.refused', 'throttled');
    throw throttledError(attempt);
  }
  const usable = user?.active === true && !hasExpiredPassword(platform, user);
  const matches = await verifyPassword(usable ? user.passwordHash : null, input.password);
  if (user !== null && matches) {
    await attempt.succeed();
    return { user, deviceToken: issueDeviceToken(platform, user._id, device) };
  }
  const throttled = await attempt.fail();
  await auditRejectedLogin(platform, user, 'login.failed', throttled ? 'throttled from now on' : undefined);
  throw invalidCredentials();
}
