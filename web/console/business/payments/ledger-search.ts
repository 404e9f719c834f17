import { pageSearch, textFilter } from '../../components/list-search';

/** The address of the pages of both ledgers: view, filters and position. */
export const ledgerSearch = pageSearch.extend({ tab: textFilter, state: textFilter, asOf: textFilter });
