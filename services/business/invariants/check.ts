import { INVARIANTS, InvariantReport } from '../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../domain/business/invariants/invariants';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Company } from '../../../models/business/settings/company';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';
import type { InvariantCheckRecord, InvariantResult } from '../../../models/business/invariants/invariant-check';
import type { Platform } from '../../platform/platform';
import { checkBills } from './bills';
import { checkCounts } from './counts';
import { checkItems } from './items';
import { checkJournal } from './journal';
import { checkNumbers } from './numbers';
import { checkOrders } from './orders';
import { checkParties } from './parties';
import { checkReturns } from './returns';
import { checkReservations } from './reservations';
import { checkStock } from './stock';

const CHECKS = [
  checkStock,
  checkItems,
  checkParties,
  checkNumbers,
  checkCounts,
  checkOrders,
  checkReturns,
  checkBills,
  checkReservations,
  checkJournal,
] as const;

/** Saves the results, unless those of a check that started later have been saved already. */
async function saveResults(organisationId: string, startedAt: Date, checkedAt: Date, results: InvariantResult[]) {
  try {
    await InvariantCheck.updateOne(
      { _id: organisationId, $or: [{ startedAt: null }, { startedAt: { $lte: startedAt } }] },
      { $set: { startedAt, checkedAt, results }, $setOnInsert: { requestedAt: null } },
      { upsert: true },
    );
  } catch (error) {
    // The upsert conflicts with the record that the filter excludes.
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/**
 * Compares all figures that the records of a company store more than once. Each page is read in one snapshot, so that a
 * concurrent posting is seen completely or not at all. Saves the results and logs each invariant that does not hold.
 * @returns the number of violations
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

/** Number of companies read at once. */
const COMPANY_PAGE_SIZE = 100;

/** The next page of companies in the order of their ids. */
export async function listCompaniesAfter(after: string | null): Promise<{ ids: string[]; last: boolean }> {
  const rows = await Company.find(after === null ? {} : { _id: { $gt: after } }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(COMPANY_PAGE_SIZE)
    .lean<{ _id: string }[]>();
  return { ids: rows.map(({ _id }) => _id), last: rows.length < COMPANY_PAGE_SIZE };
}

/** The latest result of one invariant. */
export interface InvariantDetail extends InvariantResult {
  invariant: InvariantName;
  statement: string;
}

export interface InvariantCheckSummary {
  /** Time at which the check with these results started. */
  startedAt: Date | null;
  checkedAt: Date | null;
  /** True while a requested check has not finished. */
  running: boolean;
  violations: number;
  invariants: InvariantDetail[];
}

/** The saved results, by invariant. */
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
