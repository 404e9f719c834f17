import { AppError } from '../../../domain/errors';
import {
  ACCOUNT_POLICY,
  ADDRESS_POLICY,
  CODE_POLICY,
  COMPARISON_POLICY,
} from '../../../domain/platform/access/sign-in-throttle';
import type { FailurePolicy } from '../../../domain/platform/access/sign-in-throttle';
import { toClientKey } from '../../../lib/client-key';
import type { Platform } from '../platform';
import { normaliseEmail } from './email-addresses';
import { beginAttempt, clearFailures, endAttempt, failAttempt } from './failure-counters';
import type { FailureCounter } from './failure-counters';

/** What failures count: attempts from a client address, from all addresses, from a known device, and so on. */
type FailureKind = 'address' | 'account' | 'device' | 'second_factor' | 'codes' | 'comparison' | 'password_change';

/** A running attempt to sign in. */
export interface SignInAttempt {
  /** The password was right: forgets the failures from the same address, and only these. */
  succeed(): Promise<void>;
  /** The attempt ended without showing whether its sender knows the password. */
  release(): Promise<void>;
  /** @returns whether further attempts are delayed from now on */
  fail(): Promise<boolean>;
}

/** 429 with the time until the next attempt. */
export const throttledError = (retryAfterSeconds: number): AppError =>
  new AppError(
    'sign_in_throttled',
    429,
    `Too many failed sign-in attempts; try again in ${retryAfterSeconds} s, or sign in on a device that you have used before.`,
    { retryAfterSeconds },
  );

const hash = ({ masterKey }: Platform, parts: readonly string[]): string =>
  masterKey.authenticate(JSON.stringify(parts), 'sign-in-failures');

/**
 * Failures of one kind for one account.
 * @param source what they have in common besides the account, such as the client address
 */
function buildCounter(
  platform: Platform,
  email: string,
  policy: FailurePolicy,
  kind: FailureKind,
  source = '',
): FailureCounter {
  const address = normaliseEmail(email);
  return { key: hash(platform, [address, kind, source]), account: hash(platform, [address]), policy };
}

/**
 * Begins an attempt of one source, such as a known device.
 * @returns the attempt, or the seconds until it can begin
 */
export async function beginSourceAttempt(
  platform: Platform,
  email: string,
  kind: FailureKind,
  source: string,
): Promise<SignInAttempt | number> {
  return beginCountedAttempt(platform, buildCounter(platform, email, ADDRESS_POLICY, kind, source));
}

/**
 * Begins an attempt to use a code of the second factor after the right password.
 * @returns the attempt, or the seconds until it can begin
 */
export const beginCodeAttempt = (platform: Platform, email: string, userId: string): Promise<SignInAttempt | number> =>
  beginCountedAttempt(platform, buildCounter(platform, email, CODE_POLICY, 'codes', userId));

/**
 * Begins a comparison of a password with that of a user, while it is right for another account with the same address.
 * @returns the attempt, or the seconds until it can begin
 */
export const beginComparison = (platform: Platform, email: string, userId: string): Promise<SignInAttempt | number> =>
  beginCountedAttempt(platform, buildCounter(platform, email, COMPARISON_POLICY, 'comparison', userId));

/** Forgets the failed comparisons with the password of a user. */
export async function forgetComparisons(platform: Platform, email: string, userId: string): Promise<void> {
  const counter = buildCounter(platform, email, COMPARISON_POLICY, 'comparison', userId);
  await endAttempt(counter, platform.clock.now());
}

async function beginCountedAttempt(platform: Platform, counter: FailureCounter): Promise<SignInAttempt | number> {
  const getNow = () => platform.clock.now();
  const wait = await beginAttempt(counter, getNow);
  if (wait > 0) return wait;
  return {
    succeed: async () => void (await endAttempt(counter, getNow())),
    release: async () => void (await endAttempt(counter, getNow(), 0)),
    fail: () => failAttempt(counter, getNow()),
  };
}

/**
 * Begins an attempt to sign in with an email address, known or unknown, from a client address.
 * @returns the attempt, or the seconds until it can begin; such an attempt is not counted and does not extend the delay
 */
export async function beginSignIn(platform: Platform, email: string, address: string): Promise<SignInAttempt | number> {
  const getNow = () => platform.clock.now();
  const source = buildCounter(platform, email, ADDRESS_POLICY, 'address', toClientKey(address));
  const account = buildCounter(platform, email, ACCOUNT_POLICY, 'account');
  const sourceWait = await beginAttempt(source, getNow);
  if (sourceWait > 0) return sourceWait;
  const accountWait = await beginAttempt(account, getNow);
  if (accountWait > 0) {
    await endAttempt(source, getNow(), 0);
    return accountWait;
  }
  return {
    async succeed() {
      const failures = await endAttempt(source, getNow());
      await endAttempt(account, getNow(), failures);
    },
    async release() {
      await endAttempt(source, getNow(), 0);
      await endAttempt(account, getNow(), 0);
    },
    async fail() {
      const [fromSource, ofAccount] = [await failAttempt(source, getNow()), await failAttempt(account, getNow())];
      return fromSource || ofAccount;
    },
  };
}

/** Forgets every failed attempt of an account. @returns whether there was one */
export const clearSignInFailures = (platform: Platform, email: string): Promise<boolean> =>
  clearFailures(hash(platform, [normaliseEmail(email)]));
