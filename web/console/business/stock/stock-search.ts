import { pageSearch, textFilter } from '../../components/list-search';

/** The address of the stock page: view, filters and position. */
export const stockSearch = pageSearch.extend({ tab: textFilter, warehouseId: textFilter, asOf: textFilter });
