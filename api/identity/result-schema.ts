import { z } from 'zod';
import { LIVENESS_ACTIONS } from '../../domain/identity/biometrics/active-liveness';
import { FACE_LISTS } from '../../domain/identity/biometrics/face-search';
import { DATABASE_FIELDS } from '../../domain/identity/database/validate';
import { ADDRESS_PROOF_TYPES } from '../../domain/identity/poa/result';
import { orNull } from './or-null';
import { riskSchema, verdict } from './risk-schema';

const box = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .meta({ id: 'Box', description: 'Pixels of the image as sent, after its EXIF orientation.' });

const rotation = z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]);
const side = z.enum(['front', 'back']);
const share = z.number().min(0).max(1);

const modelUse = z
  .object({ role: z.string(), name: z.string(), version: z.string(), sha256: z.string() })
  .meta({ id: 'ModelUse', description: 'The weights a result rests on.' });

const face = z.object({ box, confidence: share }).meta({ id: 'Face' });

export const faceQuality = z
  .object({
    sharpness: z.number(),
    brightness: z.number(),
    pose: z.object({ yaw: z.number(), pitch: z.number(), roll: z.number() }).meta({ description: 'Degrees.' }),
    eyesOpen: z.array(share).length(2).meta({ description: "The person's right eye, then the left one." }),
    interEyeDistance: z.number().meta({ description: 'Pixels.' }),
    occlusion: share,
    overall: z.number().meta({ description: '0–100.' }),
  })
  .meta({ id: 'FaceQuality' });

export const judged = { status: verdict, risks: z.array(riskSchema) };

const documentQuality = z
  .object({
    sharpness: z.number(),
    glare: share,
    brightness: z.number(),
    cutOff: z.boolean(),
    resolution: z.number(),
  })
  .meta({ id: 'DocumentQuality' });

const mrz = z
  .object({
    format: z.enum(['TD1', 'TD2', 'TD3', 'MRVA', 'MRVB']),
    side,
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
      .meta({ description: 'The fields as the zone encodes them.' }),
    checkDigits: z.array(
      z.object({ name: z.string(), printed: z.string(), expected: z.number().nullable(), valid: z.boolean() }),
    ),
    valid: z
      .boolean()
      .meta({ description: 'All check digits verify; they are no proof that every character is right.' }),
    repaired: z.boolean().meta({ description: 'One character was replaced so that the digits verify.' }),
    confidence: share,
    box,
  })
  .meta({ id: 'MachineReadableZone' });

const aamvaText = z.string().nullable();

const barcode = z
  .object({
    symbology: z.literal('PDF417'),
    side,
    aamva: z
      .object({
        documentType: z.enum(['driving_licence', 'identity_card']),
        issuerId: z.string().meta({ description: 'Issuer identification number, as AAMVA assigns them.' }),
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
      .meta({ description: 'Null for a symbol of another content, or one that could not be decoded.' }),
    valid: z.boolean().meta({ description: 'It was decoded; one after the AAMVA standard has no faults.' }),
    box,
  })
  .meta({ id: 'Barcode', description: 'The PDF417 symbol of a driving licence or card.' });

export const documentResult = z
  .object({
    ...judged,
    documentType: z.enum(['passport', 'identity_card', 'driving_licence', 'residence_permit', 'visa']).nullable(),
    issuingState: z.string().nullable().meta({ description: 'ISO 3166-1 alpha-3, or the code of ICAO 9303.' }),
    documentNumber: z.string().nullable(),
    personalNumber: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    fullName: z.string().nullable(),
    dateOfBirth: z.string().nullable().meta({ description: 'YYYY-MM-DD; an unknown month or day stands as XX.' }),
    age: z.number().nullable(),
    sex: z.enum(['F', 'M', 'X']).nullable(),
    nationality: z.string().nullable(),
    issueDate: z.string().nullable(),
    expiryDate: z.string().nullable(),
    placeOfBirth: z.string().nullable(),
    address: z.string().nullable(),
    mrz: orNull(mrz),
    barcode: orNull(barcode),
    fields: z.array(
      z.object({
        name: z.string(),
        value: z.string(),
        source: z.enum(['mrz', 'visual', 'barcode']),
        confidence: share,
        side,
        box: orNull(box),
        agrees: z.boolean().nullable().meta({ description: 'Null where only one source has the field.' }),
      }),
    ),
    portrait: z.object({ side, box, confidence: share }).nullable(),
    quality: documentQuality,
    sides: z.array(z.object({ side, width: z.number(), height: z.number(), rotation, quality: documentQuality })),
    thresholds: z.record(z.string(), z.number()),
    models: z.array(modelUse),
  })
  .meta({ id: 'DocumentResult', description: 'What was read in an identity document.' });

export const addressProofResult = z
  .object({
    ...judged,
    documentType: z.enum(ADDRESS_PROOF_TYPES),
    issuer: z.string().nullable(),
    issueDate: z.string().nullable().meta({ description: 'YYYY-MM-DD.' }),
    language: z.string().nullable().meta({ description: 'ISO 639-1.' }),
    name: z.string().nullable().meta({ description: 'Whom it is addressed to, as printed.' }),
    otherNames: z.array(z.string()).meta({ description: 'Others it names beside them, such as joint holders.' }),
    address: orNull(
      z
        .object({
          raw: z.string(),
          street: z.string().nullable(),
          city: z.string().nullable(),
          region: z.string().nullable(),
          postalCode: z.string().nullable(),
          country: z.string().nullable().meta({ description: 'ISO 3166-1 alpha-3.' }),
        })
        .meta({ id: 'PostalAddress' }),
    ),
    source: z
      .enum(['text_layer', 'recognition'])
      .meta({ description: 'The text inside a PDF, or characters recognised on a picture.' }),
    pages: z.number().int(),
    confidence: share,
    thresholds: z.record(z.string(), z.number()),
    models: z.array(modelUse),
  })
  .meta({ id: 'AddressProofResult', description: 'What was read on a proof of address.' });

const score = z.number().min(0).max(100).nullable();

const LIVENESS_PARTS = ['model', 'narrowCrop', 'moire', 'specular', 'gamut', 'frameEdges', 'faceToFrame'] as const;

const livenessParts = z
  .object({
    model: share,
    narrowCrop: share,
    moire: share,
    specular: share,
    gamut: share,
    frameEdges: share,
    faceToFrame: z.number().min(0),
  })
  .meta({ id: 'LivenessParts' });

const points = z.partialRecord(z.enum(LIVENESS_PARTS), z.number());

const livenessAction = z.enum(LIVENESS_ACTIONS);

const activeLiveness = z
  .object({
    challengeId: z.string(),
    actions: z.array(
      z.object({
        action: livenessAction,
        frame: z.number().int().nullable().meta({ description: 'The frame it was seen in; null where it was not.' }),
      }),
    ),
    unexpected: livenessAction.nullable().meta({ description: 'A turn of the head that was not asked for then.' }),
    frames: z.number().int(),
    facelessFrames: z.number().int(),
    bestFrame: z.number().int().nullable(),
    passiveScore: score,
    continuity: z.number().nullable().meta({ description: 'Least cosine of any frame with the best one.' }),
  })
  .meta({ id: 'ActiveLiveness' });

export const livenessResult = z
  .object({
    ...judged,
    method: z.enum(['passive', 'active']),
    active: orNull(activeLiveness).meta({
      description: 'What was seen of the actions asked for; null of a passive check.',
    }),
    score: score.meta({ description: '0–100, null without a face.' }),
    parts: orNull(livenessParts).meta({ description: 'What the score is made of.' }),
    deductions: points.meta({ description: "Points each part took from the model's score." }),
    face: orNull(face),
    faces: z.array(face),
    rotation,
    quality: orNull(faceQuality),
    thresholds: z.object({ decline: z.number(), review: z.number() }),
    measuredOn: z.string(),
    models: z.array(modelUse),
  })
  .meta({ id: 'LivenessResult', description: 'Whether a live person was in front of the camera.' });

const foundFaces = {
  face: orNull(face).meta({ description: 'The one examined: the largest.' }),
  faces: z.array(face).meta({ description: 'The largest first.' }),
  rotation,
  quality: orNull(faceQuality),
};

const years = z.number().min(0);

export const ageResult = z
  .object({
    ...judged,
    age: years.nullable().meta({ description: 'Estimate in years; null without a face.' }),
    interval: z
      .object({
        low: years,
        high: years,
        coverage: share.meta({ description: 'Share of people it is meant to hold.' }),
      })
      .nullable(),
    meanAbsoluteError: years.nullable().meta({ description: 'Of the model at such an age, in years.' }),
    errorByAge: z.array(
      z.object({
        from: years,
        to: years.nullable().meta({ description: 'Exclusive; null without an upper end.' }),
        meanAbsoluteError: years,
      }),
    ),
    measuredOn: z.string(),
    minimumAge: years.nullable(),
    meetsMinimumAge: z
      .enum(['yes', 'no', 'uncertain'])
      .nullable()
      .meta({ description: 'Yes or no only where the whole interval says so; null where nothing was asked.' }),
    ...foundFaces,
    models: z.array(modelUse),
  })
  .meta({ id: 'AgeResult', description: 'How old a person seems.' });

const faceSearchMatch = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    externalId: z.string().nullable(),
    sessionId: z.string().nullable().meta({ description: 'The approved session whose selfie it is.' }),
    list: z.enum(FACE_LISTS),
    similarity: z.number().meta({ description: 'Cosine of the embeddings.' }),
  })
  .meta({ id: 'FaceSearchMatch' });

export const faceSearchResult = z
  .object({
    ...judged,
    matches: z.array(faceSearchMatch).meta({ description: 'Best first.' }),
    lists: z.array(z.enum(FACE_LISTS)),
    topK: z.number().int(),
    gallerySize: z.number().int().meta({ description: 'Faces compared, every one of them.' }),
    threshold: z.number().meta({ description: 'Least cosine of a match. It rises with the gallery, never below 0.5.' }),
    expectedFalseHits: z.number().meta({ description: 'Strangers expected among the matches of one search.' }),
    falsePositiveIdentificationRate: z
      .number()
      .meta({ description: 'Chance that a search of somebody absent finds anybody.' }),
    measuredOn: z.string().meta({ description: 'What these two figures rest on.' }),
    ...foundFaces,
    models: z.array(modelUse),
  })
  .meta({ id: 'FaceSearchResult', description: 'The indexed faces that resemble one.' });

const matchedImage = z
  .object({
    faces: z.array(face).meta({ description: 'The largest first.' }),
    face: orNull(face).meta({ description: 'The one compared.' }),
    rotation,
    quality: orNull(faceQuality),
  })
  .meta({ id: 'MatchedImage' });

export const faceMatchResult = z
  .object({
    ...judged,
    score: score.meta({ description: '0–100, 50 at the threshold; null where an image has no face.' }),
    similarity: z.number().nullable().meta({ description: 'Cosine of the embeddings.' }),
    match: z.boolean(),
    threshold: z.number(),
    reviewThreshold: z.number(),
    falseMatchRate: z.number().meta({ description: 'Share of different people who would reach the threshold.' }),
    measuredOn: z.string(),
    userImage: matchedImage,
    refImage: matchedImage,
    models: z.array(modelUse),
  })
  .meta({ id: 'FaceMatchResult', description: 'Whether two pictures show the same person.' });

export const databaseResult = z
  .object({
    ...judged,
    matchType: z.enum(['full', 'partial', 'none']).nullable().meta({
      description:
        '`full`: every field that was given agrees with a register. Null where no provider covers the country.',
    }),
    provider: z
      .enum(['register', 'national_number'])
      .nullable()
      .meta({ description: "The organisation's own register, or the rules of the country's numbers." }),
    validations: z
      .array(
        z.object({
          field: z.enum(DATABASE_FIELDS),
          status: z.enum(['match', 'partial', 'mismatch', 'not_checked']),
        }),
      )
      .meta({ description: 'Every field that was given.' }),
    numberStatus: z
      .enum(['valid', 'invalid', 'unsupported'])
      .meta({ description: 'What the number alone says: a valid one may still be nobody’s.' }),
    dataAt: z.iso.datetime().nullable().meta({ description: 'When the register was imported.' }),
  })
  .meta({ id: 'DatabaseResult', description: 'Whether what is claimed of a person agrees with a register.' });
