import { cursorSearch, pageSearch, textFilter } from '../../components/list-search';

/** The address of the stock page: view, filters and position. */
export const stockSearch = pageSearch.extend({
  tab: textFilter,
  warehouseId: textFilter,
  productId: textFilter,
  asOf: textFilter,
});

/** The address of the stock ledger. */
export const ledgerSearch = cursorSearch.extend({
  tab: textFilter,
  warehouseId: textFilter,
  productId: textFilter,
  kind: textFilter,
  dateFrom: textFilter,
  dateTo: textFilter,
});

export const NO_STOCK_FILTERS = {
  warehouseId: undefined,
  productId: undefined,
  asOf: undefined,
  search: undefined,
  page: 1,
};

/** A filter of the API by one record; undefined unless the address has a number. */
export function toIds(value: string | undefined): number[] | undefined {
  const id = Number(value);
  return id > 0 ? [id] : undefined;
}
