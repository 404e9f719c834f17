import type { DocumentLanguage } from '../../invoices/invoice';

type Names = Readonly<Record<DocumentLanguage, string>>;

const PIECES: Names = { en: 'pcs', es: 'ud.', de: 'Stk.', fr: 'pce' };

/** Units with language-specific abbreviations, by code of UN/ECE Recommendation 20. */
const WORDS: Readonly<Record<string, Names>> = {
  C62: PIECES,
  H87: PIECES,
  EA: PIECES,
  DAY: { en: 'days', es: 'días', de: 'Tage', fr: 'jours' },
  WEE: { en: 'weeks', es: 'semanas', de: 'Wochen', fr: 'semaines' },
  MON: { en: 'months', es: 'meses', de: 'Monate', fr: 'mois' },
  ANN: { en: 'years', es: 'años', de: 'Jahre', fr: 'ans' },
  PR: { en: 'pairs', es: 'pares', de: 'Paar', fr: 'paires' },
  SET: { en: 'sets', es: 'juegos', de: 'Sätze', fr: 'jeux' },
  DZN: { en: 'doz.', es: 'doc.', de: 'Dtzd.', fr: 'dz' },
  XBX: { en: 'boxes', es: 'cajas', de: 'Kartons', fr: 'boîtes' },
  XPK: { en: 'packs', es: 'paquetes', de: 'Pakete', fr: 'paquets' },
  LS: { en: 'lump sum', es: 'p.a.', de: 'pauschal', fr: 'forfait' },
};

/** Units with the same symbol in all four languages. */
const SYMBOLS: Readonly<Record<string, string>> = {
  HUR: 'h',
  MIN: 'min',
  SEC: 's',
  MGM: 'mg',
  GRM: 'g',
  KGM: 'kg',
  TNE: 't',
  LBR: 'lb',
  ONZ: 'oz',
  MMT: 'mm',
  CMT: 'cm',
  MTR: 'm',
  KMT: 'km',
  INH: 'in',
  FOT: 'ft',
  MTK: 'm²',
  MTQ: 'm³',
  MLT: 'ml',
  LTR: 'l',
  HLT: 'hl',
  KWT: 'kW',
  KWH: 'kWh',
  MWH: 'MWh',
};

/** Returns the printed name of a unit code; a code without a name is printed unchanged. */
export const getUnitName = (language: DocumentLanguage, code: string): string =>
  WORDS[code]?.[language] ?? SYMBOLS[code] ?? code;
