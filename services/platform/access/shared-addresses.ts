import type { UserRecord } from '../../../models/platform/access/user';
import type { Platform } from '../platform';
import { beginComparison, forgetComparisons } from './sign-in-throttle';

/** Compares the password with that of one account, if it may be. @returns whether the response may tell if it is right */
async function compare(platform: Platform, email: string, { _id }: UserRecord, isRight: boolean): Promise<boolean> {
  const comparison = await beginComparison(platform, email, _id);
  if (typeof comparison === 'number') return false;
  if (isRight) await comparison.release();
  else await comparison.fail();
  return true;
}

/**
 * Of the accounts of one address that have the password of an attempt, those that the response may tell of.
 *
 * An administrator can create an account with the address of another user and give it any password. Signing in to it
 * tells whether the other account has this password, too: then the client has to choose. So each account counts how often
 * the password was wrong for it while it was right for another one. The attempt itself does not count as a failure, so
 * that people with several accounts can sign in as often as they like. While the count of an account delays further
 * comparisons, an attempt that is right for another account is answered as if it were wrong for this one. The right
 * password of an account forgets its count, so that of two accounts at most one is in this state.
 * @param usable accounts whose password was verified
 * @param matching those of them that have the password
 */
export async function findTellableUsers(
  platform: Platform,
  email: string,
  usable: readonly UserRecord[],
  matching: readonly UserRecord[],
): Promise<readonly UserRecord[]> {
  if (matching.length === 0 || usable.length === 1) return matching;
  const right = new Set(matching);
  const tellable = await Promise.all(usable.map((user) => compare(platform, email, user, right.has(user))));
  const told = usable.filter((user, index) => right.has(user) && tellable[index] === true);
  // Where the count delays all of them, none is hidden behind another.
  const found = told.length === 0 ? matching : told;
  await Promise.all(found.map(({ _id }) => forgetComparisons(platform, email, _id)));
  return found;
}
