import { conflictError, unauthorizedError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import { toClientKey } from '../../../lib/client-key';
import { findMatchingHashes } from '../../../lib/crypto/passwords';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import { isKnownDevice, issueDeviceToken, readDeviceToken } from './known-devices';
import type { KnownDevice } from './known-devices';
import { secondFactorRequiredError, verifySecondFactor, wrongSecondFactorError } from './second-factor';
import { findDisclosedUsers } from './shared-addresses';
import { auditAttempt, auditAttempts } from './sign-in-audit';
import { beginSignIn, beginSourceAttempt, throttledError } from './sign-in-throttle';
import type { SignInAttempt } from './sign-in-throttle';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { findOrganisationBySlug } from './organisations';
import { findUsersByEmail, isOnlyAccount } from './users';

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
  /** Slug of the organisation, where several have an account with the same email address and password. */
  organisation?: string | undefined;
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
export const invalidCredentialsError = () => unauthorizedError('Invalid credentials: email or password is wrong.');

/** Why an attempt with the right password is rejected. */
export interface SignInRejection {
  /** The response to the client. */
  error: AppError;
  /** The reason in the audit log. */
  reason: string;
}

/** An attempt that can begin, and for whom. */
interface AllowedAttempt {
  attempt: SignInAttempt;
  /** Accounts whose password is verified. */
  candidates: readonly UserRecord[];
  /** Whether the attempt needs a code, whoever the user is. */
  needsCode: boolean;
}

/**
 * Begins an attempt; while attempts are delayed, also one from a device on which the user has signed in before, and one
 * with a code of the second factor.
 */
async function beginAllowedAttempt(
  platform: Platform,
  { email, code, client }: SignInInput,
  users: readonly UserRecord[],
  device: KnownDevice | null,
): Promise<AllowedAttempt | number> {
  const attempt = await beginSignIn(platform, email, client.address);
  if (typeof attempt !== 'number') return { attempt, candidates: users, needsCode: false };
  const known = users.filter((user) => device !== null && isKnownDevice(device, user));
  if (device !== null && known.length > 0) {
    const ofDevice = await beginSourceAttempt(platform, email, 'device', device.id);
    if (typeof ofDevice !== 'number') return { attempt: ofDevice, candidates: known, needsCode: false };
  }
  if (code === undefined) return attempt;
  const withCode = await beginSourceAttempt(platform, email, 'second_factor', toClientKey(client.address));
  return typeof withCode === 'number' ? withCode : { attempt: withCode, candidates: users, needsCode: true };
}

/** Why an attempt with the right password is rejected because of the second factor; null if it is not. */
async function checkSecondFactor(
  platform: Platform,
  user: UserRecord,
  { code }: SignInInput,
  needsCode: boolean,
): Promise<SignInRejection | null> {
  // Where only a code permits the attempt, no rejection reveals whether the password was right.
  if (!(user.secondFactorAt instanceof Date))
    return needsCode ? { error: invalidCredentialsError(), reason: 'no second factor' } : null;
  if (code === undefined) return { error: secondFactorRequiredError(), reason: 'second_factor_required' };
  const verified = await verifySecondFactor(platform, user, code);
  if (verified === true) return null;
  const error = verified === false ? wrongSecondFactorError() : throttledError(verified);
  return { error: needsCode ? invalidCredentialsError() : error, reason: error.code };
}

const isUsable = ({ clock }: Platform, { active, temporaryPasswordUntil }: UserRecord): boolean =>
  active && !(temporaryPasswordUntil instanceof Date && temporaryPasswordUntil <= clock.now());

async function organisationRequiredError(users: readonly UserRecord[]): Promise<AppError> {
  const ids = users.map(({ organisationId }) => organisationId);
  const organisations = await Organisation.find({ _id: { $in: ids } }).lean<OrganisationRecord[]>();
  return conflictError(
    'organisation_required',
    'organisation: several organisations have an account with this email address and password; send the slug of one.',
    { organisations: organisations.map(({ name, slug }) => ({ name, slug })) },
  );
}

/** Those of several accounts that have this password. */
async function findMatchingUsers(users: readonly UserRecord[], password: string): Promise<UserRecord[]> {
  const hashes = await findMatchingHashes(
    users.map(({ passwordHash }) => passwordHash),
    password,
  );
  return users.filter(({ passwordHash }) => hashes.has(passwordHash));
}

/**
 * Ends an attempt with the right password. It forgets earlier failures, unless another organisation has an account with
 * the same email address.
 */
async function endRightAttempt(attempt: SignInAttempt, email: string): Promise<void> {
  if (await isOnlyAccount(email)) await attempt.succeed();
  else await attempt.release();
}

/** The accounts of an email address, or only that of the organisation with the slug. */
async function findCandidates({ email, organisation }: SignInInput): Promise<UserRecord[]> {
  const users = await findUsersByEmail(email);
  if (organisation === undefined) return users;
  const chosen = await findOrganisationBySlug(organisation);
  return users.filter(({ organisationId }) => organisationId === chosen?._id);
}

/**
 * Authenticates a user by email address and password. Failures of both APIs count together, for all accounts of the
 * address. Every attempt that begins no session is audited: as `login.failed`, also with the right password, if it was
 * rejected; as `login.incomplete`, which does not count as a failure, if the right password was sent without the code of the
 * second factor, as clients do that ask for the code afterwards, or without the organisation of several. The latter
 * is recorded for no organisation: its administrators would learn that their user has the same password elsewhere.
 * @param findRejection why a user with the right credentials cannot sign in here; then the attempt counts as a failure
 * @throws AppError 401 with the same message and timing for an unknown address and a wrong password, and
 * `second_factor_required` or `second_factor_invalid` after the right one; 409 `organisation_required`; 429
 * `sign_in_throttled` after too many failures; that of `findRejection`
 */
export async function authenticateUser(
  platform: Platform,
  input: SignInInput,
  findRejection: (user: UserRecord) => SignInRejection | null,
): Promise<AuthenticatedUser> {
  const device = readDeviceToken(platform, input.client.deviceToken);
  const users = await findCandidates(input);
  const allowed = await beginAllowedAttempt(platform, input, users, device);
  if (typeof allowed === 'number') {
    await auditAttempts(platform, users, 'login.refused', () => 'throttled');
    throw throttledError(allowed);
  }
  const { attempt, candidates, needsCode } = allowed;
  const usable = candidates.filter((user) => isUsable(platform, user));
  const matching = await findDisclosedUsers(
    platform,
    input.email,
    usable,
    await findMatchingUsers(usable, input.password),
  );
  const [user] = matching;
  // Where only a code permits the attempt, a choice between organisations would disclose that the password was right.
  if (matching.length > 1 && !needsCode) {
    await attempt.release();
    await auditAttempts(platform, [], 'login.incomplete', () => 'organisation_required');
    throw await organisationRequiredError(matching);
  }
  if (user === undefined) return failAttempt(platform, attempt, users, null);
  const rejection = (await checkSecondFactor(platform, user, input, needsCode)) ?? findRejection(user);
  if (rejection === null) {
    await endRightAttempt(attempt, input.email);
    return { user, deviceToken: issueDeviceToken(platform, user._id, device) };
  }
  if (rejection.error.code !== 'second_factor_required')
    return failAttempt(platform, attempt, users, { ...rejection, userId: user._id });
  await attempt.release();
  await auditAttempts(platform, [user], 'login.incomplete', () => rejection.reason);
  throw rejection.error;
}

/**
 * Ends an attempt with a failure.
 * @param rejection why the attempt of the user with the right password is rejected; null if the password is wrong
 */
async function failAttempt(
  platform: Platform,
  attempt: SignInAttempt,
  users: readonly UserRecord[],
  rejection: (SignInRejection & { userId: string }) | null,
): Promise<never> {
  const throttled = await attempt.fail();
  await auditAttempts(platform, users, 'login.failed', (user) => {
    const known = rejection !== null && rejection.userId === user?._id ? [rejection.reason] : [];
    const reasons = [...known, ...(throttled ? ['throttled from now on'] : [])];
    return reasons.length === 0 ? undefined : reasons.join(', ');
  });
  throw rejection?.error ?? invalidCredentialsError();
}

/** Whether the user could still sign in with what was verified. */
async function isStillAuthentic(unit: UnitOfWork, user: UserRecord): Promise<boolean> {
  const { _id, organisationId, passwordHash, secondFactorAt = null } = user;
  const { matchedCount } = await User.updateOne(
    { _id, organisationId, active: true, passwordHash, secondFactorAt },
    { $inc: { signIns: 1 } },
    { session: unit.mongoSession },
  );
  return matchedCount > 0;
}

/**
 * Begins a session in a transaction, if the user could still sign in with what was verified. A change of password or
 * second factor, or a deactivation, ends all sessions: it ends this one too, or prevents it, which is audited.
 * @param user as {@link authenticateUser} has verified it
 * @throws AppError 401
 */
export async function beginSessionOf<T>(
  platform: Platform,
  user: UserRecord,
  begin: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  const begun = await runTransaction(platform, async (unit) => {
    if (await isStillAuthentic(unit, user)) return { session: await begin(unit) };
    await auditAttempt(unit, user, 'login.failed', 'changed meanwhile');
    return null;
  });
  if (begun === null) throw invalidCredentialsError();
  return begun.session;
}
