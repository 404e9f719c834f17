import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { withMongoTransaction } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { DocumentCount } from '../../../models/business/documents/document-count';
import type { DocumentCountRecord } from '../../../models/business/documents/document-count';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { INVOICE_LIST } from '../invoices/invoice-lists';

interface CountSum {
  _id: { day: string; status: string };
  count: number;
  baseTotal: DocumentCountRecord['baseTotal'];
}

interface CountTotals {
  count: number;
  baseTotal: Decimal;
}

const indexByDayAndStatus = (rows: readonly CountSum[]): Map<string, CountTotals> =>
  new Map(
    rows.map(({ _id, count, baseTotal }) => [
      `${_id.day}/${_id.status}`,
      { count, baseTotal: fromDecimal128(baseTotal) },
    ]),
  );

const buildSumStage = (day: string, count: unknown) => ({
  $group: { _id: { day, status: '$status' }, count: { $sum: count }, baseTotal: { $sum: '$baseTotal' } },
});

/** The following month, `YYYY-MM`. */
const computeNextMonth = (month: string): string => {
  const [year = 0, index = 0] = month.split('-').map(Number);
  return index === 12 ? `${year + 1}-01` : `${year}-${String(index + 1).padStart(2, '0')}`;
};

async function checkMonth(
  mongoSession: ClientSession,
  organisationId: string,
  month: string,
): Promise<InvariantReport> {
  const report = new InvariantReport();
  const days = { $gte: `${month}-01`, $lt: `${computeNextMonth(month)}-01` };
  const counted = indexByDayAndStatus(
    await DocumentCount.aggregate<CountSum>([
      { $match: { organisationId, list: INVOICE_LIST, day: days } },
      buildSumStage('$day', '$count'),
    ]).session(mongoSession),
  );
  const actual = indexByDayAndStatus(
    await Invoice.aggregate<CountSum>([
      { $match: { organisationId, issueDate: days } },
      buildSumStage('$issueDate', 1),
    ]).session(mongoSession),
  );
  for (const key of new Set([...counted.keys(), ...actual.keys()])) {
    const findings = report.getFindings('document_counts');
    const subject = `list:${INVOICE_LIST}/${key}`;
    findings.expectEqual(subject, 'documents', actual.get(key)?.count ?? 0, counted.get(key)?.count ?? 0);
    findings.expectEqual(
      subject,
      'base total',
      actual.get(key)?.baseTotal ?? ZERO,
      counted.get(key)?.baseTotal ?? ZERO,
    );
  }
  return report;
}

/** The first month (`YYYY-MM`) after `month` that has counts or documents; null if there is none. */
async function findMonthAfter(organisationId: string, month: string | null): Promise<string | null> {
  const after = month === null ? {} : { $gte: `${computeNextMonth(month)}-01` };
  const buildDayFilter = (field: string) => (month === null ? {} : { [field]: after });
  const [counted, actual] = await Promise.all([
    DocumentCount.findOne({ organisationId, list: INVOICE_LIST, ...buildDayFilter('day') }, { day: 1 })
      .sort({ day: 1 })
      .lean<Pick<DocumentCountRecord, 'day'>>(),
    Invoice.findOne({ organisationId, ...buildDayFilter('issueDate') }, { issueDate: 1 })
      .sort({ issueDate: 1 })
      .lean<Pick<InvoiceRecord, 'issueDate'>>(),
  ]);
  const days = [counted?.day, actual?.issueDate].filter((day) => day !== undefined).sort();
  return days[0]?.slice(0, 7) ?? null;
}

/** Compares the counts of lists with their documents, month by month. */
export async function checkCounts(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  for (let month = await findMonthAfter(organisationId, null); month !== null;) {
    const now: string = month;
    report.merge(await withMongoTransaction((mongoSession) => checkMonth(mongoSession, organisationId, now)));
    month = await findMonthAfter(organisationId, now);
  }
  return report;
}
