import type { ClientSession } from 'mongoose';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { withMongoTransaction } from '../../../lib/mongo';

/** The result of one page; `next` is the id after which the next page starts, null after the last page. */
export interface CheckedPage {
  report: InvariantReport;
  next: number | null;
}

/** Checks a collection page by page, in the order of its ids, with one snapshot for each page. */
export async function checkInPages(
  checkPage: (mongoSession: ClientSession, after: number) => Promise<CheckedPage>,
): Promise<InvariantReport> {
  const report = new InvariantReport();
  let after: number | null = Number.MIN_SAFE_INTEGER;
  while (after !== null) {
    const from: number = after;
    const page = await withMongoTransaction((mongoSession) => checkPage(mongoSession, from));
    report.merge(page.report);
    after = page.next;
  }
  return report;
}

/** The id after which the next page starts; null if `rows` are the last ones. */
export const getNextPageStart = <T>(rows: readonly T[], pageSize: number, getId: (row: T) => number): number | null => {
  const last = rows.at(-1);
  return last === undefined || rows.length < pageSize ? null : getId(last);
};
