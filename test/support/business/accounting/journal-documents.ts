import type { BusinessClient } from '../client';
import { getData, getRows } from '../client';

/** Where the API returns the documents of entries, by type. */
const PATHS: Readonly<Record<string, string>> = {
  invoice: '/api/invoices',
  credit_note: '/api/credit-notes',
  payable: '/api/payables',
  receivable_payment: '/api/receivables/payments',
  payable_payment: '/api/payables/payments',
  vendor_return: '/api/vendor-returns',
  product: '/api/products',
  adjustment: '/api/inventory/adjustments',
};

/**
 * Finds the document of every journal entry where its type says, under its number if the document has one.
 * @returns the kinds of the entries, each with the type of its document
 */
export async function findJournalDocuments(client: BusinessClient): Promise<string[]> {
  const kinds = new Set<string>();
  for (let page = 1, left = 1; left > 0; page += 1) {
    const response = await client.get(`/api/journal?page=${page}&pageSize=100`);
    for (const { kind, documentType, documentId, documentNumber } of getRows(response)) {
      const document = await client.get(`${PATHS[String(documentType)] ?? ''}/${String(documentId)}`);
      const { number } = document.status === 200 ? getData(document) : {};
      const isNumbered = typeof number === 'string';
      if (document.status !== 200 || (isNumbered && number !== documentNumber))
        throw new Error(
          `${String(kind)} names ${String(documentType)} ${String(documentId)} ${String(documentNumber)}`,
        );
      kinds.add(`${String(kind)} ${String(documentType)}`);
    }
    left = Number(response.body['totalCount']) - page * 100;
  }
  return [...kinds].sort();
}
