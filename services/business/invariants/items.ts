import type { ClientSession, Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { isCredit, ITEM_KINDS, SIDES } from '../../../domain/business/payments/open-items';
import type { ItemKind, Side } from '../../../domain/business/payments/open-items';
import { inTransaction } from '../../../lib/mongo';
import { fromStored } from '../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import { statusOf } from '../invoices/invoice-status';
import { issuedDocuments } from './issued';
import type { IssuedDocument } from './issued';
import { standingSettlements } from './settlements';
import type { Settlements } from './settlements';

/** Items of one kind looked at in one snapshot. */
const PAGE = 500;

interface EntrySum {
  _id: Types.ObjectId;
  amount: AccountEntryRecord['amount'];
  base: AccountEntryRecord['amount'];
  issued: AccountEntryRecord['amount'];
  issuedBase: AccountEntryRecord['amount'];
}

const subjectOf = (side: Side, kind: ItemKind, id: number): string =>
  `${side === 'payable' || kind === 'payment' ? `${side}-` : ''}${kind}:${id}`;

/** original = open + settled + credited + reversed; nothing below zero; the state says what is open. */
function compareParts(item: OpenItemRecord, subject: string, report: InvariantReport): void {
  const findings = report.of('open_items');
  const [open, settled, credited, reversed] = [item.open, item.settled, item.credited, item.reversed].map(fromStored);
  if (open === undefined || settled === undefined || credited === undefined || reversed === undefined) return;
  const parts = open.plus(settled).plus(credited).plus(reversed);
  findings.same(subject, 'open + settled + credited + reversed', fromStored(item.original), parts);
  for (const [what, amount] of Object.entries({ open, settled, credited, reversed }))
    findings.holds(!amount.isNegative(), subject, what, 'at least 0', amount);
  const openBase = fromStored(item.openBase);
  findings.holds(!openBase.isNegative(), subject, 'openBase', 'at least 0', openBase);
  if (open.isZero()) findings.same(subject, 'openBase of what is settled', ZERO, openBase);
  findings.holds(
    (item.state === 'open') === open.gt(0),
    subject,
    'state',
    open.gt(0) ? 'open' : 'settled or void',
    item.state,
  );
}

function compareEntries(item: OpenItemRecord, entries: EntrySum | undefined, subject: string, report: InvariantReport) {
  const findings = report.of('account_entries');
  const signed = (amount: Decimal): Decimal => (isCredit(item.kind) ? amount.neg() : amount);
  const entered = (what: 'amount' | 'base' | 'issued' | 'issuedBase'): Decimal =>
    entries === undefined ? ZERO : signed(fromStored(entries[what]));
  findings.same(subject, 'entries, document currency', fromStored(item.open), entered('amount'));
  findings.same(subject, 'entries, base currency', fromStored(item.openBase), entered('base'));
  findings.same(subject, 'entry of issue, document currency', fromStored(item.original), entered('issued'));
  findings.same(subject, 'entry of issue, base currency', fromStored(item.originalBase), entered('issuedBase'));
}

function compareDocument(
  item: OpenItemRecord | undefined,
  document: IssuedDocument | undefined,
  subject: string,
  report: InvariantReport,
): void {
  const findings = report.of('item_documents');
  findings.same(
    subject,
    item === undefined ? 'item' : 'document',
    1,
    item === undefined || document === undefined ? 0 : 1,
  );
  if (item === undefined || document === undefined) return;
  findings.same(subject, 'customer or vendor', document.partyId, item.partyId);
  findings.same(subject, 'currency', document.currencyCode, item.currencyCode);
  findings.same(subject, 'amount', fromStored(document.amount), fromStored(item.original));
  findings.same(subject, 'base amount', fromStored(document.base), fromStored(item.originalBase));
  findings.same(subject, 'void', document.undone, item.state === 'void');
  if (document.status !== null) findings.same(subject, 'status', statusOf(item), document.status);
}

function compareSettlements(item: OpenItemRecord, settlements: Settlements, subject: string, report: InvariantReport) {
  const findings = report.of('settlements');
  const { settled, credited } = settlements(item);
  findings.same(subject, 'settled', settled, fromStored(item.settled));
  findings.same(subject, 'credited', credited, fromStored(item.credited));
}

async function entriesOf(session: ClientSession, items: readonly OpenItemRecord[], side: Side, organisationId: string) {
  const issued = (field: string) => ({ $sum: { $cond: [{ $eq: ['$kind', 'issue'] }, field, 0] } });
  const sums = await AccountEntry.aggregate<EntrySum>([
    { $match: { organisationId, side, itemId: { $in: items.map(({ _id }) => _id) } } },
    {
      $group: {
        _id: '$itemId',
        amount: { $sum: '$amount' },
        base: { $sum: '$amountBase' },
        issued: issued('$amount'),
        issuedBase: issued('$amountBase'),
      },
    },
  ]).session(session);
  return new Map(sums.map((sum) => [sum._id.toHexString(), sum]));
}

async function lookAtPage(session: ClientSession, organisationId: string, side: Side, kind: ItemKind, after: number) {
  const report = new InvariantReport();
  const items = await OpenItem.find({ organisationId, side, kind, id: { $gt: after } }, { tokens: 0 })
    .sort({ id: 1 })
    .limit(PAGE)
    .session(session)
    .lean<OpenItemRecord[]>();
  const next = items.length < PAGE ? null : (items.at(-1)?.id ?? null);
  const id = { $gt: after, ...(next === null ? {} : { $lte: next }) };
  const documents = new Map(
    (await issuedDocuments(session, side, kind, { organisationId, id })).map((document) => [document.id, document]),
  );
  const entries = await entriesOf(session, items, side, organisationId);
  const settlements = await standingSettlements(session, organisationId, side, items);
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const each of new Set([...byId.keys(), ...documents.keys()])) {
    const subject = subjectOf(side, kind, each);
    const item = byId.get(each);
    compareDocument(item, documents.get(each), subject, report);
    if (item === undefined) continue;
    compareParts(item, subject, report);
    compareEntries(item, entries.get(item._id.toHexString()), subject, report);
    compareSettlements(item, settlements, subject, report);
  }
  return { report, next };
}

/** Receivables and payables against their documents, entries and settlements. */
export async function lookAtItems(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  for (const side of SIDES)
    for (const kind of ITEM_KINDS) {
      let after: number | null = Number.MIN_SAFE_INTEGER;
      while (after !== null) {
        const from: number = after;
        const page = await inTransaction((session) => lookAtPage(session, organisationId, side, kind, from));
        report.add(page.report);
        after = page.next;
      }
    }
  return report;
}
