import type { ListFormat } from './formats/detection';

/** A publisher's list that serves the whole installation once it is imported. */
export interface PublishedList {
  title: string;
  /** Address at which the publisher offers it. */
  url: string | null;
  /** Formats of its files. */
  formats: readonly ListFormat[];
}

/** Published lists by code. A list of one's own may not use one of these codes. */
export const PUBLISHED_LISTS: Readonly<Record<string, PublishedList>> = {
  ofac_sdn: {
    title: 'OFAC Specially Designated Nationals and Blocked Persons',
    url: 'https://sanctionslistservice.ofac.treas.gov/api/download/sdn.xml',
    formats: ['ofac_xml', 'ofac_csv'],
  },
  ofac_consolidated: {
    title: 'OFAC consolidated list, other than SDN',
    url: 'https://sanctionslistservice.ofac.treas.gov/api/download/consolidated.xml',
    formats: ['ofac_xml', 'ofac_csv'],
  },
  un: {
    title: 'United Nations Security Council consolidated list',
    url: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
    formats: ['un_xml'],
  },
  eu: {
    title: 'European Union consolidated financial sanctions',
    url: 'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
    formats: ['eu_xml'],
  },
  uk: {
    title: 'UK sanctions list',
    url: 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv',
    formats: ['uk_csv'],
  },
  // Commercial use requires a licence of the publisher, so that an operator configures the address.
  opensanctions: { title: 'OpenSanctions targets', url: null, formats: ['opensanctions_csv'] },
};

/** The fictional people of test mode and of the demonstration. */
export const FICTIONAL_LIST = { code: 'fictional', title: 'Fictional list for tests and demonstrations' } as const;

/**
 * Formats that the files of a list with this code have: those of its publisher, or none for the list of test keys, so
 * that no other list takes its place. Null for the code of a list of one's own, whose file may have any format.
 */
export function findReservedFormats(code: string): readonly ListFormat[] | null {
  if (code === FICTIONAL_LIST.code) return [];
  return Object.hasOwn(PUBLISHED_LISTS, code) ? (PUBLISHED_LISTS[code]?.formats ?? []) : null;
}

/** Id of a list: the code of a published list, or the code prefixed with the organisation's id. */
export const buildListId = (code: string, organisationId: string | null): string =>
  organisationId === null ? code : `${organisationId}.${code}`;
