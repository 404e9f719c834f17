import type { WatchListEntry } from '../../../../domain/identity/aml/entry';
import { resolveCountryCode, resolveCountryCodes, parseGender, parsePartialDate, uniqueNonEmpty } from './values';

/**
 * Matches type, number and country of identifiers such as `Passport 042833 (Lebanon)`, with the types used in OFAC's
 * remarks.
 */
const IDENTIFIER_PATTERN =
  /^(?:alt\. )?((?:Passport|National ID No\.|Cedula No\.|NIT #|RUC #|Tax ID No\.|C\.U\.I\.T\.|D\.N\.I\.|R\.F\.C\.|C\.U\.R\.P\.|C\.R\. No\.|SSN|Personal ID Card|Identification Number|Registration ID|Registration Number|Business Registration Document #|Company Number|Folio Mercantil No\.|Matricula Mercantil No|Driver's License No\.|Travel Document Number|Stateless Person ID Card|Birth Certificate Number|Numero Unico de Identificacao|Romanian C\.R\.|Public Registration Number|Trade License No\.|Commercial Registry Number|Government Gazette Number|Enterprise Number|V\.A\.T\. Number|Legal Entity Number|MMSI|SWIFT\/BIC|Vessel Registration Identification|Aircraft Construction Number(?: \(.*?\))?|Aircraft Manufacturer's Serial Number \(MSN\)|Aircraft Tail Number|Digital Currency Address)(?: - [A-Z]+)?)\s+(.+?)(?: \(([^()]+)\))?\.?$/;

const WEAK_ALIAS_PATTERN = /^(?:a\.k\.a\.|f\.k\.a\.) ['"“](.+?)['"”]\.?$/;

/** URL of an entry in OFAC's sanctions search. */
export const buildOfacUrl = (id: string): string => `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${id}`;

interface RemarkFacts extends Pick<WatchListEntry, 'identifiers' | 'genders' | 'datesOfBirth' | 'aliases'> {
  nationalities: string[];
}

/**
 * Parses facts that the CSV files contain only in one line of remarks; aliases in remarks are those that OFAC calls
 * weak.
 */
export function parseRemarks(remarks: string): RemarkFacts {
  const facts: RemarkFacts = { identifiers: [], genders: [], datesOfBirth: [], aliases: [], nationalities: [] };
  for (const part of remarks.split(/;\s*/).map((text) => text.trim())) {
    const date = /^(?:alt\. )?DOB (.+?)\.?$/.exec(part)?.[1];
    const nationality = /^(?:alt\. )?(?:nationality|citizen) (.+?)\.?$/.exec(part)?.[1];
    const gender = parseGender(/^Gender (.+)$/.exec(part)?.[1]);
    const alias = WEAK_ALIAS_PATTERN.exec(part)?.[1];
    const identifier = IDENTIFIER_PATTERN.exec(part);
    if (date !== undefined) facts.datesOfBirth.push(...uniqueNonEmpty([parsePartialDate(date)]));
    else if (nationality !== undefined) facts.nationalities.push(nationality);
    else if (gender !== null) facts.genders.push(gender);
    else if (alias !== undefined) facts.aliases.push({ name: alias, weak: true });
    else if (identifier !== null) {
      const [, type = '', value = '', country] = identifier;
      facts.identifiers.push({
        type,
        value: value.trim(),
        country: country === undefined ? null : resolveCountryCode(country),
      });
    }
  }
  return facts;
}

/** The ISO codes of the nationalities that remarks name; unknown ones are left out. */
export const resolveNationalityCodes = (facts: RemarkFacts): string[] => resolveCountryCodes(facts.nationalities);
