/** Number of the columns of a row; the published format description numbers them from 1. */
export const DATEV_COLUMN = {
  amount: 1,
  debitCredit: 2,
  currency: 3,
  account: 7,
  contraAccount: 8,
  taxKey: 9,
  date: 10,
  document: 11,
  text: 14,
  informationKind: 48,
  informationText: 49,
  locked: 114,
} as const;

const numbered = (count: number, names: (index: number) => string[]): string[] =>
  Array.from({ length: count }, (_, index) => names(index + 1)).flat();

/** The columns of a posting batch (Buchungsstapel), format version 13. */
export const DATEV_COLUMNS: readonly string[] = [
  ...'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz'.split(';'),
  ...'Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto'.split(';'),
  ...'Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre'.split(';'),
  'Beleglink',
  ...numbered(8, (index) => [`Beleginfo - Art ${index}`, `Beleginfo - Inhalt ${index}`]),
  ...'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung)'.split(';'),
  ...'EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L'.split(';'),
  ...'BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(';'),
  ...numbered(20, (index) => [`Zusatzinformation - Art ${index}`, `Zusatzinformation- Inhalt ${index}`]),
  ...'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp'.split(';'),
  ...'Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen)'.split(';'),
  ...'Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen)'.split(';'),
  ...'Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername'.split(';'),
  ...'Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis'.split(';'),
  ...'Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum'.split(';'),
  ...'Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land'.split(';'),
  ...'Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung)'.split(';'),
  'Abw. Skontokonto',
];

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The columns with text, which is quoted also when it is empty. */
const TEXT_COLUMNS: ReadonlySet<number> = new Set([
  ...[2, 3, 6, 9, 11, 12, 14, 16, 20],
  ...range(21, 38),
  ...[40, 42],
  ...range(48, 87),
  ...[91, 95, 96, 98, 102, 103, 105, 107, 109, 110, 112, 118, 120, 121, 123],
]);

/** Quotes a text of DATEV: control characters are not permitted, quotation marks are doubled. */
export const quoteDatevText = (text: string): string => `"${text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll('"', '""')}"`;

/** Writes a row from the values of some columns; all others are empty. */
export const formatDatevRow = (values: ReadonlyMap<number, string>): string =>
  DATEV_COLUMNS.map((_, index) => {
    const column = index + 1;
    const value = values.get(column) ?? '';
    return TEXT_COLUMNS.has(column) ? quoteDatevText(value) : value;
  }).join(';');

/** What the header of a posting batch says. */
export interface DatevBatch {
  createdAt: Date;
  consultantNumber: number;
  clientNumber: number;
  /** Days as `YYYY-MM-DD`. */
  fiscalYearStart: string;
  from: string;
  to: string;
  accountLength: number;
  currencyCode: string;
  /** `03`, `04`, or empty for another chart. */
  chart: string;
}

const compact = (date: string): string => date.replaceAll('-', '');

/** The first line of a posting batch, header version 700. */
export const formatDatevHeader = (batch: DatevBatch): string =>
  [
    '"EXTF"',
    '700',
    '21',
    '"Buchungsstapel"',
    '13',
    batch.createdAt.toISOString().replaceAll(/\D/g, ''),
    '',
    '"RE"',
    '""',
    '""',
    String(batch.consultantNumber),
    String(batch.clientNumber),
    compact(batch.fiscalYearStart),
    String(batch.accountLength),
    compact(batch.from),
    compact(batch.to),
    '"Buchungsstapel"',
    '""',
    '1',
    '0',
    '0',
    quoteDatevText(batch.currencyCode),
    '',
    '""',
    '',
    '',
    quoteDatevText(batch.chart),
    '',
    '',
    '""',
    '""',
  ].join(';');
