import mongoose from 'mongoose';
import { Invoice } from '../../../models/business/invoices/invoice';
import { ensureBusinessDefaults } from '../../../services/business/settings/default-records';
import { createOrganisation, findOrganisationBySlug } from '../../../services/platform/access/organisations';
import type { Platform } from '../../../services/platform/platform';
import { seedInvoices } from './seed-invoices';

/** An organisation with so many invoices, made by the first bench that needs them and kept for the next. */
export async function ensureInvoices(platform: Platform, count: number): Promise<string> {
  const slug = `bench-lists-${count}`;
  const existing = await findOrganisationBySlug(slug);
  if (existing !== null && (await Invoice.exists({ organisationId: existing._id })) !== null) return existing._id;
  return generateInvoices(platform, count, existing?._id ?? slug);
}

/**
 * Writes so many invoices.
 * @param idOrSlug the id of an organisation without invoices, or the slug of a new one
 * @param lines of each; one to three unless given
 * @returns the organisation's id
 */
export async function generateInvoices(
  platform: Platform,
  count: number,
  idOrSlug: string,
  lines?: number,
): Promise<string> {
  const isNew = !idOrSlug.startsWith('org_');
  const organisationId = isNew
    ? (await createOrganisation(platform, { name: 'Invoices', slug: idOrSlug }))._id
    : idOrSlug;
  await ensureBusinessDefaults(platform, organisationId, { legalName: 'Invoices' });
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  await seedInvoices(db, organisationId, count, {
    lines,
    rebuildIndexes: (await Invoice.estimatedDocumentCount()) === 0,
    onProgress: (written) => {
      if (written % Math.ceil(count / 10) === 0) console.error(`${written} invoices written`);
    },
  });
  return organisationId;
}
