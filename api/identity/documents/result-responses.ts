import { z } from 'zod';
import { ADDRESS_PROOF_TYPES } from '../../../domain/identity/documents/poa/result';
import { MRZ_FORMATS } from '../../../domain/identity/documents/mrz/format';
import { orNull } from '../or-null';
import {
  boxSchema,
  resultFields,
  modelUseSchema,
  rotationSchema,
  fractionSchema,
  sideSchema,
} from '../checks/result-parts';

const documentQualitySchema = z
  .object({
    sharpness: z.number(),
    glare: fractionSchema,
    brightness: z.number(),
    cutOff: z.boolean(),
    resolution: z.number(),
  })
  .meta({ id: 'DocumentQuality' });

const mrzSchema = z
  .object({
    format: z.enum(MRZ_FORMATS).meta({
      description:
        'Layout by ICAO Doc 9303, or IDFRA: the French identity card of 1988 to 2021, two lines of 36 characters.',
    }),
    side: sideSchema,
    lines: z.array(z.string()),
    fields: z
      .object({
        documentCode: z.string(),
        issuingState: z.string().nullable(),
        documentNumber: z.string().nullable(),
        lastName: z.string().nullable(),
        firstName: z.string().nullable(),
        nameTruncated: z.boolean(),
        nationality: z.string().nullable(),
        dateOfBirth: z.string().nullable(),
        sex: z.enum(['F', 'M', 'X']).nullable(),
        expiryDate: z.string().nullable(),
        personalNumber: z.string().nullable(),
        optionalData: z.array(z.string()),
      })
      .meta({ description: 'Fields as encoded in the zone.' }),
    checkDigits: z.array(
      z.object({ name: z.string(), printed: z.string(), expected: z.number().nullable(), valid: z.boolean() }),
    ),
    valid: z
      .boolean()
      .meta({ description: 'Whether all check digits verify, which does not prove that every character is right.' }),
    repaired: z.boolean().meta({ description: 'Whether one character was replaced so that the check digits verify.' }),
    confidence: fractionSchema,
    box: boxSchema,
  })
  .meta({ id: 'MachineReadableZone' });

const aamvaText = z.string().nullable();

const barcodeSchema = z
  .object({
    symbology: z.literal('PDF417'),
    side: sideSchema,
    aamva: z
      .object({
        documentType: z.enum(['driving_licence', 'identity_card']),
        issuerId: z.string().meta({ description: 'Issuer identification number assigned by AAMVA.' }),
        jurisdiction: aamvaText.meta({ description: 'Postal abbreviation of the state or province.' }),
        version: z.number().meta({ description: 'Version of the AAMVA Card Design Standard.' }),
        fields: z.object({
          documentNumber: aamvaText,
          lastName: aamvaText,
          firstName: aamvaText,
          suffix: aamvaText,
          dateOfBirth: aamvaText,
          expiryDate: aamvaText,
          issueDate: aamvaText,
          sex: z.enum(['F', 'M', 'X']).nullable(),
          street: aamvaText,
          city: aamvaText,
          region: aamvaText,
          postalCode: aamvaText,
          country: z.enum(['USA', 'CAN', 'MEX']).nullable(),
          vehicleClass: aamvaText,
          discriminator: aamvaText,
        }),
        faults: z.array(z.string()).meta({ description: 'Mandatory elements that are missing or impossible.' }),
      })
      .nullable()
      .meta({
        description: 'Content by the AAMVA standard; null for other content, or a barcode that could not be decoded.',
      }),
    valid: z.boolean().meta({ description: 'Whether the barcode was decoded and, for AAMVA content, has no faults.' }),
    box: boxSchema,
  })
  .meta({ id: 'Barcode', description: 'PDF417 barcode of a driving licence or identity card.' });

export const documentResultSchema = z
  .object({
    ...resultFields,
    documentType: z.enum(['passport', 'identity_card', 'driving_licence', 'residence_permit', 'visa']).nullable(),
    issuingState: z
      .string()
      .nullable()
      .meta({ description: 'Issuing state: ISO 3166-1 alpha-3, or a code of ICAO 9303.' }),
    documentNumber: z.string().nullable(),
    personalNumber: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    fullName: z.string().nullable(),
    dateOfBirth: z
      .string()
      .nullable()
      .meta({ description: 'Date of birth, YYYY-MM-DD; an unknown month or day is XX.' }),
    age: z.number().nullable(),
    sex: z.enum(['F', 'M', 'X']).nullable(),
    nationality: z.string().nullable(),
    issueDate: z.string().nullable(),
    expiryDate: z
      .string()
      .nullable()
      .meta({ description: 'Date of expiry, YYYY-MM-DD; in the year 9999 for a document that is valid permanently.' }),
    placeOfBirth: z.string().nullable(),
    address: z.string().nullable(),
    mrz: orNull(mrzSchema),
    barcode: orNull(barcodeSchema),
    fields: z.array(
      z.object({
        name: z.string(),
        value: z.string(),
        source: z.enum(['mrz', 'visual', 'barcode']),
        confidence: fractionSchema,
        side: sideSchema,
        box: orNull(boxSchema),
        agrees: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether the sources agree; null if only one source has the field.' }),
      }),
    ),
    portrait: z.object({ side: sideSchema, box: boxSchema, confidence: fractionSchema }).nullable(),
    quality: documentQualitySchema,
    sides: z.array(
      z.object({
        side: sideSchema,
        width: z.number(),
        height: z.number(),
        rotation: rotationSchema,
        quality: documentQualitySchema,
      }),
    ),
    thresholds: z.record(z.string(), z.number()),
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'DocumentResult', description: 'Result of reading an identity document.' });

export const addressProofResultSchema = z
  .object({
    ...resultFields,
    documentType: z.enum(ADDRESS_PROOF_TYPES),
    issuer: z.string().nullable(),
    issueDate: z.string().nullable().meta({ description: 'Date of issue, YYYY-MM-DD.' }),
    language: z.string().nullable().meta({ description: 'Language of the text, ISO 639-1.' }),
    name: z.string().nullable().meta({ description: 'Name of the recipient as printed.' }),
    otherNames: z.array(z.string()).meta({ description: 'Other names next to the recipient, such as joint holders.' }),
    address: orNull(
      z
        .object({
          raw: z.string(),
          street: z.string().nullable(),
          city: z.string().nullable(),
          region: z.string().nullable(),
          postalCode: z.string().nullable(),
          country: z.string().nullable().meta({ description: 'Country of the address, ISO 3166-1 alpha-3.' }),
        })
        .meta({ id: 'PostalAddress' }),
    ),
    source: z
      .enum(['text_layer', 'recognition'])
      .meta({ description: 'Text inside a PDF, or characters recognised on an image.' }),
    pages: z.number().int(),
    confidence: fractionSchema,
    thresholds: z.record(z.string(), z.number()),
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'AddressProofResult', description: 'Result of reading a proof of address.' });
