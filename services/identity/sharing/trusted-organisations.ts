import { invalidFieldError, notFoundError } from '../../../domain/errors';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';
import { getOrganisation } from '../../platform/access/organisations';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';

/** Maximum number of organisations that one trusts. */
export const MAX_TRUSTED_ORGANISATIONS = 200;

/** An organisation as others of the installation see it. */
export interface NamedOrganisation {
  id: string;
  name: string;
}

/** Organisations that do not exist any more are left out. */
async function nameOrganisations(ids: readonly string[]): Promise<NamedOrganisation[]> {
  const records = await Organisation.find({ _id: { $in: [...ids] } }, { name: 1 })
    .sort({ _id: 1 })
    .lean<Pick<OrganisationRecord, '_id' | 'name'>[]>();
  return records.map(({ _id: id, name }) => ({ id, name }));
}

/** Trust is separate by mode: a test key has no say in what is adopted from live shares. */
const TRUST_FIELDS = { live: 'trustedOrganisations', test: 'testTrustedOrganisations' } as const;

/** Organisations of earlier versions have no list for test mode. */
const findTrusted = (organisation: Partial<OrganisationRecord>, mode: Scope['mode']): readonly string[] =>
  organisation[TRUST_FIELDS[mode]] ?? [];

/**
 * The organisations of this installation whose decisions the organisation adopts in this mode without a review if asked
 * to.
 */
export const listTrustedOrganisations = async ({ organisationId, mode }: Scope): Promise<NamedOrganisation[]> =>
  nameOrganisations(findTrusted(await getOrganisation(organisationId), mode));

/** Whether an organisation has named another one as trusted in this mode. */
export const trustsOrganisation = async ({ organisationId, mode }: Scope, other: string): Promise<boolean> =>
  organisationId === other ||
  (await Organisation.exists({ _id: organisationId, [TRUST_FIELDS[mode]]: other })) !== null;

/**
 * Replaces the trusted organisations of the mode.
 * @throws AppError 400 for an id that is not an organisation of this installation; 404
 */
export async function setTrustedOrganisations(
  platform: Platform,
  scope: Scope,
  actor: string,
  ids: readonly string[],
): Promise<NamedOrganisation[]> {
  const distinct = [...new Set(ids)];
  const named = await nameOrganisations(distinct);
  const unknown = distinct.findIndex((id) => !named.some((organisation) => organisation.id === id));
  if (unknown !== -1)
    throw invalidFieldError(`organisationIds[${unknown}]`, 'is not an organisation of this installation');
  await runTransaction(platform, async (unit) => {
    const changed = await Organisation.updateOne(
      { _id: scope.organisationId },
      { $set: { [TRUST_FIELDS[scope.mode]]: distinct } },
      { session: unit.mongoSession },
    );
    if (changed.matchedCount === 0) throw notFoundError('organisation');
    if (changed.modifiedCount === 0) return;
    const entry = { actor, action: 'organisation.trust_changed', subject: scope.organisationId };
    await unit.audit(scope, { ...entry, fields: ['trustedOrganisations'] });
  });
  return named;
}
