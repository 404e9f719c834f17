import mongoose from 'mongoose';
import { Invoice } from '../models/business/invoices/invoice';
import { ensureBusinessDefaults } from '../services/business/settings/default-records';
import { createOrganisation, findOrganisationBySlug } from '../services/platform/access/organisations';
import type { Platform } from '../services/platform/platform';
import { seedInvoices } from './invoice-rows';

/** An organisation with so many invoices, made by the first bench that needs them and kept for the next. */
export async function keptInvoices(platform: Platform, count: number): Promise<string> {
  const slug = `bench-lists-${count}`;
  const known = await findOrganisationBySlug(slug);
  if (known !== null && (await Invoice.exists({ organisationId: known._id })) !== null) return known._id;
  return madeInvoices(platform, count, known?._id ?? slug);
}

/**
 * Writes so many invoices.
 * @param where the id of an organisation without invoices, or the slug of a new one
 * @param lines of each; one to three unless given
 * @returns the organisation's id
 */
export async function madeInvoices(platform: Platform, count: number, where: string, lines?: number): Promise<string> {
  const isNew = !where.startsWith('org_');
  const organisationId = isNew ? (await createOrganisation(platform, { name: 'Invoices', slug: where }))._id : where;
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
