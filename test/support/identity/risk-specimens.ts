import sharp from 'sharp';
import type { RiskCode } from '../../../domain/identity/checks/risks';
import { loadPortrait } from '../../../scripts/demo/photos';
import type { SpecimenPage } from '../../../scripts/demo/specimen';
import { composeAamva } from './aamva';
import {
  buildBritishLicence,
  buildCardPage,
  buildLicenceBack,
  buildLicenceFront,
  buildNumberedLicenceFront,
} from './cards';
import {
  cropImage,
  photographDisplay,
  photographPrint,
  photographOriginal,
  encodeJpeg,
  layOnTable,
  combinePages,
  addGlare,
} from './specimen-captures';
import {
  buildCardBack,
  buildCardFront,
  buildFields,
  forgeZone,
  removePortrait,
  buildPassport,
  SPECIMEN_MRZ,
} from './specimen-documents';
import type { Portraits } from './specimen-documents';
import { simulatePhotograph } from './specimens';

/** One image of a specimen: a page to draw or a ready image, and the effects of its capture. */
export interface SpecimenImage {
  page?: (portraits: Portraits) => SpecimenPage | Promise<SpecimenPage>;
  photo?: () => Promise<Buffer>;
  capture?: (image: Buffer) => Promise<Buffer>;
}

/** A document designed to raise one risk. */
export interface RiskSpecimen {
  what: string;
  front: SpecimenImage;
  back?: SpecimenImage;
  /** expected data of the session; with it or `workflow` the document is submitted in a session */
  expected?: Record<string, string>;
  /** settings of the session */
  workflow?: Record<string, unknown>;
  /** every risk it raises: its own, and those that necessarily accompany it */
  raises: readonly RiskCode[];
}

/** Documents without risks. */
export const CLEAN_SPECIMENS: Record<string, RiskSpecimen> = {
  passport: { what: 'a passport', front: { page: buildPassport() }, raises: [] },
  card: {
    what: 'both sides of a card',
    front: { page: buildCardFront() },
    back: { page: buildCardBack() },
    raises: [],
  },
  swapped: {
    what: 'both sides of a card, sent the wrong way round',
    front: { page: buildCardBack() },
    back: { page: buildCardFront() },
    raises: [],
  },
  both_sides_beside: {
    what: 'both sides of a card side by side in one photograph',
    front: { page: (portraits) => combinePages(buildCardFront()(portraits), buildCardBack()(), 'beside') },
    raises: [],
  },
  both_sides_below: {
    what: 'the back of a card above its front in one photograph',
    front: { page: (portraits) => combinePages(buildCardBack()(), buildCardFront()(portraits), 'below') },
    raises: [],
  },
  licence_sides: {
    what: 'both sides of a licence in one photograph',
    front: { page: async ({ anna }) => combinePages(buildLicenceFront(anna), await buildLicenceBack(), 'below') },
    raises: [],
  },
  on_table: {
    what: 'a passport askew on a table',
    front: { page: (portraits) => layOnTable(buildPassport()(portraits)) },
    raises: [],
  },
  on_table_turned: {
    what: 'a passport askew on a table, the picture on its side',
    front: {
      page: (portraits) => layOnTable(buildPassport()(portraits)),
      capture: (image) => simulatePhotograph(image, { turn: 90 }),
    },
    raises: [],
  },
  same_camera: {
    what: 'a passport photographed as the copies are',
    front: { page: buildPassport(), capture: photographOriginal },
    raises: [],
  },
  licence: {
    what: 'both sides of a licence',
    front: { page: ({ anna }) => buildLicenceFront(anna) },
    back: { page: () => buildLicenceBack() },
    raises: [],
  },
  numbered_licence: {
    what: 'both sides of a licence whose captions are numbers',
    front: {
      page: ({ anna }) =>
        buildNumberedLicenceFront(anna, { lastName: 'MARTINSDOTTER', firstName: 'KLARA', birth: '1991-07-23' }),
    },
    back: { page: () => buildLicenceBack() },
    raises: [],
  },
};

/** One document per risk that a document can raise. */
export const RISK_SPECIMENS = {
  document_expired: {
    what: 'expired yesterday as decades go',
    front: {
      page: buildPassport({
        zone: { expiryDate: '240110' },
        print: { 'Date of expiry': '10 JAN 2024', 'Date of issue': '11 JAN 2014' },
      }),
    },
    raises: ['document_expired'],
  },
  document_not_recognised: {
    what: 'a portrait and nothing else',
    front: { photo: async () => loadPortrait('clara') },
    raises: ['document_not_recognised'],
  },
  document_not_accepted: {
    what: 'a passport where identity cards alone are accepted',
    front: { page: buildPassport() },
    workflow: { acceptedDocuments: [{ type: 'identity_card' }] },
    raises: ['document_not_accepted'],
  },
  portrait_not_found: {
    what: 'print where the portrait belongs',
    front: { page: ({ anna, clara }) => removePortrait(buildPassport()({ anna, clara })) },
    raises: ['portrait_not_found'],
  },
  mrz_not_found: {
    what: 'the front of a card without its back',
    front: { page: buildCardFront() },
    raises: ['mrz_not_found'],
  },
  print_unverified: {
    what: 'a British licence, which has no machine-readable part',
    front: { page: ({ anna }) => buildBritishLicence(anna) },
    raises: ['print_unverified'],
  },
  mrz_check_failed: {
    what: 'a number changed after its check digit was computed',
    front: { page: buildPassport({ lines: forgeZone(), print: { 'Passport No.': 'X42K90677' } }) },
    raises: ['mrz_check_failed'],
  },
  mrz_visual_mismatch: {
    what: 'another date of birth in print than in the zone',
    front: { page: buildPassport({ print: { 'Date of birth': '23 JUL 1981' } }) },
    raises: ['mrz_visual_mismatch'],
  },
  barcode_not_found: {
    what: 'a Californian licence without its back',
    front: { page: ({ anna }) => buildLicenceFront(anna) },
    raises: ['barcode_not_found'],
  },
  barcode_check_failed: {
    what: 'a barcode that states 31 February',
    front: { page: ({ anna }) => buildLicenceFront(anna) },
    back: { page: () => buildLicenceBack(composeAamva({ issueDate: '2024-02-31' })) },
    raises: ['barcode_check_failed'],
  },
  barcode_visual_mismatch: {
    what: 'another date of birth in print than in the barcode',
    front: { page: ({ anna }) => buildLicenceFront(anna, { birth: '1989-03-11' }) },
    back: { page: () => buildLicenceBack() },
    raises: ['barcode_visual_mismatch'],
  },
  name_not_found: {
    what: 'a card without a name',
    front: { page: buildCardFront({ Surname: null, 'Given names': null }) },
    raises: ['mrz_not_found', 'name_not_found'],
  },
  date_of_birth_not_found: {
    what: 'a card without a date of birth',
    front: { page: buildCardFront({ 'Date of birth': null }) },
    raises: ['mrz_not_found', 'date_of_birth_not_found'],
  },
  document_number_not_found: {
    what: 'a card without a number',
    front: { page: buildCardFront({ 'Passport No.': null }) },
    raises: ['mrz_not_found', 'document_number_not_found'],
  },
  expiry_not_found: {
    what: 'a card without an end',
    front: { page: buildCardFront({ 'Date of expiry': null }) },
    raises: ['mrz_not_found', 'expiry_not_found'],
  },
  invalid_date: {
    what: 'a zone whose digits verify and state 31 February',
    front: { page: buildPassport({ zone: { dateOfBirth: '910231' }, print: { 'Date of birth': null } }) },
    raises: ['date_of_birth_not_found', 'invalid_date'],
  },
  issue_after_expiry: {
    what: 'issued the year after it expires',
    front: { page: buildPassport({ print: { 'Date of issue': '11 JAN 2032' } }) },
    raises: ['invalid_date', 'issue_after_expiry'],
  },
  wrong_side: { what: 'the back of a card alone', front: { page: buildCardBack() }, raises: ['wrong_side'] },
  two_documents: {
    what: 'front and back of two cards',
    front: {
      page: ({ clara }) =>
        buildCardPage({
          format: 'TD1',
          title: 'UTOPIA IDENTITY CARD',
          portrait: clara,
          content: { ...SPECIMEN_MRZ, documentCode: 'I' },
          fields: buildFields({ 'Place of birth': null, 'Date of issue': null, Sex: null }),
        }),
    },
    back: { page: buildCardBack({ documentNumber: 'B55512345', name: 'OKONKWO<<ADAEZE', dateOfBirth: '780202' }) },
    raises: ['two_documents'],
  },
  image_blurred: {
    what: 'out of focus',
    front: { page: buildPassport(), capture: (image) => simulatePhotograph(image, { blur: 5 }) },
    raises: ['image_blurred'],
  },
  image_glare: {
    what: 'a lamp over the print',
    front: { page: buildPassport(), capture: addGlare },
    raises: ['image_glare'],
  },
  image_dark: {
    what: 'in a dark room',
    front: { page: buildPassport(), capture: (image) => encodeJpeg(sharp(image).linear(0.16, 2)) },
    raises: ['image_dark'],
  },
  image_too_small: {
    what: '460 pixels wide',
    front: { page: buildPassport(), capture: (image) => encodeJpeg(sharp(image).resize(460)) },
    // Print of this size is misread.
    raises: ['mrz_visual_mismatch', 'image_too_small'],
  },
  document_cut_off: {
    what: 'its right eighth outside the picture',
    front: { page: buildPassport(), capture: (image) => cropImage(image, { width: 0.88 }) },
    raises: ['document_cut_off'],
  },
  screen_capture_suspected: {
    what: 'photographed from a display',
    front: { page: buildPassport(), capture: photographDisplay },
    raises: ['screen_capture_suspected'],
  },
  printed_copy_suspected: {
    what: 'photographed from a print in four colours',
    front: { page: buildPassport(), capture: photographPrint },
    raises: ['printed_copy_suspected'],
  },
  expected_name_mismatch: {
    what: 'another name than expected',
    front: { page: buildPassport() },
    expected: { firstName: 'Tobias', lastName: 'Okonkwo' },
    raises: ['expected_name_mismatch'],
  },
  expected_date_of_birth_mismatch: {
    what: 'another date of birth than expected',
    front: { page: buildPassport() },
    expected: { dateOfBirth: '1991-07-24' },
    raises: ['expected_date_of_birth_mismatch'],
  },
  expected_country_mismatch: {
    what: 'of another state than expected',
    front: { page: buildPassport() },
    expected: { country: 'FRA' },
    raises: ['expected_country_mismatch'],
  },
  expected_document_number_mismatch: {
    what: 'another number than expected',
    front: { page: buildPassport() },
    expected: { documentNumber: 'X42K90618' },
    raises: ['expected_document_number_mismatch'],
  },
  minimum_age_not_met: {
    what: 'of a person of ten',
    front: { page: buildPassport({ zone: { dateOfBirth: '160723' }, print: { 'Date of birth': '23 JUL 2016' } }) },
    workflow: { thresholds: { minimumAge: 18 } },
    raises: ['minimum_age_not_met'],
  },
} satisfies Partial<Record<RiskCode, RiskSpecimen>>;
