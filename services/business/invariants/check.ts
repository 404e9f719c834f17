import { INVARIANTS, InvariantReport } from '../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../domain/business/invariants/invariants';
import { isDuplicateKey } from '../../../lib/mongo';
import { Company } from '../../../models/business/settings/company';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';
import type { InvariantCheckRecord, InvariantResult } from '../../../models/business/invariants/invariant-check';
import type { Platform } from '../../platform/platform';
import { lookAtCounts } from './counts';
import { lookAtItems } from './items';
import { lookAtNumbers } from './numbers';
import { lookAtOrders } from './orders';
import { lookAtParties } from './parties';
import { lookAtStock } from './stock';

const LOOKS = [lookAtStock, lookAtItems, lookAtParties, lookAtNumbers, lookAtCounts, lookAtOrders] as const;

/** Keeps what was found, unless a look that began later was kept before. */
async function keep(organisationId: string, startedAt: Date, checkedAt: Date, results: InvariantResult[]) {
  try {
    await InvariantCheck.updateOne(
      { _id: organisationId, $or: [{ startedAt: null }, { startedAt: { $lte: startedAt } }] },
      { $set: { startedAt, checkedAt, results }, $setOnInsert: { requestedAt: null } },
      { upsert: true },
    );
  } catch (error) {
    // The upsert meets the record that the filter left out.
    if (!isDuplicateKey(error)) throw error;
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
  for (const look of LOOKS) report.add(await look(organisationId));
  const results = report.all().map(({ name, findings }): InvariantResult => {
    const { checked, violations, examples } = findings;
    return { invariant: name, checked, violations, examples };
  });
  await keep(organisationId, startedAt, platform.clock.now(), results);
  const broken = results.filter(({ violations }) => violations > 0);
  for (const { invariant, violations, examples } of broken) {
    const subjects = examples.map(({ subject }) => subject);
    platform.logger.error({ organisationId, invariant, violations, subjects }, 'An invariant does not hold');
  }
  return broken.reduce((total, { violations }) => total + violations, 0);
}

/** Companies asked for at once. */
const COMPANIES = 100;

/** The next companies in the order of their ids; fewer than a whole page are the last. */
export async function companiesAfter(after: string | null): Promise<{ ids: string[]; last: boolean }> {
  const rows = await Company.find(after === null ? {} : { _id: { $gt: after } }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(COMPANIES)
    .lean<{ _id: string }[]>();
  return { ids: rows.map(({ _id }) => _id), last: rows.length < COMPANIES };
}

/** One invariant as it was found last; null figures where it was never looked at. */
export interface InvariantView extends InvariantResult {
  invariant: InvariantName;
  statement: string;
}

export interface InvariantsView {
  /** When the look began whose results these are. */
  startedAt: Date | null;
  checkedAt: Date | null;
  /** Whether somebody asked for a look that has not ended yet. */
  running: boolean;
  violations: number;
  invariants: InvariantView[];
}

/** What a record of checks says, invariant by invariant. */
export function viewOf(record: InvariantCheckRecord | null, running: boolean): InvariantsView {
  const results = record?.results ?? [];
  return {
    startedAt: record?.startedAt ?? null,
    checkedAt: record?.checkedAt ?? null,
    running,
    violations: results.reduce((total, { violations }) => total + violations, 0),
    invariants: results.map((result) => ({ ...result, statement: INVARIANTS[result.invariant] })),
  };
}
