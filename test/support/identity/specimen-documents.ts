import { composeMrz } from '../../../domain/identity/documents/mrz/compose';
import type { MrzContent } from '../../../domain/identity/documents/mrz/compose';
import { loadPortrait } from '../../../scripts/demo/photos';
import type { SpecimenPage } from '../../../scripts/demo/specimen';
import { buildCardPage } from './cards';
import type { CardSpecimen } from './cards';

/** Portraits of two people. */
export interface Portraits {
  anna: Buffer;
  clara: Buffer;
}

/** Reads the portraits of the demonstration. */
export const loadPortraits = async (): Promise<Portraits> => ({
  anna: await loadPortrait('anna'),
  clara: await loadPortrait('clara'),
});

export const SPECIMEN_MRZ: MrzContent = {
  documentCode: 'P',
  issuingState: 'UTO',
  nationality: 'UTO',
  name: 'MARTINSDOTTER<<KLARA<EMILIA',
  documentNumber: 'X42K90617',
  dateOfBirth: '910723',
  sex: 'F',
  expiryDate: '310110',
};

const PRINTED_FIELDS = {
  'Passport No.': 'X42K90617',
  Surname: 'MARTINSDOTTER',
  'Given names': 'KLARA EMILIA',
  'Date of birth': '23 JUL 1991',
  Sex: 'F',
  'Place of birth': 'ZENITH',
  'Date of issue': '11 JAN 2021',
  'Date of expiry': '10 JAN 2031',
};

type PrintedFields = Partial<Record<keyof typeof PRINTED_FIELDS, string | null>>;

export interface SpecimenChanges extends Partial<Omit<CardSpecimen, 'content' | 'fields'>> {
  zone?: MrzContent;
  /** changed printed values; null prints neither caption nor value */
  print?: PrintedFields;
}

/** Labels and values as printed. @param print other values; null leaves a field out */
export const buildFields = (print: PrintedFields): [string, string][] =>
  Object.entries({ ...PRINTED_FIELDS, ...print }).filter((entry): entry is [string, string] => entry[1] !== null);

/** A passport of Utopia with the given changes. */
export const buildPassport =
  ({ zone = {}, print = {}, ...card }: SpecimenChanges = {}) =>
  ({ anna }: Portraits): SpecimenPage =>
    buildCardPage({
      format: 'TD3',
      title: 'UTOPIA PASSPORT',
      portrait: anna,
      content: { ...SPECIMEN_MRZ, ...zone },
      fields: buildFields(print),
      ...card,
    });

/** The front of an identity card, without a zone. */
export const buildCardFront =
  (print: PrintedFields = {}, title = 'UTOPIA IDENTITY CARD') =>
  ({ anna }: Portraits): SpecimenPage =>
    buildCardPage({ format: 'TD1', title, portrait: anna, fields: buildFields({ 'Place of birth': null, ...print }) });

/** The back of the same card. */
export const buildCardBack =
  (zone: MrzContent = {}) =>
  (): SpecimenPage =>
    buildCardPage({ format: 'TD1', title: 'UTOPIA', content: { ...SPECIMEN_MRZ, documentCode: 'I', ...zone } });

/** A zone with one digit of the document number changed and its check digit unchanged. */
export const forgeZone = (): string[] => {
  const [first = '', second = ''] = composeMrz('TD3', SPECIMEN_MRZ);
  return [first, second.replace('X42K90617', 'X42K90677')];
};

/** A page with a plain square instead of the portrait. */
export const removePortrait = (page: SpecimenPage): SpecimenPage => ({
  ...page,
  html: page.html.replace(/src="data:image\/jpeg[^"]*"/, 'style="background:#9aa3b0"'),
});
