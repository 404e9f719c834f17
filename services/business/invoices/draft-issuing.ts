import { Types } from 'mongoose';
import { AppError } from '../../../domain/errors';
import { getLogContext } from '../../../lib/context';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceDraftRecord, InvoiceRecord } from '../../../models/business/invoices/invoice';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { Claim, IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getCompanyToday } from '../settings/company';
import { compactCountsPeriodically, recordCountChanges } from '../documents/document-counts';
import { rejectUnissuableInvoice } from '../documents/completeness';
import { buildDraftInput } from './draft-content';
import { DRAFT_KIND, buildDraftCountChange, readCurrentInvoice, withDraft } from './drafts';
import type { DraftKey } from './drafts';
import { wasOvertakenByMidnight } from './invoice-batcher';
import { getIssuedInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import { writeInvoices } from './invoice-writing';
import type { DraftReplacement } from './invoice-writing';
import { dryRunInvoice } from './invoices';
import { POSTING_LOCK_TIMEOUT_MS, withPostingLock } from '../documents/posting-lock';
import { getRecord } from '../records/records';
import { requireVersion } from '../../platform/transactions/versions';

/** Replaces the draft by the invoice, which keeps its id and history; the version filter guards what this transaction read. */
const buildDraftReplacement = (draft: InvoiceDraftRecord, attempt: string): DraftReplacement => ({
  id: draft.id,
  write: async (unit, issued) => {
    const record: InvoiceRecord = {
      ...issued,
      issueAttempt: attempt,
      version: draft.version + 1,
      createdBy: draft.createdBy,
      createdAt: draft.createdAt,
    };
    const { _id, version } = draft;
    const written = await Invoice.replaceOne({ _id, version }, record, { session: unit.mongoSession });
    if (written.matchedCount === 0) throw new Error('a draft changed within the transaction that read it');
    await recordCountChanges(unit, [buildDraftCountChange(draft, -1)]);
    return record;
  },
});

/** One attempt to issue: everything is read, computed and written in one transaction. */
async function issueOnce(
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
  attempt: string,
  claim: Claim,
): Promise<InvoiceRecord> {
  try {
    return await runTransaction(platform, async (unit) => {
      const draft = await getRecord(caller, DRAFT_KIND, at.id, unit);
      requireVersion(draft.version, at.ifMatch);
      const now = platform.clock.now();
      const input = buildDraftInput(draft.sent);
      const prepared = await prepareInvoice(platform, caller, input, now);
      rejectUnissuableInvoice(caller.company, prepared, now);
      const [record] = await writeInvoices(unit, [
        {
          caller,
          input,
          prepared,
          _id: draft._id,
          claim: (within, recordId) => claim(within, recordId, 200),
          requestId: getLogContext().requestId,
          replacement: buildDraftReplacement(draft, attempt),
        },
      ]);
      if (record === undefined) throw new Error('a draft was issued without its record');
      return record;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    // No draft any more: issued by this attempt, whose commit had an unknown outcome, or by another request.
    const existing = await readCurrentInvoice(platform, caller, at.id);
    if (existing.status !== 'draft' && existing.issueAttempt === attempt) return existing;
    throw error;
  }
}

/** Issues a draft, and once more if midnight passed meanwhile; call it while holding the posting lock. */
async function issueOrRedate(
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
  claim: Claim,
): Promise<InvoiceRecord> {
  const attempt = new Types.ObjectId().toHexString();
  const { sent } = await getRecord(caller, DRAFT_KIND, at.id);
  const defaultedDate = sent.issueDate === null ? getCompanyToday(platform, caller) : null;
  try {
    return await issueOnce(platform, caller, at, attempt, claim);
  } catch (error) {
    if (!wasOvertakenByMidnight(platform, caller, defaultedDate, error)) throw error;
    return issueOnce(platform, caller, at, attempt, claim);
  }
}

/**
 * Issues a draft as an invoice: computed again with the current prices, rates and defaults, and written with the same
 * effects as by `createInvoice` in one transaction. The id stays.
 * @throws AppError as `createInvoice`; 404; 409 `invoice_already_issued`; 412
 */
export async function issueDraft(
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
  use: IdempotentUse | undefined,
): Promise<InvoiceRecord> {
  const { organisationId } = caller;
  const deadlineMs = Date.now() + POSTING_LOCK_TIMEOUT_MS;
  return runIdempotently(
    platform,
    use,
    (claim) =>
      withDraft(platform, caller, at.id, async () => {
        const issue = () => issueOrRedate(platform, caller, at, claim);
        const record = await withPostingLock(platform, organisationId, issue, deadlineMs);
        compactCountsPeriodically(platform, organisationId, INVOICE_LIST, record.sequence);
        return record.document.prepaid === undefined ? record : getIssuedInvoice(caller, record.id);
      }),
    (recordId) => getIssuedInvoice(caller, Number(recordId)),
  );
}

/** Computes what `issueDraft` would issue, with the errors of `dryRunInvoice`; writes nothing. @throws AppError as `issueDraft` */
export const dryRunDraftIssue = (
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> =>
  withDraft(platform, caller, at.id, async () => {
    const draft = await getRecord(caller, DRAFT_KIND, at.id);
    requireVersion(draft.version, at.ifMatch);
    return dryRunInvoice(platform, caller, buildDraftInput(draft.sent));
  });
