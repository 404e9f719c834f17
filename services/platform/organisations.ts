import { conflict, invalidField } from '../../domain/errors';
import { newId } from '../../lib/ids';
import { isDuplicateKey } from '../../lib/mongo';
import { Organisation } from '../../models/platform/organisation';
import type { OrganisationRecord } from '../../models/platform/organisation';
import type { Platform } from './platform';
import { transact } from './unit-of-work';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Creates a tenant.
 * @param input.slug a short name for people: lower-case letters, digits and hyphens, unique in the installation.
 * @throws AppError 400 for a malformed slug, 409 when it is taken.
 */
export async function createOrganisation(
  platform: Platform,
  input: { name: string; slug: string },
): Promise<OrganisationRecord> {
  if (!SLUG.test(input.slug)) throw invalidField('slug', 'accepts lower-case letters, digits and hyphens, at most 63');
  if (input.name.trim() === '') throw invalidField('name', 'must not be empty');
  const record = { _id: newId('org'), name: input.name.trim(), slug: input.slug, createdAt: platform.clock.now() };
  try {
    await transact(platform, async (unit) => {
      await Organisation.create([record], { session: unit.session });
      await unit.audit(
        { organisationId: record._id, mode: 'live' },
        { actor: 'system', action: 'organisation.created', subject: record._id, fields: ['name', 'slug'] },
      );
    });
  } catch (error) {
    if (isDuplicateKey(error))
      throw conflict('slug_taken', `slug: an organisation named ${input.slug} exists already.`);
    throw error;
  }
  return record;
}

export const findOrganisationBySlug = (slug: string): Promise<OrganisationRecord | null> =>
  Organisation.findOne({ slug }).lean<OrganisationRecord>();
