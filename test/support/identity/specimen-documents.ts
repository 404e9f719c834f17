import { composeMrz } from '../../../domain/identity/documents/mrz/compose';
import type { MrzContent } from '../../../domain/identity/documents/mrz/compose';
import { portraitOf } from '../../../scripts/demo/photos';
import type { SpecimenPage } from '../../../scripts/demo/specimen';
import { cardPage } from './cards';
import type { CardSpecimen } from './cards';

/** Portraits of two people. */
export interface Portraits {
  anna: Buffer;
  clara: Buffer;
}

export const specimenPortraits = async (): Promise<Portraits> => ({
  anna: await portraitOf('anna'),
  clara: await portraitOf('clara'),
});

export const ZONE: MrzContent = {
  documentCode: 'P',
  issuingState: 'UTO',
  nationality: 'UTO',
  name: 'MARTINSDOTTER<<KLARA<EMILIA',
  documentNumber: 'X42K90617',
  dateOfBirth: '910723',
  sex: 'F',
  expiryDate: '310110',
};

const PRINT = {
  'Passport No.': 'X42K90617',
  Surname: 'MARTINSDOTTER',
  'Given names': 'KLARA EMILIA',
  'Date of birth': '23 JUL 1991',
  Sex: 'F',
  'Place of birth': 'ZENITH',
  'Date of issue': '11 JAN 2021',
  'Date of expiry': '10 JAN 2031',
};

type Print = Partial<Record<keyof typeof PRINT, string | null>>;

export interface Changes extends Partial<Omit<CardSpecimen, 'content' | 'fields'>> {
  zone?: MrzContent;
  /** values printed otherwise; null prints neither caption nor value */
  print?: Print;
}

export const fieldsOf = (print: Print): [string, string][] =>
  Object.entries({ ...PRINT, ...print }).filter((entry): entry is [string, string] => entry[1] !== null);

/** A passport of Utopia, but for the changes. */
export const passport =
  ({ zone = {}, print = {}, ...card }: Changes = {}) =>
  ({ anna }: Portraits): SpecimenPage =>
    cardPage({
      format: 'TD3',
      title: 'UTOPIA PASSPORT',
      portrait: anna,
      content: { ...ZONE, ...zone },
      fields: fieldsOf(print),
      ...card,
    });

/** The front of an identity card, which bears no zone. */
export const cardFront =
  (print: Print = {}, title = 'UTOPIA IDENTITY CARD') =>
  ({ anna }: Portraits): SpecimenPage =>
    cardPage({ format: 'TD1', title, portrait: anna, fields: fieldsOf({ 'Place of birth': null, ...print }) });

/** The back of the same card. */
export const cardBack =
  (zone: MrzContent = {}) =>
  (): SpecimenPage =>
    cardPage({ format: 'TD1', title: 'UTOPIA', content: { ...ZONE, documentCode: 'I', ...zone } });

/** A zone with one digit of the number changed and its check digit left as it was. */
export const forgedZone = (): string[] => {
  const [first = '', second = ''] = composeMrz('TD3', ZONE);
  return [first, second.replace('X42K90617', 'X42K90677')];
};

/** The same page with a plain square in place of its portrait. */
export const noPortrait = (page: SpecimenPage): SpecimenPage => ({
  ...page,
  html: page.html.replace(/src="data:image\/jpeg[^"]*"/, 'style="background:#9aa3b0"'),
});
