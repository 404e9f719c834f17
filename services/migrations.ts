import { ensureIndexes } from '../models';
import { billDifferences } from './business/migrations/bill-differences';
import { fileEncryption } from './business/migrations/file-encryption';
import { invoiceSettlement } from './business/migrations/invoice-settlement';
import { receiptStates } from './business/migrations/receipt-states';
import { searchTokens } from './business/migrations/search-tokens';
import { vendorNumbers } from './business/migrations/vendor-numbers';
import { writeOffCharges } from './business/migrations/write-off-charges';
import { documentFingerprints } from './identity/migrations/document-fingerprints';
import { importedHits } from './identity/migrations/imported-hits';
import { sealedFields } from './identity/migrations/sealed-fields';
import { sessionTemplates } from './identity/migrations/session-templates';
import { auditChains } from './platform/migrations/audit-chains';
import { emailIndex } from './platform/migrations/email-index';
import type { Migration } from './platform/migrations/migration';
import { runMigrations } from './platform/migrations/run';
import type { MigrationReport, OnMigrationProgress } from './platform/migrations/run';
import { readSchemaStatus } from './platform/migrations/schema-state';
import type { SchemaStatus } from './platform/migrations/schema-state';
import { userRoles } from './platform/migrations/user-roles';
import type { Platform } from './platform/platform';

/** Every migration, in order. New ones are appended; none is changed or removed once it was released. */
export const MIGRATIONS: readonly Migration[] = [
  userRoles,
  emailIndex,
  sessionTemplates,
  billDifferences,
  invoiceSettlement,
  sealedFields,
  documentFingerprints,
  auditChains,
  fileEncryption,
  importedHits,
  writeOffCharges,
  receiptStates,
  searchTokens,
  vendorNumbers,
];

/** Brings the data and the indexes to the version of this code; see {@link runMigrations}. */
export async function migrateDatabase(platform: Platform, onProgress?: OnMigrationProgress): Promise<MigrationReport> {
  const report = await runMigrations(platform, MIGRATIONS, onProgress);
  await ensureIndexes();
  return report;
}

/** Which migrations the database has. */
export const getSchemaStatus = (platform: Pick<Platform, 'clock'>): Promise<SchemaStatus> =>
  readSchemaStatus(platform, MIGRATIONS);
