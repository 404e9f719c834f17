import type { DocumentLanguage } from '../invoices/invoice';
import type { TaxComponent } from '../invoices/tax-components';
import { isUnionMember } from './countries';
import type { TaxCategory } from './tax-rates';
import type { TaxProfile, TaxRateScope, TaxTexts } from './tax-profiles';

/** A rate of the set of a country, before it is created in a company. */
export interface TaxSetRate {
  texts: Readonly<Record<DocumentLanguage, TaxTexts>>;
  percent: string;
  category: TaxCategory;
  profile: TaxProfile;
  appliesTo: TaxRateScope | null;
  /** The taxes that the rate consists of, if there are several. */
  components?: readonly TaxComponent[];
}

type Words = Readonly<Record<DocumentLanguage, string>>;

/**
 * Standard rate first, then the reduced rates that apply to goods and services of everyday trade. Members of the Union:
 * European Commission, Taxes in Europe Database; others: HMRC, ESTV, Skatteetaten, Canada Revenue Agency. A test compares
 * them with the published tables.
 */
const RATES: Readonly<Record<string, readonly string[]>> = {
  AT: ['20', '13', '10', '4.9'],
  BE: ['21', '12', '6'],
  BG: ['20', '9'],
  CA: ['5'],
  CH: ['8.1', '3.8', '2.6'],
  CY: ['19', '9', '5', '3'],
  CZ: ['21', '12'],
  DE: ['19', '7'],
  DK: ['25'],
  EE: ['24', '13', '9'],
  ES: ['21', '10', '4'],
  FI: ['25.5', '13.5', '10'],
  FR: ['20', '10', '5.5', '2.1'],
  GB: ['20', '5'],
  GR: ['24', '13', '6'],
  HR: ['25', '13', '5'],
  HU: ['27', '18', '5'],
  IE: ['23', '13.5', '9'],
  IT: ['22', '10', '5', '4'],
  LT: ['21', '12', '5'],
  LU: ['17', '14', '8', '3'],
  LV: ['21', '12', '5'],
  MT: ['18', '12', '7', '5'],
  NL: ['21', '9'],
  NO: ['25', '15', '12'],
  PL: ['23', '8', '5'],
  PT: ['23', '13', '6'],
  RO: ['21', '11'],
  SE: ['25', '12', '6'],
  SI: ['22', '9.5', '5'],
  SK: ['23', '19', '5'],
};

/** Countries with a set; the United States have one without tax, since sales tax depends on state and place. */
export const TAX_SET_COUNTRIES: readonly string[] = [...Object.keys(RATES), 'US'].sort();

const STANDARD: Words = { en: 'Standard rate', es: 'Tipo general', de: 'Regelsteuersatz', fr: 'Taux normal' };
const REDUCED: Words = { en: 'Reduced rate', es: 'Tipo reducido', de: 'Ermäßigter Steuersatz', fr: 'Taux réduit' };
const GST: Words = { en: 'GST', es: 'GST', de: 'GST', fr: 'TPS' };

const DIRECTIVE: Words = {
  en: 'of Directive 2006/112/EC',
  es: 'de la Directiva 2006/112/CE',
  de: 'der Richtlinie 2006/112/EG',
  fr: 'de la directive 2006/112/CE',
};

const mapWords = <T>(build: (language: DocumentLanguage) => T): Readonly<Record<DocumentLanguage, T>> => ({
  en: build('en'),
  es: build('es'),
  de: build('de'),
  fr: build('fr'),
});

const buildTexts = (name: Words, reason: Words | null): TaxSetRate['texts'] =>
  mapWords((language) => ({ name: name[language], exemptionReason: reason?.[language] ?? null }));

const withArticle = (words: Words, article: string): Words => {
  const ARTICLE: Words = { en: 'Article', es: 'artículo', de: 'Artikel', fr: 'article' };
  return mapWords((language) => `${words[language]}, ${ARTICLE[language]} ${article} ${DIRECTIVE[language]}`);
};

const INTRA_COMMUNITY: Words = {
  en: 'Intra-Community supply',
  es: 'Entrega intracomunitaria',
  de: 'Innergemeinschaftliche Lieferung',
  fr: 'Livraison intracommunautaire',
};
const INTRA_COMMUNITY_REASON = withArticle(
  {
    en: 'Intra-Community supply exempt from VAT',
    es: 'Entrega intracomunitaria exenta de IVA',
    de: 'Steuerfreie innergemeinschaftliche Lieferung',
    fr: 'Livraison intracommunautaire exonérée de TVA',
  },
  '138',
);
const REVERSE_CHARGE: Words = {
  en: 'Reverse charge',
  es: 'Inversión del sujeto pasivo',
  de: 'Steuerschuldnerschaft des Leistungsempfängers',
  fr: 'Autoliquidation',
};
const EXPORT: Words = { en: 'Export', es: 'Exportación', de: 'Ausfuhrlieferung', fr: 'Exportation' };
const EXPORT_REASON: Words = {
  en: 'Export exempt from VAT',
  es: 'Exportación exenta de IVA',
  de: 'Steuerfreie Ausfuhrlieferung',
  fr: 'Exportation exonérée de TVA',
};
const SERVICE_ABROAD: Words = {
  en: 'Service abroad',
  es: 'Servicio en el extranjero',
  de: 'Leistung im Ausland',
  fr: 'Prestation à l’étranger',
};
const SERVICE_ABROAD_REASON: Words = {
  en: 'Service not subject to VAT: supplied where the customer is established',
  es: 'Servicio no sujeto a IVA: prestado en el lugar del destinatario',
  de: 'Nicht steuerbare Leistung: Leistungsort beim Empfänger',
  fr: 'Prestation non soumise à la TVA : lieu de prestation chez le preneur',
};
const SMALL_BUSINESS: Words = {
  en: 'Small business',
  es: 'Pequeña empresa',
  de: 'Kleinunternehmer',
  fr: 'Franchise en base',
};
const SMALL_BUSINESS_REASON = withArticle(
  {
    en: 'Exempt from VAT, small enterprise',
    es: 'Exento de IVA, pequeña empresa',
    de: 'Umsatzsteuerfrei als Kleinunternehmer',
    fr: 'TVA non applicable, franchise en base',
  },
  '284',
);
/** National references that law prescribes or practice uses instead of the directive's. */
const SMALL_BUSINESS_REASONS: Readonly<Record<string, Partial<Words>>> = {
  AT: { de: 'Umsatzsteuerfrei als Kleinunternehmer gemäß § 6 Abs. 1 Z 27 UStG' },
  DE: { de: 'Kein Ausweis von Umsatzsteuer, da Kleinunternehmer gemäß § 19 UStG' },
  FR: { fr: 'TVA non applicable, article 293 B du CGI' },
};
const NO_SALES_TAX: Words = {
  en: 'No sales tax',
  es: 'Sin impuesto sobre las ventas',
  de: 'Keine Sales Tax',
  fr: 'Sans taxe de vente',
};

const smallBusinessRate = (country: string): TaxSetRate => ({
  texts: buildTexts(SMALL_BUSINESS, { ...SMALL_BUSINESS_REASON, ...SMALL_BUSINESS_REASONS[country] }),
  percent: '0',
  category: 'E',
  profile: 'small_business',
  appliesTo: null,
});

const zeroRate = (
  texts: TaxSetRate['texts'],
  category: TaxCategory,
  profile: TaxProfile,
  appliesTo: TaxRateScope,
): TaxSetRate => ({ texts, percent: '0', category, profile, appliesTo });

/** Rates for supplies abroad. */
const buildForeignRates = (country: string): TaxSetRate[] => [
  ...(isUnionMember(country)
    ? [
        zeroRate(buildTexts(INTRA_COMMUNITY, INTRA_COMMUNITY_REASON), 'K', 'intra_community', 'goods'),
        zeroRate(buildTexts(REVERSE_CHARGE, withArticle(REVERSE_CHARGE, '196')), 'AE', 'reverse_charge', 'service'),
      ]
    : []),
  zeroRate(buildTexts(EXPORT, EXPORT_REASON), 'G', 'export', 'goods'),
  zeroRate(buildTexts(SERVICE_ABROAD, SERVICE_ABROAD_REASON), 'O', 'export', 'service'),
];

const buildCanadianRate = (name: string, percent: string, components?: readonly TaxComponent[]): TaxSetRate => ({
  texts: buildTexts({ en: name, es: name, de: name, fr: name.replace('HST', 'TVH') }, null),
  percent,
  category: 'S',
  profile: 'domestic',
  appliesTo: null,
  ...(components && { components }),
});

const withGst = (name: string, percent: string): readonly TaxComponent[] => [
  { name: 'GST/TPS', percent: '5' },
  { name, percent },
];

/** Rates of the provinces: harmonised, or GST with a tax of the province. */
const PROVINCIAL_RATES: readonly TaxSetRate[] = [
  buildCanadianRate('HST', '13'),
  buildCanadianRate('HST', '14'),
  buildCanadianRate('HST', '15'),
  buildCanadianRate('GST + QST', '14.975', withGst('QST/TVQ', '9.975')),
  buildCanadianRate('GST + PST', '12', withGst('PST', '7')),
  buildCanadianRate('GST + PST', '11', withGst('PST', '6')),
];

/**
 * The rates of a company in a country; the first is its default. Null if there is no set for the country.
 * @param smallBusiness whether the company is a small one that charges no VAT
 */
export function getTaxSet(country: string, smallBusiness: boolean): TaxSetRate[] | null {
  if (country === 'US')
    return [
      {
        texts: buildTexts(NO_SALES_TAX, NO_SALES_TAX),
        percent: '0',
        category: 'O',
        profile: 'domestic',
        appliesTo: null,
      },
    ];
  const rates = RATES[country];
  if (rates === undefined) return null;
  if (smallBusiness) return [smallBusinessRate(country)];
  const [standardName, reducedName] = country === 'CA' ? [GST, GST] : [STANDARD, REDUCED];
  return [
    ...rates.map((percent, index): TaxSetRate => ({
      texts: buildTexts(index === 0 ? standardName : reducedName, null),
      percent,
      category: 'S',
      profile: 'domestic',
      appliesTo: null,
    })),
    ...(country === 'CA' ? PROVINCIAL_RATES : []),
    ...buildForeignRates(country),
  ];
}
