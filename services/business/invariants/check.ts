import { INVARIANTS, InvariantReport } from '../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../domain/business/invariants/invariants';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Company } from '../../../models/business/settings/company';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';
import type { InvariantCheckRecord, InvariantResult } from '../../../models/business/invariants/invariant-check';
import type { Platform } from '../../platform/platform';
import { checkCounts } from './counts';
import { checkItems } from './items';
import { checkNumbers } from './numbers';
import { checkOrders } from './orders';
import { checkParties } from './parties';
import { checkStock } from './stock';

const CHECKS = [checkStock, checkItems, checkParties, checkNumbers, checkCounts, checkOrders] as const;

/** Keeps what was found, unless a look that began later was kept before. */
async function saveResults(organisationId: string, startedAt: Date, checkedAt: Date, results: InvariantResult[]) {
  try {
    await InvariantCheck.updateOne(
      { _id: organisationId, $or: [{ startedAt: null }, { startedAt: { $lte: startedAt } }] },
      { $set: { startedAt, checkedAt, results }, $setOnInsert: { requestedAt: null } },
      { upsert: true },
    );
  } catch (error) {
    // The upsert meets the record that the filter left out.
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/**
 * Compares everything a company's records say twice, a page and a snapshot at a time, so that postings under way are
 * seen whole or not at all. Keeps the results and logs each invariant that does not hold.
 * @returns how many violations there are
 */
export async function checkInvariants(platform: Platform, organisationId: string): Promise<number> {
  const startedAt = platform.clock.now();
  const report = new InvariantReport();
  for (const check of CHECKS) report.merge(await check(organisationId));
  const results = report.listFindings().map(({ name, findings }): InvariantResult => {
    const { checked, violations, examples } = findings;
    return { invariant: name, checked, violations, examples };
  });
  await saveResults(organisationId, startedAt, platform.clock.now(), results);
  const violated = results.filter(({ violations }) => violations > 0);
  for (const { invariant, violations, examples } of violated) {
    const subjects = examples.map(({ subject }) => subject);
    platform.logger.error({ organisationId, invariant, violations, subjects }, 'An invariant does not hold');
  }
  return violated.reduce((total, { violations }) => total + violations, 0);
}

/** Companies asked for at once. */
const COMPANY_PAGE_SIZE = 100;

/** The next companies in the order of their ids; fewer than a whole page are the last. */
export async function listCompaniesAfter(after: string | null): Promise<{ ids: string[]; last: boolean }> {
  const rows = await Company.find(after === null ? {} : { _id: { $gt: after } }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(COMPANY_PAGE_SIZE)
    .lean<{ _id: string }[]>();
  return { ids: rows.map(({ _id }) => _id), last: rows.length < COMPANY_PAGE_SIZE };
}

/** One invariant as it was found last; null figures where it was never looked at. */
export interface InvariantDetail extends InvariantResult {
  invariant: InvariantName;
  statement: string;
}

export interface InvariantCheckSummary {
  /** When the look began whose results these are. */
  startedAt: Date | null;
  checkedAt: Date | null;
  /** Whether somebody asked for a look that has not ended yet. */
  running: boolean;
  violations: number;
  invariants: InvariantDetail[];
}

/** What a record of checks says, invariant by invariant. */
export function buildCheckSummary(record: InvariantCheckRecord | null, running: boolean): InvariantCheckSummary {
  const results = record?.results ?? [];
  return {
    startedAt: record?.startedAt ?? null,
    checkedAt: record?.checkedAt ?? null,
    running,
    violations: results.reduce((total, { violations }) => total + violations, 0),
    invariants: results.map((result) => ({ ...result, statement: INVARIANTS[result.invariant] })),
  };
}
