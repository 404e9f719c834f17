/** A publisher's list that serves the whole installation once it is imported. */
export interface PublishedList {
  title: string;
  /** Address at which the publisher offers it. */
  url: string | null;
}

/** Published lists by code. An organisation's own list may not use one of these codes. */
export const PUBLISHED_LISTS: Readonly<Record<string, PublishedList>> = {
  ofac_sdn: {
    title: 'OFAC Specially Designated Nationals and Blocked Persons',
    url: 'https://sanctionslistservice.ofac.treas.gov/api/download/sdn.xml',
  },
  ofac_consolidated: {
    title: 'OFAC consolidated list, other than SDN',
    url: 'https://sanctionslistservice.ofac.treas.gov/api/download/consolidated.xml',
  },
  un: {
    title: 'United Nations Security Council consolidated list',
    url: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
  },
  eu: {
    title: 'European Union consolidated financial sanctions',
    url: 'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
  },
  uk: { title: 'UK sanctions list', url: 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv' },
  // Commercial use requires a licence of the publisher, so that an operator configures the address.
  opensanctions: { title: 'OpenSanctions targets', url: null },
};

/** The fictional people of test mode and of the demonstration. */
export const FICTIONAL_LIST = { code: 'fictional', title: 'Fictional list for tests and demonstrations' } as const;

/** Whether a code names a published list or that of test keys, so that no own list can have it. */
export const isReservedCode = (code: string): boolean =>
  Object.hasOwn(PUBLISHED_LISTS, code) || code === FICTIONAL_LIST.code;

/** Id of a list: the code of a published list, or the code prefixed with the organisation's id. */
export const buildListId = (code: string, organisationId: string | null): string =>
  organisationId === null ? code : `${organisationId}.${code}`;
