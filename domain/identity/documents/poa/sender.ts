import { parseLocality } from './locality';
import { STREET_WORD } from './person-name';

/** Separators between the parts of an address in one line. */
const SEPARATOR = /\s*[·•|*▪■–—]\s*|\s+-\s+|,\s*|\s{2,}|;\s*/u;

/** A line with a complete address. */
export interface ReturnAddress {
  /** What stands before the street; null without it, or if it is a caption. */
  name: string | null;
  /** Street and town. */
  address: string;
}

/**
 * Parses a line that is a complete address: the return address above a recipient in the window of an envelope, or the
 * address of the sender in head or foot. Null for any other line.
 */
export function parseReturnAddress(line: string, language: string | null): ReturnAddress | null {
  const parts = line.split(SEPARATOR).filter((part) => part !== '');
  const town = parts.findIndex((part) => parseLocality(part, language) !== null);
  const streets = parts.slice(0, Math.max(0, town)).filter((part) => /\d/.test(part) || STREET_WORD.test(part));
  // A name and a town without a street between them may be a recipient; a street and its town alone are an address.
  const [street] = streets.slice(-1);
  if (town < 1 || street === undefined) return null;
  const [first = ''] = parts;
  return {
    name: first === street || first.includes(':') ? null : first,
    address: `${street}, ${parts[town] ?? ''}`,
  };
}

/** Details that stand next to the address of a sender, never next to that of a recipient. */
const SENDER_DETAIL =
  /\bwww\.|https?:|\S+@\S+\.\S+|\b(?:tel|tél|telefon|telefono|teléfono|telefone|phone|fax|hotline|call centre|numero verde)\b\.?|registered office|company (?:no|number)|\bvat\b|ust-?id|\bhrb\b|amtsgericht|steuernummer|\bsiret?n?\b|\brcs\b|capital (?:social|de)|p\.? ?iva|partita iva|c\.? ?f\.? ?\d|\bcif\b|\bnif\b|\bn\.?i\.?p\.?c\b|\bkvk\b|\bbtw\b|\bnip\b|\bregon\b|\bkrs\b|sede legale|siège social|domicilio social|\bинн\b|\bогрн\b|αφμ|γεμη/iu;

/** Whether a line is about the sender of a letter, such as its telephone number, and not about the addressee. */
export const isSenderDetail = (text: string): boolean => SENDER_DETAIL.test(text);
