import { textFilter } from '../../components/list-search';
import { ledgerSearch } from '../payments/ledger-search';

/** The address of the page of a customer or vendor: view, filters of its lists, and period of the statement. */
export const partySearch = ledgerSearch.extend({ from: textFilter, to: textFilter });
