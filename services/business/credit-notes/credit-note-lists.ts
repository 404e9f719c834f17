import { notFoundError } from '../../../domain/errors';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import type { BusinessCaller } from '../access/caller';
import { buildChoiceCondition, buildDayRange, readPage } from '../records/lists';
import type { ListPage, ListQuery } from '../records/lists';

/** @throws AppError 404, also for an id of another organisation */
export async function getCreditNote(caller: BusinessCaller, id: number): Promise<CreditNoteRecord> {
  const record = await CreditNote.findOne({ organisationId: caller.organisationId, id }).lean<CreditNoteRecord>();
  if (record === null) throw notFoundError('credit note');
  return record;
}

export const CREDIT_NOTE_SORT_FIELDS = ['id', 'issueDate', 'number'] as const;

export interface CreditNoteFilter {
  invoiceId?: readonly number[] | undefined;
  customerId?: readonly number[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns one page of credit notes with the exact total. */
export const listCreditNotes = (
  caller: BusinessCaller,
  filter: CreditNoteFilter,
  query: ListQuery,
): Promise<ListPage<CreditNoteRecord>> => {
  const { invoiceId, customerId, from, to } = filter;
  const issueDate = buildDayRange({ from, to });
  return readPage(
    CreditNote,
    {
      organisationId: caller.organisationId,
      ...(invoiceId === undefined ? {} : { invoiceId: buildChoiceCondition(invoiceId) }),
      ...(customerId === undefined ? {} : { customerId: buildChoiceCondition(customerId) }),
      ...(issueDate === null ? {} : { issueDate }),
    },
    query,
  );
};
