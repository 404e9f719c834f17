/** A list of a publisher, served to the whole installation once it has been imported. */
export interface PublishedList {
  title: string;
  /** where its publisher offers it */
  url: string | null;
}

/** Lists known by name. An organisation's own list may not take one of these. */
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
  // Its data may be used commercially under a licence of its publisher only, so that an operator names the address.
  opensanctions: { title: 'OpenSanctions targets', url: null },
};

/** The invented people of test mode and the demonstration. */
export const FICTIONAL_LIST = { code: 'fictional', title: 'Fictional list for tests and demonstrations' } as const;

export const isReservedCode = (code: string): boolean =>
  Object.hasOwn(PUBLISHED_LISTS, code) || code === FICTIONAL_LIST.code;

/** The list's id: codes of publishers serve everyone, an organisation's own are told apart by it. */
export const buildListId = (code: string, organisationId: string | null): string =>
  organisationId === null ? code : `${organisationId}.${code}`;
