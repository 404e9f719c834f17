import { unauthorizedError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import { toClientKey } from '../../../lib/client-key';
import { verifyPassword } from '../../../lib/crypto/passwords';
import type { UserRecord } from '../../../models/platform/access/user';
import { isKnownDevice, issueDeviceToken, readDeviceToken } from './known-devices';
import type { KnownDevice } from './known-devices';
import { secondFactorRequiredError, verifySecondFactor, wrongSecondFactorError } from './second-factor';
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
  /** Code of the second factor. */
  code?: string | undefined;
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

/** An attempt that can begin, and whether it needs a code, whoever the user is. */
interface AllowedAttempt {
  attempt: SignInAttempt;
  needsCode: boolean;
}

/**
 * Begins an attempt; while attempts are delayed, also one from a device on which the user has signed in before, and one
 * with a code of the second factor.
 */
async function beginAllowedAttempt(
  platform: Platform,
  { email, code, client }: SignInInput,
  user: UserRecord | null,
  device: KnownDevice | null,
): Promise<AllowedAttempt | number> {
  const attempt = await beginSignIn(platform, email, client.address);
  if (typeof attempt !== 'number') return { attempt, needsCode: false };
  if (user !== null && device !== null && isKnownDevice(device, user)) {
    const ofDevice = await beginSourceAttempt(platform, email, 'device', device.id);
    if (typeof ofDevice !== 'number') return { attempt: ofDevice, needsCode: false };
  }
  if (code === undefined) return attempt;
  const withCode = await beginSourceAttempt(platform, email, 'second_factor', toClientKey(client.address));
  return typeof withCode === 'number' ? withCode : { attempt: withCode, needsCode: true };
}

/** Why an attempt with the right password is rejected; null if it is not. */
async function checkSecondFactor(
  platform: Platform,
  user: UserRecord,
  { code }: SignInInput,
  needsCode: boolean,
): Promise<AppError | null> {
  // Where only a code permits the attempt, no rejection tells whether the password was right.
  if (!(user.secondFactorAt instanceof Date)) return needsCode ? invalidCredentials() : null;
  if (code === undefined) return secondFactorRequiredError();
  const verified = await verifySecondFactor(platform, user, code);
  if (verified === true) return null;
  if (needsCode) return invalidCredentials();
  return verified === false ? wrongSecondFactorError() : throttledError(verified);
}

const hasExpiredPassword = ({ clock }: Platform, { temporaryPasswordUntil }: UserRecord): boolean =>
  temporaryPasswordUntil instanceof Date && temporaryPasswordUntil <= clock.now();

/**
 * Authenticates a user by email address and password. Failures of both APIs count together.
 * @throws AppError 401 with the same message and timing for an unknown address and a wrong password, and
 * `second_factor_required` or `second_factor_invalid` after the right one; 429 `sign_in_throttled` after too many failures
 */
export async function authenticateUser(platform: Platform, input: SignInInput): Promise<AuthenticatedUser> {
  const device = readDeviceToken(platform, input.client.deviceToken);
  const user = await findUserByEmail(input.email);
  const allowed = await beginAllowedAttempt(platform, input, user, device);
  if (typeof allowed === 'number') {
    await auditRejectedLogin(platform, user, 'login.refused', 'throttled');
    throw throttledError(allowed);
  }
  const { attempt, needsCode } = allowed;
  const usable = user?.active === true && !hasExpiredPassword(platform, user);
  const matches = await verifyPassword(usable ? user.passwordHash : null, input.password);
  const rejection =
    user !== null && matches ? await checkSecondFactor(platform, user, input, needsCode) : invalidCredentials();
  if (user !== null && rejection === null) {
    await attempt.succeed();
    return { user, deviceToken: issueDeviceToken(platform, user._id, device) };
  }
  if (rejection?.code === 'second_factor_required') {
    await attempt.release();
    throw rejection;
  }
  const throttled = await attempt.fail();
  await auditRejectedLogin(platform, user, 'login.failed', throttled ? 'throttled from now on' : undefined);
  throw rejection ?? invalidCredentials();
}
