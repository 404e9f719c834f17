import { getHeight } from './layout';
import { LEGAL_FORM } from './kinds';
import { groupBlocks, findValueAfter } from './layout';
import type { TextPiece } from './layout';
import { findNamedCountry, parseLocality, stripCountry } from './locality';
import type { Locality } from './locality';
import { hasTitle, parsePersonName, STREET_WORD } from './person-name';
import type { PostalAddress } from './result';
import { isSenderDetail, parseReturnAddress } from './sender';

/** The recipient of a letter. */
export interface Recipient {
  names: string[];
  address: PostalAddress | null;
}

interface FoundAddress {
  names: string[];
  address: PostalAddress;
  score: number;
}

/** Maximum number of lines above the town that may belong to the address. */
const MAX_LINES_ABOVE = 6;

interface AddressParts {
  /** Lines of the street, above the line of the town. */
  above: string[];
  locality: Locality;
  /** The line of the town as printed. */
  line: string;
  /** The country line below; null without one. */
  below: string | null;
}

function buildAddress({ above, locality, line, below }: AddressParts): PostalAddress {
  const streets = [...above];
  let { city, region } = locality;
  // British and Irish addresses have separate lines for town and county above the code.
  if (city === null && streets.length > 1) {
    const towns = streets.slice(1).filter((text) => !/\d/.test(text));
    city = towns[0] ?? null;
    region = towns[1] ?? null;
    streets.splice(streets.length - towns.length, towns.length);
  }
  return {
    raw: [...above, line, ...(below === null ? [] : [below])].join(', '),
    street: streets.join(', '),
    city,
    region,
    postalCode: locality.postalCode,
    country: (below === null ? null : findNamedCountry(below)) ?? locality.country,
  };
}

/**
 * Splits the lines above the town into names and street. The first line with the name of a person begins the address;
 * lines above it are notes of the post. Without one, the street begins with the first number or street word.
 */
function splitNamesAndStreet(above: readonly string[]): { names: string[]; streets: string[] } {
  const person = above.findIndex((text, index) => index < above.length - 1 && parsePersonName(text) !== null);
  if (person < 0) {
    const start = above.findIndex((text) => /\d/.test(text) || STREET_WORD.test(text));
    return { names: [], streets: start < 0 ? [] : above.slice(start) };
  }
  let end = person + 1;
  while (end < above.length - 1 && hasTitle(above[end] ?? '') && parsePersonName(above[end] ?? '') !== null) end += 1;
  return { names: above.slice(person, end), streets: above.slice(end) };
}

/** The addresses within consecutive lines. */
function findAddresses(
  texts: readonly string[],
  language: string | null,
): { names: string[]; address: PostalAddress }[] {
  return texts.flatMap((line, index) => {
    const locality = parseLocality(line, language);
    if (locality === null) return [];
    const { names, streets } = splitNamesAndStreet(texts.slice(Math.max(0, index - MAX_LINES_ABOVE), index));
    if (streets.length === 0) return [];
    const next = texts[index + 1];
    const below = next !== undefined && stripCountry(next) === '' ? next : null;
    return [{ names, address: buildAddress({ above: streets, locality, line, below }) }];
  });
}

const ADDRESS_CAPTION =
  /^(?:(?:service|supply|property|billing|postal|mailing|home|residential|your|account|customer)\s+)?address\b|^(?:liefer|rechnungs|kunden)?anschrift\b|^adresse\b(?: du client| de consommation| de facturation)?|^verbrauchsstelle\b|^lieu de consommation\b|^(?:direcci[óo]n|domicilio)\b(?: (?:de|del) (?:suministro|titular|cliente|env[íi]o))?|^indirizzo\b(?: di fornitura)?|^morada\b|^endere[çc]o\b|^adres\b|^(?:куда|адрес)(?![\p{L}])|^διεύθυνση(?![\p{L}])|^(?:ال)?عنوان(?!\p{L})|^כתובת(?: הנכס)?|^(?:सेवा )?पता(?!\p{L})|^ที่อยู่/iu;

const NAME_CAPTION =
  /^(?:(?:account|policy)\s?holder(?:'s)?(?: name)?|account name|customer name|customer|name|client|bill(?:ed)? to|titular(?: del contrato)?|kunde|kundin|kontoinhaber(?:in)?|vertragspartner(?:in)?|titulaire(?: du contrat)?|intestatario|cliente|nombre|nome|nom|naam|rekeninghouder|klient|posiadacz|кому|абонент|плательщик|получатель|ф\.?и\.?о\.?|πελάτης|ονοματεπώνυμο|اسم (?:العميل|المشترك|صاحب الحساب)|الاسم|לכבוד|שם הלקוח|שם|(?:उपभोक्ता|ग्राहक) का नाम|नाम|ชื่อ(?:ผู้ใช้\S*|ลูกค้า|บัญชี)?|เรียน)\s*(?::|$|\s(?=(?:mr|mrs|ms|herr|frau|m\.|mme|sr|sra|don)\b))/iu;

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

/** Splits a block at the lines with a complete address: the return address above the recipient in a window. */
function splitAtReturnAddress(block: readonly TextPiece[], language: string | null): TextPiece[][] {
  const towns = block.map(({ text }) => parseLocality(text, language) !== null);
  return block.reduce<TextPiece[][]>(
    (parts, line, index) => {
      const last = parts.at(-1);
      // Without a town below it, the line is the address of the lines above it.
      const isAbove = towns.some((isTown, at) => isTown && at > index);
      if (isAbove && parseReturnAddress(line.text, language) !== null) return [...parts, [line], []];
      last?.push(line);
      return parts;
    },
    [[]],
  );
}

const normalise = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

/** Above this share of the page, printed letterheads; below the other one, footers with the details of the sender. */
const HEAD_SHARE = 0.5;
const FOOT_SHARE = 0.82;

/** How much larger than its address the name of a sender is printed. */
const LETTERHEAD_SIZE = 1.3;

/** Evidence for and against a block being that of the recipient. */
function scoreBlock(block: readonly TextPiece[], names: readonly string[], lines: readonly TextPiece[]): number {
  const texts = block.map(({ text }) => text);
  const pageBottom = Math.max(1, ...lines.map(({ bottom }) => bottom));
  const [first] = block;
  const position = first === undefined || first.page > 0 ? 1 : first.top / pageBottom;
  const person = names.length > 0;
  const nameLine = block.find(({ text }) => names.includes(text));
  const others = block.filter((line) => line !== nameLine).map(getHeight);
  const headLine = nameLine ?? first;
  const isLetterhead =
    headLine !== undefined &&
    ((nameLine !== undefined && others.length > 0 && getHeight(headLine) > LETTERHEAD_SIZE * Math.max(...others)) ||
      lines.some(
        (line) =>
          getHeight(line) > LETTERHEAD_SIZE * getHeight(headLine) &&
          normalise(line.text).includes(normalise(headLine.text)),
      ));
  const lastNames = names.flatMap((name) => parsePersonName(name)?.split(' ').at(-1) ?? []);
  const isAddressed = lines.some(
    (line) => !block.includes(line) && lastNames.some((name) => line.text.toLowerCase().includes(name.toLowerCase())),
  );
  return (
    (person ? 3 : 0) +
    (names.some(hasTitle) ? 2 : 0) +
    (isAddressed ? 1 : 0) +
    (position < HEAD_SHARE ? 1 : 0) -
    (position > FOOT_SHARE ? 3 : 0) -
    (!person && texts.some((text) => LEGAL_FORM.test(text)) ? 3 : 0) -
    (isLetterhead ? 5 : 0) -
    (texts.some(isSenderDetail) ? 4 : 0)
  );
}

/** Addresses that the letter states as those of its sender, in its return line, head or foot. */
function listSenderAddresses(lines: readonly TextPiece[], language: string | null): string[] {
  return lines.flatMap(({ text }) => {
    const found = parseReturnAddress(text, language);
    return found === null || found.name === null || parsePersonName(found.name) !== null
      ? []
      : [normalise(found.address)];
  });
}

/** The lines of a block; an address written in one line is divided into its parts. */
function listAddressTexts(block: readonly TextPiece[], language: string | null): string[] {
  const hasTown = block.some(({ text }) => parseLocality(text, language) !== null);
  return block.flatMap(({ text }) => (hasTown && block.length > 1 ? [text] : splitAddressParts(text)));
}

function findBlockAddresses(lines: readonly TextPiece[], language: string | null): FoundAddress[] {
  const senders = listSenderAddresses(lines, language);
  const blocks = groupBlocks(lines).flatMap((block) => splitAtReturnAddress(block, language));
  return blocks.flatMap((block) => {
    return findAddresses(listAddressTexts(block, language), language).map(({ names, address }) => {
      const place = normalise(`${address.street ?? ''}${address.postalCode ?? ''}`);
      const isSender = block.length > 1 && senders.some((sender) => sender.includes(place));
      const isReturnLine = block.length === 1 && names.length === 0;
      return { names, address, score: scoreBlock(block, names, lines) - (isSender ? 5 : 0) - (isReturnLine ? 3 : 0) };
    });
  });
}

/**
 * Finds the recipient of a letter and their address: the block of name and address in its head, or the values of the
 * captions of a form. An address under the name of a company, in a return line, letterhead or footer is the sender's.
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
      return text
        .split(/\s+(?:&|and|und|et|y|e|en|i|и|και)\s+(?=\p{Lu})/u)
        .flatMap((part) => parsePersonName(part) ?? []);
    },
  );
  return { names: [...new Set(people)], address: best?.address ?? null };
}
