import { conflictError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { isHostPort } from '../../../lib/config-values';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';

const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Creates a tenant.
 * @param input.slug readable identifier: lower-case letters, digits and hyphens, unique in the installation
 * @throws AppError 400 for a malformed slug, 409 if it is taken
 */
export async function createOrganisation(
  platform: Platform,
  input: { name: string; slug: string },
): Promise<OrganisationRecord> {
  if (!SLUG_PATTERN.test(input.slug))
    throw invalidFieldError('slug', 'accepts lower-case letters, digits and hyphens, at most 63');
  if (input.name.trim() === '') throw invalidFieldError('name', 'must not be empty');
  const record: OrganisationRecord = {
    _id: newId('org'),
    name: input.name.trim(),
    slug: input.slug,
    egressAllow: [],
    secondFactorRequired: false,
    trustedOrganisations: [],
    testTrustedOrganisations: [],
    administratorsGuard: 0,
    usersGuard: 0,
    createdAt: platform.clock.now(),
  };
  try {
    await runTransaction(platform, async (unit) => {
      await Organisation.create([record], { session: unit.mongoSession });
      await unit.audit(
        { organisationId: record._id, mode: 'live' },
        { actor: 'system', action: 'organisation.created', subject: record._id, fields: ['name', 'slug'] },
      );
    });
  } catch (error) {
    if (isDuplicateKeyError(error))
      throw conflictError('slug_taken', `slug: an organisation named ${input.slug} exists already.`);
    throw error;
  }
  return record;
}

/** The organisation with a slug; null if there is none. */
export const findOrganisationBySlug = (slug: string): Promise<OrganisationRecord | null> =>
  Organisation.findOne({ slug }).lean<OrganisationRecord>();

/** @throws AppError 404 */
export async function getOrganisation(id: string): Promise<OrganisationRecord> {
  const organisation = await Organisation.findById(id).lean<OrganisationRecord>();
  if (organisation === null) throw notFoundError('organisation');
  return organisation;
}

/**
 * The private addresses that webhooks of an organisation may call, in addition to those of the whole installation
 * (EGRESS_ALLOW). Only the operator can set them.
 */
export async function getEgressExceptions(organisationId: string): Promise<string[]> {
  const organisation = await Organisation.findById(organisationId, { egressAllow: 1 }).lean<
    Pick<OrganisationRecord, 'egressAllow'>
  >();
  return organisation?.egressAllow ?? [];
}

/**
 * Replaces the egress exceptions of an organisation.
 * @param hostPorts exact pairs such as `127.0.0.1:3999`
 * @throws AppError 400 for any other format
 */
export async function setEgressExceptions(
  platform: Platform,
  organisationId: string,
  hostPorts: readonly string[],
): Promise<void> {
  if (!hostPorts.every(isHostPort)) throw invalidFieldError('egressAllow', 'accepts host:port pairs');
  await runTransaction(platform, async (unit) => {
    const changed = await Organisation.updateOne(
      { _id: organisationId },
      { $set: { egressAllow: [...hostPorts] } },
      { session: unit.mongoSession },
    );
    if (changed.modifiedCount === 0) return;
    await unit.audit(
      { organisationId, mode: 'live' },
      { actor: 'system', action: 'organisation.egress_allowed', subject: organisationId, fields: ['egressAllow'] },
    );
  });
}
