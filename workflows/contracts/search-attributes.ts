/** Names of the registered search attributes. */
export const SEARCH_ATTRIBUTES = {
  organisation: 'VouchOrg',
  status: 'VouchStatus',
  feature: 'VouchFeature',
  session: 'VouchSession',
} as const;
