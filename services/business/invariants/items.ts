import type { ClientSession, Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { isCredit, ITEM_KINDS, LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { ItemKind, LedgerSide } from '../../../domain/business/payments/open-items';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import { computeInvoiceStatus } from '../invoices/invoice-status';
import { listIssuedDocuments } from './issued';
import type { PostedDocument } from './issued';
import { checkInPages, getNextPageStart } from './pages';
import type { CheckedPage } from './pages';
import { readActiveSettlements } from './settlements';
import type { Settlements } from './settlements';

/** Number of items of one kind checked in one snapshot. */
const PAGE_SIZE = 500;

interface EntrySum {
  _id: Types.ObjectId;
  amount: AccountEntryRecord['amount'];
  base: AccountEntryRecord['amount'];
  issued: AccountEntryRecord['amount'];
  issuedBase: AccountEntryRecord['amount'];
}

const buildItemSubject = (side: LedgerSide, kind: ItemKind, id: number): string =>
  `${side === 'payable' || kind === 'payment' ? `${side}-` : ''}${kind}:${id}`;

/** Requires original = open + settled + credited + reversed, no negative part, and a state that fits the open amount. */
function compareParts(item: OpenItemRecord, subject: string, report: InvariantReport): void {
  const findings = report.getFindings('open_items');
  const [open, settled, credited, reversed] = [item.open, item.settled, item.credited, item.reversed].map(
    fromDecimal128,
  );
  if (open === undefined || settled === undefined || credited === undefined || reversed === undefined) return;
  const parts = open.plus(settled).plus(credited).plus(reversed);
  findings.expectEqual(subject, 'open + settled + credited + reversed', fromDecimal128(item.original), parts);
  for (const [what, amount] of Object.entries({ open, settled, credited, reversed }))
    findings.expectTrue(!amount.isNegative(), subject, what, 'at least 0', amount);
  const openBase = fromDecimal128(item.openBase);
  findings.expectTrue(!openBase.isNegative(), subject, 'openBase', 'at least 0', openBase);
  if (open.isZero()) findings.expectEqual(subject, 'openBase of what is settled', ZERO, openBase);
  findings.expectTrue(
    (item.state === 'open') === open.gt(0),
    subject,
    'state',
    open.gt(0) ? 'open' : 'settled or void',
    item.state,
  );
}

function compareEntries(item: OpenItemRecord, entries: EntrySum | undefined, subject: string, report: InvariantReport) {
  const findings = report.getFindings('account_entries');
  const signed = (amount: Decimal): Decimal => (isCredit(item.kind) ? amount.neg() : amount);
  const entered = (what: 'amount' | 'base' | 'issued' | 'issuedBase'): Decimal =>
    entries === undefined ? ZERO : signed(fromDecimal128(entries[what]));
  findings.expectEqual(subject, 'entries, document currency', fromDecimal128(item.open), entered('amount'));
  findings.expectEqual(subject, 'entries, base currency', fromDecimal128(item.openBase), entered('base'));
  findings.expectEqual(subject, 'entry of issue, document currency', fromDecimal128(item.original), entered('issued'));
  findings.expectEqual(
    subject,
    'entry of issue, base currency',
    fromDecimal128(item.originalBase),
    entered('issuedBase'),
  );
}

function compareDocument(
  item: OpenItemRecord | undefined,
  document: PostedDocument | undefined,
  subject: string,
  report: InvariantReport,
): void {
  const findings = report.getFindings('item_documents');
  findings.expectEqual(
    subject,
    item === undefined ? 'item' : 'document',
    1,
    item === undefined || document === undefined ? 0 : 1,
  );
  if (item === undefined || document === undefined) return;
  findings.expectEqual(subject, 'customer or vendor', document.partyId, item.partyId);
  findings.expectEqual(subject, 'currency', document.currencyCode, item.currencyCode);
  findings.expectEqual(subject, 'amount', fromDecimal128(document.amount), fromDecimal128(item.original));
  findings.expectEqual(subject, 'base amount', fromDecimal128(document.base), fromDecimal128(item.originalBase));
  findings.expectEqual(subject, 'void', document.undone, item.state === 'void');
  if (document.status !== null) findings.expectEqual(subject, 'status', computeInvoiceStatus(item), document.status);
}

function compareSettlements(item: OpenItemRecord, settlements: Settlements, subject: string, report: InvariantReport) {
  const findings = report.getFindings('settlements');
  const { settled, credited } = settlements(item);
  findings.expectEqual(subject, 'settled', settled, fromDecimal128(item.settled));
  findings.expectEqual(subject, 'credited', credited, fromDecimal128(item.credited));
}

async function sumEntries(
  mongoSession: ClientSession,
  items: readonly OpenItemRecord[],
  side: LedgerSide,
  organisationId: string,
) {
  const sumIssued = (field: string) => ({ $sum: { $cond: [{ $eq: ['$kind', 'issue'] }, field, 0] } });
  const sums = await AccountEntry.aggregate<EntrySum>([
    { $match: { organisationId, side, itemId: { $in: items.map(({ _id }) => _id) } } },
    {
      $group: {
        _id: '$itemId',
        amount: { $sum: '$amount' },
        base: { $sum: '$amountBase' },
        issued: sumIssued('$amount'),
        issuedBase: sumIssued('$amountBase'),
      },
    },
  ]).session(mongoSession);
  return new Map(sums.map((sum) => [sum._id.toHexString(), sum]));
}

async function checkItemPage(
  mongoSession: ClientSession,
  organisationId: string,
  side: LedgerSide,
  kind: ItemKind,
  after: number,
): Promise<CheckedPage> {
  const report = new InvariantReport();
  const items = await OpenItem.find({ organisationId, side, kind, id: { $gt: after } }, { tokens: 0 })
    .sort({ id: 1 })
    .limit(PAGE_SIZE)
    .session(mongoSession)
    .lean<OpenItemRecord[]>();
  const next = getNextPageStart(items, PAGE_SIZE, ({ id }) => id);
  const id = { $gt: after, ...(next === null ? {} : { $lte: next }) };
  const documents = new Map(
    (await listIssuedDocuments(mongoSession, side, kind, { organisationId, id })).map((document) => [
      document.id,
      document,
    ]),
  );
  const entries = await sumEntries(mongoSession, items, side, organisationId);
  const settlements = await readActiveSettlements(mongoSession, organisationId, side, items);
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const each of new Set([...byId.keys(), ...documents.keys()])) {
    const subject = buildItemSubject(side, kind, each);
    const item = byId.get(each);
    compareDocument(item, documents.get(each), subject, report);
    if (item === undefined) continue;
    compareParts(item, subject, report);
    compareEntries(item, entries.get(item._id.toHexString()), subject, report);
    compareSettlements(item, settlements, subject, report);
  }
  return { report, next };
}

/** Compares receivables and payables with their documents, entries and settlements. */
export async function checkItems(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  for (const side of LEDGER_SIDES)
    for (const kind of ITEM_KINDS)
      report.merge(
        await checkInPages((mongoSession, after) => checkItemPage(mongoSession, organisationId, side, kind, after)),
      );
  return report;
}
