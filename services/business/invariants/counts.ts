import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { inTransaction } from '../../../lib/mongo';
import { fromStored } from '../../../models/business/decimal128';
import { DocumentCount } from '../../../models/business/documents/document-count';
import type { DocumentCountRecord } from '../../../models/business/documents/document-count';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { INVOICE_LIST } from '../invoices/invoice-lists';

interface Sum {
  _id: { day: string; status: string };
  count: number;
  baseTotal: DocumentCountRecord['baseTotal'];
}

interface Counted {
  count: number;
  baseTotal: Decimal;
}

const byDayAndStatus = (rows: readonly Sum[]): Map<string, Counted> =>
  new Map(
    rows.map(({ _id, count, baseTotal }) => [`${_id.day}/${_id.status}`, { count, baseTotal: fromStored(baseTotal) }]),
  );

const sumOf = (day: string, count: unknown) => ({
  $group: { _id: { day, status: '$status' }, count: { $sum: count }, baseTotal: { $sum: '$baseTotal' } },
});

/** `YYYY-MM` of the month after. */
const nextMonth = (month: string): string => {
  const [year = 0, index = 0] = month.split('-').map(Number);
  return index === 12 ? `${year + 1}-01` : `${year}-${String(index + 1).padStart(2, '0')}`;
};

async function lookAtMonth(session: ClientSession, organisationId: string, month: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  const days = { $gte: `${month}-01`, $lt: `${nextMonth(month)}-01` };
  const counted = byDayAndStatus(
    await DocumentCount.aggregate<Sum>([
      { $match: { organisationId, list: INVOICE_LIST, day: days } },
      sumOf('$day', '$count'),
    ]).session(session),
  );
  const there = byDayAndStatus(
    await Invoice.aggregate<Sum>([{ $match: { organisationId, issueDate: days } }, sumOf('$issueDate', 1)]).session(
      session,
    ),
  );
  for (const key of new Set([...counted.keys(), ...there.keys()])) {
    const findings = report.of('document_counts');
    const subject = `list:${INVOICE_LIST}/${key}`;
    findings.same(subject, 'documents', there.get(key)?.count ?? 0, counted.get(key)?.count ?? 0);
    findings.same(subject, 'base total', there.get(key)?.baseTotal ?? ZERO, counted.get(key)?.baseTotal ?? ZERO);
  }
  return report;
}

/** The first day after `month` (`YYYY-MM`) that counts or documents have, as its month; null when there is none. */
async function monthAfter(organisationId: string, month: string | null): Promise<string | null> {
  const after = month === null ? {} : { $gte: `${nextMonth(month)}-01` };
  const dayOf = (field: string) => (month === null ? {} : { [field]: after });
  const [counted, there] = await Promise.all([
    DocumentCount.findOne({ organisationId, list: INVOICE_LIST, ...dayOf('day') }, { day: 1 })
      .sort({ day: 1 })
      .lean<Pick<DocumentCountRecord, 'day'>>(),
    Invoice.findOne({ organisationId, ...dayOf('issueDate') }, { issueDate: 1 })
      .sort({ issueDate: 1 })
      .lean<Pick<InvoiceRecord, 'issueDate'>>(),
  ]);
  const days = [counted?.day, there?.issueDate].filter((day) => day !== undefined).sort();
  return days[0]?.slice(0, 7) ?? null;
}

/** What lists count against their documents, month by month. */
export async function lookAtCounts(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  for (let month = await monthAfter(organisationId, null); month !== null;) {
    const now: string = month;
    report.add(await inTransaction((session) => lookAtMonth(session, organisationId, now)));
    month = await monthAfter(organisationId, now);
  }
  return report;
}
