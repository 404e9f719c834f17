import { notFoundError } from '../../../domain/errors';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';
import { User } from '../../../models/platform/access/user';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import { getOrganisation } from './organisations';

/** What an organisation requires of the sign-ins of its users. */
export interface SignInPolicy {
  secondFactorRequired: boolean;
}

const readPolicy = ({ secondFactorRequired }: OrganisationRecord): SignInPolicy => ({
  secondFactorRequired: secondFactorRequired === true,
});

/** @throws AppError 404 */
export const getSignInPolicy = async (organisationId: string): Promise<SignInPolicy> =>
  readPolicy(await getOrganisation(organisationId));

/** Changes the policy, also for sessions that are open already. @throws AppError 404 */
export async function setSignInPolicy(
  platform: Platform,
  organisationId: string,
  { secondFactorRequired }: SignInPolicy,
  actor: string,
): Promise<SignInPolicy> {
  return runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    const changed = await Organisation.findOneAndUpdate(
      { _id: organisationId },
      { $set: { secondFactorRequired } },
      { session, returnDocument: 'after' },
    ).lean<OrganisationRecord>();
    if (changed === null) throw notFoundError('organisation');
    // Also stored with each user, who is read for every request.
    await User.updateMany({ organisationId }, { $set: { secondFactorRequired } }, { session });
    const entry = { actor, action: 'organisation.sign_in_policy_changed', subject: organisationId };
    await unit.audit({ organisationId, mode: 'live' }, { ...entry, fields: ['secondFactorRequired'] });
    return readPolicy(changed);
  });
}
