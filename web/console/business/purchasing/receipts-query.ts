import { business, businessQuery } from '../../../shared/api/business';
import { readAll } from '../records/read-all';

/**
 * All goods receipts of a vendor, newest first: the list of payables contains bills and credit notes, too, so that a page
 * of it may have none.
 *
 * @param vendorId null until a vendor is chosen: then nothing is read
 * @param state `open` for receipts that wait for a bill
 */
export const receiptsQuery = (vendorId: string | null, state: 'open' | 'all') => {
  const query = { vendorId: [Number(vendorId)], state: [state], pageSize: 100 };
  return {
    ...businessQuery('listPayables', ['receipts', vendorId, state], async (options) => {
      const payables = await readAll((page) =>
        business.listPayables({ ...query, sortBy: 'date', sortDir: 'desc', page }, options),
      );
      return payables.filter(({ documentType }) => documentType === 'receipt');
    }),
    enabled: vendorId !== null,
  };
};
