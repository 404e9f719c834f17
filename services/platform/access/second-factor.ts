import { AppError, conflictError, invalidFieldError } from '../../../domain/errors';
import {
  buildTotpUri,
  findTotpPeriod,
  generateRecoveryCodes,
  generateTotpSecret,
  hashRecoveryCode,
} from '../../../lib/crypto/one-time-codes';
import { SecondFactor } from '../../../models/platform/access/second-factor';
import type { SecondFactorRecord } from '../../../models/platform/access/second-factor';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { requireCurrentPassword } from './password-change';
import { getUserAccount } from './users';
import { endSessions } from './sign-in-sessions';
import { beginCodeAttempt, throttledError } from './sign-in-throttle';

const ISSUER = 'Vouch';

/** A signed-in user, with the session of the request. */
export interface SignedIn {
  user: UserRecord;
  sessionId: string;
}

/** Binds the secret of a second factor to its user. */
export const buildSecondFactorAad = (userId: string): string => `second-factor:${userId}`;

const findConfirmed = async (userId: string): Promise<SecondFactorRecord | null> =>
  SecondFactor.findOne({ _id: userId, confirmedAt: { $ne: null } }).lean<SecondFactorRecord>();

const auditUser = (unit: UnitOfWork, user: UserRecord, action: string, actor = user._id): Promise<void> =>
  unit.audit({ organisationId: user.organisationId, mode: 'live' }, { actor, action, subject: user._id });

const wrongCodeError = () => invalidFieldError('code', 'is not a current code of the second factor');

/** Accepts a code once. */
async function acceptCode(platform: Platform, record: SecondFactorRecord, code: string): Promise<boolean> {
  const secret = platform.masterKey.open(record.secret, buildSecondFactorAad(record._id)).toString('utf8');
  const period = findTotpPeriod(secret, code, platform.clock.now());
  if (period !== null) {
    const accepted = { _id: record._id, lastPeriod: { $lt: period } };
    return (await SecondFactor.updateOne(accepted, { $set: { lastPeriod: period } })).modifiedCount === 1;
  }
  const recoveryHashes = hashRecoveryCode(code);
  const unused = { _id: record._id, confirmedAt: { $ne: null }, recoveryHashes };
  return (await SecondFactor.updateOne(unused, { $pull: { recoveryHashes } })).modifiedCount === 1;
}

/**
 * Verifies a code of the generator, or a recovery code; each is accepted once.
 * @returns whether it is right, or the seconds until the next one can be tried after too many wrong ones
 */
export async function verifySecondFactor(
  platform: Platform,
  user: UserRecord,
  code: string,
): Promise<boolean | number> {
  const record = await findConfirmed(user._id);
  if (record === null) return false;
  const attempt = await beginCodeAttempt(platform, user.email, user._id);
  if (typeof attempt === 'number') return attempt;
  const accepted = await acceptCode(platform, record, code);
  await (accepted ? attempt.succeed() : attempt.fail());
  return accepted;
}

/** @throws AppError 400, 429 */
async function requireCode(platform: Platform, user: UserRecord, code: string): Promise<void> {
  const verified = await verifySecondFactor(platform, user, code);
  if (typeof verified === 'number') throw throttledError(verified);
  if (!verified) throw wrongCodeError();
}

export interface SecondFactorStatus {
  enrolledAt: Date | null;
  required: boolean;
  recoveryCodesLeft: number;
}

/** @param userId null for an API key, which has no second factor */
export async function getSecondFactorStatus(userId: string | null): Promise<SecondFactorStatus> {
  if (userId === null) return { enrolledAt: null, required: false, recoveryCodesLeft: 0 };
  const user = await getUserAccount(userId);
  const record = await findConfirmed(user._id);
  return {
    enrolledAt: record?.confirmedAt ?? null,
    // Users of earlier versions have no such field.
    required: user.secondFactorRequired === true,
    recoveryCodesLeft: record?.recoveryHashes.length ?? 0,
  };
}

/**
 * Begins an enrolment: creates the secret that the user takes over into an authenticator app.
 * @throws AppError 400 for a wrong password, 409 `second_factor_enrolled`, 429
 */
export async function beginEnrolment(
  platform: Platform,
  { user }: SignedIn,
  currentPassword: string,
): Promise<{ secret: string; uri: string }> {
  await requireCurrentPassword(platform, user, currentPassword);
  const secret = generateTotpSecret();
  const sealed = platform.masterKey.seal(secret, buildSecondFactorAad(user._id));
  await runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    if ((await SecondFactor.exists({ _id: user._id, confirmedAt: { $ne: null } }).session(session)) !== null)
      throw conflictError('second_factor_enrolled', 'The user has a second factor already; remove it first.');
    const set = { organisationId: user.organisationId, secret: sealed, confirmedAt: null, lastPeriod: 0 };
    await SecondFactor.updateOne({ _id: user._id }, { $set: set }, { session, upsert: true });
    await auditUser(unit, user, 'user.second_factor_begun');
  });
  return { secret, uri: buildTotpUri(secret, ISSUER, user.email) };
}

/**
 * Completes an enrolment with a code of the generator, and ends every other session of the user.
 * @returns recovery codes, which only this call returns
 * @throws AppError 400 for a wrong code or without an enrolment
 */
export async function confirmEnrolment(
  platform: Platform,
  { user, sessionId }: SignedIn,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const pending = await SecondFactor.findOne({ _id: user._id, confirmedAt: null }).lean<SecondFactorRecord>();
  if (pending === null || !(await acceptCode(platform, pending, code))) throw wrongCodeError();
  const recoveryCodes = generateRecoveryCodes();
  await runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    const now = platform.clock.now();
    const set = { confirmedAt: now, recoveryHashes: recoveryCodes.map(hashRecoveryCode) };
    const confirmed = await SecondFactor.updateOne(
      { _id: user._id, confirmedAt: null, 'secret.data': pending.secret.data },
      { $set: set },
      { session },
    );
    if (confirmed.modifiedCount === 0) throw wrongCodeError();
    await User.updateOne({ _id: user._id }, { $set: { secondFactorAt: now } }, { session });
    await endSessions(unit, user._id, now, sessionId);
    await auditUser(unit, user, 'user.second_factor_enabled');
  });
  return { recoveryCodes };
}

/**
 * Removes the second factor of a user, who is not asked for codes any more.
 * @param actor who removes it: the user, an administrator or `system`
 */
export async function removeSecondFactor(platform: Platform, user: UserRecord, actor: string): Promise<void> {
  await runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    await SecondFactor.deleteOne({ _id: user._id }, { session });
    await User.updateOne({ _id: user._id }, { $set: { secondFactorAt: null } }, { session });
    await auditUser(unit, user, 'user.second_factor_removed', actor);
  });
}

/**
 * Removes the own second factor.
 * @throws AppError 400 for a wrong password or code, 409 `second_factor_mandatory` if the organisation requires one, 429
 */
export async function removeOwnSecondFactor(
  platform: Platform,
  { user }: SignedIn,
  proof: { currentPassword: string; code: string },
): Promise<void> {
  if (user.secondFactorRequired)
    throw conflictError('second_factor_mandatory', 'The organisation requires a second factor.');
  await requireCurrentPassword(platform, user, proof.currentPassword);
  await requireCode(platform, user, proof.code);
  await removeSecondFactor(platform, user, user._id);
}

/** 401: the password is right, and a code has to be sent with it. */
export const secondFactorRequiredError = (): AppError =>
  new AppError(
    'second_factor_required',
    401,
    'code: send a current code of the second factor with email and password.',
  );

/** 401 for a code that is wrong or was used. */
export const wrongSecondFactorError = (): AppError =>
  new AppError('second_factor_invalid', 401, 'code: is not a current code of the second factor, or was used before.');
