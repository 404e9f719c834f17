import mongoose from 'mongoose';
import { loadConfig } from '../lib/config';
import { ensureBusinessDefaults } from '../services/business/defaults';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { createOrganisation } from '../services/platform/organisations';
import { serviceEnvironment } from '../scripts/demo/running-service';
import { seedInvoices } from './invoice-rows';
import { report, rounded } from './report';
import type { BenchInput } from './report';

const ROWS = 1_000_000;

/** Makes invoices to be exported in an organisation of their own; the number is the first argument. */
export async function benchExports({ files }: BenchInput): Promise<void> {
  const rows = Number(files[0] ?? ROWS);
  const config = { ...loadConfig(serviceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  try {
    const { _id } = await createOrganisation(platform, { name: 'Exports', slug: `e-${Date.now()}` });
    await ensureBusinessDefaults(platform, _id, { legalName: 'Exports Ltd' });
    const { db } = mongoose.connection;
    if (db === undefined) throw new Error('MongoDB is not connected.');
    const start = performance.now();
    await seedInvoices(db, _id, rows, { rebuildIndexes: true });
    report('exports', { seededRows: rows, seededPerSecond: rounded(rows / ((performance.now() - start) / 1000), 0) });
  } finally {
    await closePlatform(platform);
  }
}
