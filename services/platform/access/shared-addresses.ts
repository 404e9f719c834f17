import type { UserRecord } from '../../../models/platform/access/user';
import type { Platform } from '../platform';
import { beginComparison, forgetComparisons } from './sign-in-throttle';

/** Compares the password with that of one account, if it may be. @returns whether the response may disclose if it is right */
async function compare(platform: Platform, email: string, { _id }: UserRecord, isRight: boolean): Promise<boolean> {
  const comparison = await beginComparison(platform, email, _id);
  if (typeof comparison === 'number') return false;
  if (isRight) await comparison.release();
  else await comparison.fail();
  return true;
}

/**
 * Finds the accounts of one address that have the password of an attempt, as far as the response may disclose them.
 *
 * An administrator can create an account with the address of another user and give it any password. Signing in to it
 * discloses whether the other account has this password, too, because the client then has to choose. So each account
 * counts how often the password was wrong for it while it was right for another one. The attempt itself does not count as
 * a failure, so that people with several accounts can sign in as often as they like. While the count of an account delays
 * further comparisons, an attempt that is right for another account is answered as if it were wrong for this one. The
 * right password of an account resets its count, so that of two accounts at most one is in this state.
 * @param usable accounts whose password was verified
 * @param matching those of them that have the password
 */
export async function findDisclosedUsers(
  platform: Platform,
  email: string,
  usable: readonly UserRecord[],
  matching: readonly UserRecord[],
): Promise<readonly UserRecord[]> {
  if (matching.length === 0 || usable.length === 1) return matching;
  const right = new Set(matching);
  const mayDisclose = await Promise.all(usable.map((user) => compare(platform, email, user, right.has(user))));
  const disclosed = usable.filter((user, index) => right.has(user) && mayDisclose[index] === true);
  // Where the count delays all of them, none is hidden behind another.
  const found = disclosed.length === 0 ? matching : disclosed;
  await Promise.all(found.map(({ _id }) => forgetComparisons(platform, email, _id)));
  return found;
}
