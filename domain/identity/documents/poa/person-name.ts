import { ISSUER_WORD, LEGAL_FORM } from './kinds';
import { findNamedCountry } from './locality';

const TITLES =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|sir|herrn?|frau|familie|m|mm|mme|mlle|monsieur|madame|sr|sra|srta|don|doña|dña|dª|gent\.?\s?mo|gent\.?\s?ma|gent\.?le|egr|egregi[oa]|sig|sig\.ra|sig\.na|signora?|dott|dott\.ssa|dhr|mevr|mevrouw|de heer|mw|pan|pani|sz\.\s?p|szanown[ya]|ex\.?m[oa]\.?|senhora?|κος|κα|κ|г-жа|г-н|السيدة|السيد|الآنسة|الأستاذة|الأستاذ|السادة|د|לכבוד|גברת|גב['׳’]?|מר|ד["״]ר|श्रीमती|श्री|सुश्री|कुमारी|डॉ)\.?\s+)+(?=\p{L})|^(?:เรียน\s*)?(?:คุณ|นางสาว|นาย|นาง)\s*(?=\p{L})/iu;

/** Whether a name begins with a title, as letters address people. */
export const hasTitle = (text: string): boolean => TITLES.test(text.trim());

/** Words of streets, and of other parts of an address above the town. */
export const STREET_WORD =
  /street|\bst\b|road|\brd\b|avenue|\bave?\b|lane|drive|court|straße|strasse|str\.|\bweg\b|platz|allee|gasse|calle|c\/|avda|paseo|plaza|\brue\b|boulevard|\bbd\b|chemin|place|\bvia\b|viale|piazza|corso|\brua\b|avenida|straat|laan|gracht|\bul\.|aleja|p\.? ?o\.? ?box|postfach|apartado|flat|apartment|\bapt\b|residence|résidence|immeuble|bâtiment|(?<!\p{L})(?:ул|улица|пр-т|проспект|пер|наб|бульвар|дом|кв)(?![\p{L}])|οδός|λεωφόρος|λεωφ|شارع|طريق|(?<!\p{L})حي(?!\p{L})|مبنى|شقة|ص\. ?ب|רחוב|רח['׳]|שדרות|דרך|דירה|ת\.? ?ד\.|मार्ग|सड़क|गली|मकान|फ्लैट|रोड|कॉलोनी|ถนน|ซอย|หมู่|แขวง|ตำบล|อำเภอ|เขต|อาคาร/iu;

const NOT_A_PERSON =
  /bank|energ|power|council|invoice|bill|statement|rechnung|factura|facture|fattura|bolletta|account|customer|kunde|cliente|client\b|department|service|servizio|page|seite|www|total|number|occupier|occupant|resident\b|householder|bewohner|date|datum|fecha|stadtwerke|post\b|postaux|бан[ък]|энерго|τράπεζα|ενέργεια|فاتورة|رقم|تا ?ريخ|حساب|مبلغ|עמוד|חשבון|מספר|סכום|תאריך|बिल|संख्या|दिनांक|तिथि|राशि|ใบแจ้ง|เลขที่|วันที่|จำนวน/iu;

const PARTICLE = /^(?:von|van|der|den|de|del|della|di|da|dos|du|la|le|los|y|e|und|zu|zur|bin|al|el|ibn|ten|ter|mac)$/iu;

/** A name without its title; null for a line that is not a person's name. Some scripts have no capitals. */
export function parsePersonName(text: string): string | null {
  const name = text.trim().replace(TITLES, '').replace(/,$/, '');
  const words = name.split(/\s+/);
  if (words.length < 2 || words.length > 6 || !/^[\p{L}\p{M}\s.'’,-]+$/u.test(name)) return null;
  const others = [LEGAL_FORM, ISSUER_WORD, STREET_WORD, NOT_A_PERSON];
  if (others.some((pattern) => pattern.test(name)) || findNamedCountry(name) !== null) return null;
  return words.every((word) => /^[\p{Lu}\p{Lo}]/u.test(word) || PARTICLE.test(word)) ? name : null;
}
