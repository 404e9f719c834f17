import sharp from 'sharp';
import { buildLibraryCard, buildLicenceBack, buildNumberedLicenceFront } from './cards';
import { encodeJpeg, combinePages, YELLOW_LAMP } from './specimen-captures';
import { buildCardFront, buildPassport } from './specimen-documents';
import type { SpecimenChanges } from './specimen-documents';

import type { RiskSpecimen } from './risk-specimens';

const OTHER_DOCUMENT_NUMBER: SpecimenChanges = {
  zone: { documentNumber: 'B55512345' },
  print: { 'Passport No.': 'B55512345' },
};

/** Further documents for the same risks; the name begins with the code. */
export const ADDITIONAL_RISK_SPECIMENS: Record<string, RiskSpecimen> = {
  'mrz_visual_mismatch by one digit of the number': {
    what: 'another last digit in print than in the zone',
    front: { page: buildPassport({ print: { 'Passport No.': 'X42K90677' } }) },
    raises: ['mrz_visual_mismatch'],
  },
  'mrz_visual_mismatch by the letters of the name': {
    what: 'a name that resembles the one of the zone',
    front: { page: buildPassport({ print: { Surname: 'MARTINSDOTER' } }) },
    raises: ['mrz_visual_mismatch'],
  },
  'two_documents by the front of a licence with captions of numbers': {
    what: 'another name and date of birth in print than in the barcode',
    front: { page: ({ anna }) => buildNumberedLicenceFront(anna) },
    back: { page: () => buildLicenceBack() },
    raises: ['barcode_visual_mismatch', 'two_documents'],
  },
  'document_not_recognised by the title of a library card': {
    what: 'the card of a library',
    front: { page: ({ anna }) => buildLibraryCard(anna) },
    raises: ['document_not_recognised'],
  },
  'two_documents by their zones, side by side in one photograph': {
    what: 'two passports of one person',
    front: {
      page: (portraits) =>
        combinePages(buildPassport()(portraits), buildPassport(OTHER_DOCUMENT_NUMBER)(portraits), 'beside'),
    },
    raises: ['two_documents'],
  },
  'two_documents by their zones, below each other in one photograph': {
    what: 'two passports of one person',
    front: {
      page: (portraits) =>
        combinePages(buildPassport()(portraits), buildPassport(OTHER_DOCUMENT_NUMBER)(portraits), 'below'),
    },
    raises: ['two_documents'],
  },
  'two_documents by their portraits, in one photograph': {
    what: 'fronts of the cards of two people',
    front: {
      page: (portraits) =>
        combinePages(buildCardFront()(portraits), buildCardFront()({ ...portraits, anna: portraits.clara }), 'beside'),
    },
    raises: ['mrz_not_found', 'two_documents'],
  },
  'wrong_side by the front sent twice': {
    what: 'the front of a card, sent as its back too',
    front: { page: buildCardFront() },
    back: { page: buildCardFront() },
    raises: ['mrz_not_found', 'wrong_side'],
  },
  'invalid_date by its print': {
    what: '31 February in print',
    front: { page: buildCardFront({ 'Date of birth': '31.02.1991' }) },
    raises: ['mrz_not_found', 'date_of_birth_not_found', 'invalid_date'],
  },
  'printed_copy_suspected by its want of colour': {
    what: 'a copy in black and white under a yellow lamp',
    front: {
      page: buildPassport(),
      capture: async (image) =>
        encodeJpeg(
          sharp(await sharp(image).greyscale().toBuffer())
            .toColourspace('srgb')
            .recomb(YELLOW_LAMP),
        ),
    },
    raises: ['printed_copy_suspected'],
  },
  'screen_capture_suspected by its own word': {
    what: 'a file that its maker calls a screenshot',
    front: {
      page: buildPassport(),
      capture: (image) =>
        sharp(image)
          .withExif({ IFD0: { ImageDescription: 'Screenshot' } })
          .jpeg()
          .toBuffer(),
    },
    raises: ['screen_capture_suspected'],
  },
  "screen_capture_suspected by a telephone's size": {
    what: 'a PNG of 1170 by 2532 pixels',
    front: {
      page: buildPassport(),
      capture: (image) =>
        sharp(image).resize({ width: 1170, height: 2532, fit: 'contain', background: '#000' }).png().toBuffer(),
    },
    raises: ['screen_capture_suspected'],
  },
};
