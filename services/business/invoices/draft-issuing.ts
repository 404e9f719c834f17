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
import { recordCountChanges } from '../documents/document-counts';
import { rejectNoncompliantInvoice } from '../documents/einvoices';
import { buildDraftInput } from './draft-content';
import { DRAFT_KIND, buildDraftCountChange, readCurrentInvoice, withDraft } from './drafts';
import type { DraftKey } from './drafts';
import { retryAcrossMidnight } from './invoice-issuing';
import { getIssuedInvoice } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import { writeInvoices } from './invoice-writing';
import type { DraftReplacement } from './invoice-writing';
import { compactCountsPeriodically, dryRunInvoice } from './invoices';
import { withPostingLock, POSTING_LOCK_TIMEOUT_MS } from '../documents/posting-queue';
import { getRecord } from '../records/records';
import { requireVersion } from '../records/versions';

/** The invoice takes the draft's place, id and history; the version guard holds what was read in this transaction. */
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

/** One try to issue: everything is read, worked out and written in one transaction. */
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
      const prepared = await prepareInvoice(caller, input, now);
      rejectNoncompliantInvoice(caller.company, prepared, now);
      const [record] = await writeInvoices(platform, unit, [
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
    // Issued meanwhile: by this very attempt, whose commit was not known to have taken effect, or by another.
    const existing = await readCurrentInvoice(platform, caller, at.id);
    if (existing.status !== 'draft' && existing.issueAttempt === attempt) return existing;
    throw error;
  }
}

/** Whether the draft leaves its date to the day of issue: then that day, else null. */
async function findOpenIssueDate(platform: Platform, caller: BusinessCaller, id: number): Promise<string | null> {
  const { sent } = await getRecord(caller, DRAFT_KIND, id);
  return sent.issueDate === null ? getCompanyToday(platform, caller) : null;
}

/**
 * Issues a draft as an invoice of its own: worked out again with the prices, rates and defaults of now, and everything
 * that `createInvoice` writes in one transaction. The id stays.
 * @throws AppError as `createInvoice`; 404; 409 `invoice_already_issued`; 412
 */
export async function issueDraft(
  platform: Platform,
  caller: BusinessCaller,
  at: DraftKey,
  use: IdempotentUse | undefined,
): Promise<InvoiceRecord> {
  const deadline = Date.now() + POSTING_LOCK_TIMEOUT_MS;
  return runIdempotently(
    platform,
    use,
    (claim) =>
      withDraft(platform, caller, at.id, async () => {
        const attempt = new Types.ObjectId().toHexString();
        const issue = () => issueOnce(platform, caller, at, attempt, claim);
        const record = await withPostingLock(caller.organisationId, deadline, async () =>
          retryAcrossMidnight(platform, caller, await findOpenIssueDate(platform, caller, at.id), issue, issue),
        );
        compactCountsPeriodically(platform, caller.organisationId, record.sequence);
        return record;
      }),
    (recordId) => getIssuedInvoice(caller, Number(recordId)),
  );
}

/** What `issueDraft` would issue, with the refusals of `trialInvoice`; writes nothing. @throws AppError as `issueDraft` */
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
