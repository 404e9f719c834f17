import { pageSearch, textFilter } from '../../components/list-search';

/** The address of the settings: view, and position in its list. */
export const settingsSearch = pageSearch.extend({
  tab: textFilter,
  year: textFilter,
  currency: textFilter,
  language: textFilter,
  kind: textFilter,
});
