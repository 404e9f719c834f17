import { LEGAL_FORM } from './kinds';
import { groupBlocks, findValueAfter } from './layout';
import type { TextPiece } from './layout';
import { findNamedCountry, parseLocality, stripCountry } from './locality';
import type { Locality } from './locality';
import type { PostalAddress } from './result';

/** The recipient of a letter. */
export interface Recipient {
  names: string[];
  address: PostalAddress | null;
}

const TITLES =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|sir|herrn?|frau|familie|m|mme|mlle|monsieur|madame|sr|sra|srta|don|doña|dña|dª|sig|sig\.ra|sig\.na|dott|dhr|mevr|mw|pan|pani)\.?\s+)+(?=\p{L})/iu;

const STREET_WORD =
  /street|\bst\b|road|\brd\b|avenue|\bave?\b|lane|drive|court|straße|strasse|str\.|\bweg\b|platz|allee|gasse|calle|c\/|avda|paseo|plaza|\brue\b|boulevard|\bbd\b|chemin|place|\bvia\b|viale|piazza|corso|\brua\b|avenida|straat|laan|gracht|\bul\.|aleja|p\.? ?o\.? ?box|postfach|apartado|flat|apartment|\bapt\b/iu;

const NOT_A_PERSON =
  /bank|energ|power|council|invoice|bill|statement|rechnung|factura|facture|fattura|account|customer|kunde|cliente|client\b|department|service|page|seite|www|total|number|date|datum|fecha/iu;

const PARTICLE = /^(?:von|van|der|den|de|del|della|di|da|dos|du|la|le|los|y|e|und|zu|zur|bin|al|el|ibn|ten|ter|mac)$/iu;

/** A name without its title; null for a line that is not a person's name. */
export function parsePersonName(text: string): string | null {
  const name = text.trim().replace(TITLES, '').replace(/,$/, '');
  const words = name.split(/\s+/);
  if (words.length < 2 || words.length > 6 || !/^[\p{L}\s.'’,-]+$/u.test(name)) return null;
  if (LEGAL_FORM.test(name) || STREET_WORD.test(name) || NOT_A_PERSON.test(name) || findNamedCountry(name) !== null)
    return null;
  return words.every((word) => /^\p{Lu}/u.test(word) || PARTICLE.test(word)) ? name : null;
}

interface FoundAddress {
  names: string[];
  address: PostalAddress;
  score: number;
}

/** Maximum number of lines above the town that may belong to the address. */
const MAX_LINES_ABOVE = 5;

interface AddressParts {
  /** Lines from the name downwards, without the line of the town. */
  above: string[];
  locality: Locality;
  /** The line of the town as printed. */
  line: string;
  /** The country line below; null without one. */
  below: string | null;
}

function buildAddress({ above, locality, line, below }: AddressParts): PostalAddress | null {
  const streetAt = above.findIndex((text) => /\d/.test(text) || STREET_WORD.test(text));
  if (streetAt < 0) return null;
  const streets = above.slice(streetAt);
  let { city, region } = locality;
  // British and Irish addresses have separate lines for town and county above the code.
  if (city === null && streets.length > 1) {
    const towns = streets.slice(1).filter((text) => !/\d/.test(text));
    city = towns[0] ?? null;
    region = towns[1] ?? null;
    streets.splice(streets.length - towns.length, towns.length);
  }
  return {
    raw: [...above.slice(streetAt), line, ...(below === null ? [] : [below])].join(', '),
    street: streets.join(', '),
    city,
    region,
    postalCode: locality.postalCode,
    country: (below === null ? null : findNamedCountry(below)) ?? locality.country,
  };
}

/** The addresses within consecutive lines. */
function findAddresses(
  texts: readonly string[],
  language: string | null,
): { names: string[]; address: PostalAddress }[] {
  return texts.flatMap((line, index) => {
    const locality = parseLocality(line, language);
    if (locality === null) return [];
    const above = texts.slice(Math.max(0, index - MAX_LINES_ABOVE), index);
    const next = texts[index + 1];
    const below = next !== undefined && stripCountry(next) === '' ? next : null;
    const address = buildAddress({ above, locality, line, below });
    if (address === null) return [];
    const names = above.slice(
      0,
      Math.max(
        0,
        above.findIndex((text) => /\d/.test(text) || STREET_WORD.test(text)),
      ),
    );
    return [{ names, address }];
  });
}

const ADDRESS_CAPTION =
  /^(?:(?:service|supply|property|billing|postal|mailing|home|residential|your|account|customer)\s+)?address\b|^(?:liefer|rechnungs|kunden)?anschrift\b|^adresse\b(?: du client| de consommation| de facturation)?|^verbrauchsstelle\b|^lieu de consommation\b|^(?:direcci[óo]n|domicilio)\b(?: (?:de|del) (?:suministro|titular|cliente|env[íi]o))?|^indirizzo\b(?: di fornitura)?|^morada\b|^endere[çc]o\b|^adres\b/iu;

const NAME_CAPTION =
  /^(?:(?:account|policy)\s?holder(?:'s)?(?: name)?|account name|customer name|customer|name|client|bill(?:ed)? to|titular(?: del contrato)?|kunde|kundin|kontoinhaber(?:in)?|vertragspartner(?:in)?|titulaire(?: du contrat)?|intestatario|cliente|nombre|nome|nom|naam|rekeninghouder|klient|posiadacz)\s*(?::|$|\s(?=(?:mr|mrs|ms|herr|frau|m\.|mme|sr|sra|don)\b))/iu;

function findCaptioned(lines: readonly TextPiece[], caption: RegExp): TextPiece[] {
  return lines.flatMap((line) => {
    const match = caption.exec(line.text);
    if (match === null) return [];
    const rest = line.text.slice(match[0].length).replace(/^[\s:]+/, '');
    const value = findValueAfter(line, rest, lines);
    return value === null ? [] : [value];
  });
}

/** Splits an address written in one line; a state and its code belong to the town before them. */
const splitAddressParts = (line: string): string[] =>
  line.split(/,\s*/).reduce<string[]>((parts, part) => {
    const town = parts.at(-1);
    if (town === undefined || !/^[A-Z]{2,3} [A-Z\d][A-Z\d -]*$/.test(part)) return [...parts, part];
    return [...parts.slice(0, -1), `${town}, ${part}`];
  }, []);

/** Addresses written in one line, or beginning to the right of a caption and continued below. */
function findCaptionedAddresses(lines: readonly TextPiece[], language: string | null): FoundAddress[] {
  return findCaptioned(lines, ADDRESS_CAPTION).flatMap((value) => {
    const following = lines.filter(
      (line) =>
        line.page === value.page &&
        line.top > value.top &&
        line.top - value.top < 6 * (value.bottom - value.top) &&
        Math.abs(line.left - value.left) < 2 * (value.bottom - value.top),
    );
    const texts = [value, ...following].flatMap(({ text }) => splitAddressParts(text));
    return findAddresses(texts, language)
      .slice(0, 1)
      .map((found) => ({ ...found, score: 3 }));
  });
}

function findBlockAddresses(lines: readonly TextPiece[], language: string | null): FoundAddress[] {
  const bottom = Math.max(1, ...lines.map((line) => line.bottom));
  return groupBlocks(lines).flatMap((block) => {
    const [first] = block;
    // A single line such as "12 High Street, London SW1A 1AA" is a block of its parts.
    const texts = block.length === 1 ? splitAddressParts(first?.text ?? '') : block.map(({ text }) => text);
    return findAddresses(texts, language).map(({ names, address }) => {
      const people = names.filter((name) => parsePersonName(name) !== null);
      const company = texts.some((text) => LEGAL_FORM.test(text));
      const position = first === undefined || first.page > 0 ? 1 : first.top / bottom;
      const score = (people.length > 0 ? 3 : 0) - (company && people.length === 0 ? 3 : 0) + (position < 0.5 ? 1 : 0);
      return { names, address, score };
    });
  });
}

/**
 * Finds the recipient of a letter and their address: the block of name and address in its head, or the values of the
 * captions of a form. An address under the name of a company belongs to the sender.
 *
 * @param language ISO 639-1 code of the letter
 */
export function findRecipient(lines: readonly TextPiece[], language: string | null): Recipient {
  const [best] = [...findBlockAddresses(lines, language), ...findCaptionedAddresses(lines, language)]
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score);
  const people = [...(best?.names ?? []), ...findCaptioned(lines, NAME_CAPTION).map(({ text }) => text)].flatMap(
    (text) => {
      // Joint holders are written in one line, too.
      return text.split(/\s+(?:&|and|und|et|y)\s+(?=\p{Lu})/u).flatMap((part) => parsePersonName(part) ?? []);
    },
  );
  return { names: [...new Set(people)], address: best?.address ?? null };
}
