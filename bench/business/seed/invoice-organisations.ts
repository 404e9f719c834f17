import mongoose from 'mongoose';
import { Invoice } from '../../../models/business/invoices/invoice';
import { ensureBusinessDefaults } from '../../../services/business/settings/default-records';
import { createOrganisation, findOrganisationBySlug } from '../../../services/platform/access/organisations';
import type { Platform } from '../../../services/platform/platform';
import { seedInvoices } from './seed-invoices';

/** Finds or creates the organisation with `count` invoices; it is kept for the next benchmark. */
export async function ensureInvoices(platform: Platform, count: number): Promise<string> {
  const slug = `bench-lists-${count}`;
  const existing = await findOrganisationBySlug(slug);
  if (existing !== null && (await Invoice.exists({ organisationId: existing._id })) !== null) return existing._id;
  return generateInvoices(platform, count, existing?._id ?? slug);
}

/**
 * Writes `count` invoices.
 *
 * @param idOrSlug id of an organisation without invoices, or slug of a new organisation
 * @param lines lines of each invoice; one to three by default
 * @returns id of the organisation
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
  await ensureBusinessDefaults(platform, organisationId, {
    legalName: 'Invoices',
    completenessChecks: 'off',
    taxPercent: '20',
  });
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
