import { z } from 'zod';
import { LIVENESS_ACTIONS } from '../../../domain/identity/biometrics/active-liveness';
import { FACE_LISTS } from '../../../domain/identity/biometrics/face-search';
import { orNull } from '../or-null';
import { boxSchema, resultFields, modelUseSchema, rotationSchema, fractionSchema } from '../checks/result-parts';

const detectedFaceSchema = z.object({ box: boxSchema, confidence: fractionSchema }).meta({ id: 'Face' });

export const faceQualitySchema = z
  .object({
    sharpness: z.number(),
    brightness: z.number(),
    pose: z.object({ yaw: z.number(), pitch: z.number(), roll: z.number() }).meta({ description: 'Degrees.' }),
    eyesOpen: z.array(fractionSchema).length(2).meta({ description: "The person's right eye, then the left one." }),
    interEyeDistance: z.number().meta({ description: 'Pixels.' }),
    occlusion: fractionSchema,
    overall: z.number().meta({ description: '0–100.' }),
  })
  .meta({ id: 'FaceQuality' });

const score = z.number().min(0).max(100).nullable();

const LIVENESS_PARTS = ['model', 'narrowCrop', 'moire', 'specular', 'gamut', 'frameEdges', 'faceToFrame'] as const;

const livenessPartsSchema = z
  .object({
    model: fractionSchema,
    narrowCrop: fractionSchema,
    moire: fractionSchema,
    specular: fractionSchema,
    gamut: fractionSchema,
    frameEdges: fractionSchema,
    faceToFrame: z.number().min(0),
  })
  .meta({ id: 'LivenessParts' });

const points = z.partialRecord(z.enum(LIVENESS_PARTS), z.number());

const livenessAction = z.enum(LIVENESS_ACTIONS);

const activeLivenessSchema = z
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

export const livenessResultSchema = z
  .object({
    ...resultFields,
    method: z.enum(['passive', 'active']),
    active: orNull(activeLivenessSchema).meta({
      description: 'What was seen of the actions asked for; null of a passive check.',
    }),
    score: score.meta({ description: '0–100, null without a face.' }),
    parts: orNull(livenessPartsSchema).meta({ description: 'What the score is made of.' }),
    deductions: points.meta({ description: "Points each part took from the model's score." }),
    face: orNull(detectedFaceSchema),
    faces: z.array(detectedFaceSchema),
    rotation: rotationSchema,
    quality: orNull(faceQualitySchema),
    thresholds: z.object({ decline: z.number(), review: z.number() }),
    measuredOn: z.string(),
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'LivenessResult', description: 'Whether a live person was in front of the camera.' });

const examinedFaceFields = {
  face: orNull(detectedFaceSchema).meta({ description: 'The one examined: the largest.' }),
  faces: z.array(detectedFaceSchema).meta({ description: 'The largest first.' }),
  rotation: rotationSchema,
  quality: orNull(faceQualitySchema),
};

const years = z.number().min(0);

export const ageResultSchema = z
  .object({
    ...resultFields,
    age: years.nullable().meta({ description: 'Estimate in years; null without a face.' }),
    interval: z
      .object({
        low: years,
        high: years,
        coverage: fractionSchema.meta({ description: 'Share of people it is meant to hold.' }),
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
    ...examinedFaceFields,
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'AgeResult', description: 'How old a person seems.' });

const faceSearchMatchSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    externalId: z.string().nullable(),
    sessionId: z.string().nullable().meta({ description: 'The approved session whose selfie it is.' }),
    list: z.enum(FACE_LISTS),
    similarity: z.number().meta({ description: 'Cosine of the embeddings.' }),
  })
  .meta({ id: 'FaceSearchMatch' });

export const faceSearchResultSchema = z
  .object({
    ...resultFields,
    matches: z.array(faceSearchMatchSchema).meta({ description: 'Best first.' }),
    lists: z.array(z.enum(FACE_LISTS)),
    topK: z.number().int(),
    gallerySize: z.number().int().meta({ description: 'Faces compared, every one of them.' }),
    threshold: z.number().meta({ description: 'Least cosine of a match. It rises with the gallery, never below 0.5.' }),
    expectedFalseHits: z.number().meta({ description: 'Strangers expected among the matches of one search.' }),
    falsePositiveIdentificationRate: z
      .number()
      .meta({ description: 'Chance that a search of somebody absent finds anybody.' }),
    measuredOn: z.string().meta({ description: 'What these two figures rest on.' }),
    ...examinedFaceFields,
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'FaceSearchResult', description: 'The indexed faces that resemble one.' });

const matchedImageSchema = z
  .object({
    faces: z.array(detectedFaceSchema).meta({ description: 'The largest first.' }),
    face: orNull(detectedFaceSchema).meta({ description: 'The one compared.' }),
    rotation: rotationSchema,
    quality: orNull(faceQualitySchema),
  })
  .meta({ id: 'MatchedImage' });

export const faceMatchResultSchema = z
  .object({
    ...resultFields,
    score: score.meta({ description: '0–100, 50 at the threshold; null where an image has no face.' }),
    similarity: z.number().nullable().meta({ description: 'Cosine of the embeddings.' }),
    match: z.boolean(),
    threshold: z.number(),
    reviewThreshold: z.number(),
    falseMatchRate: z.number().meta({ description: 'Share of different people who would reach the threshold.' }),
    measuredOn: z.string(),
    userImage: matchedImageSchema,
    refImage: matchedImageSchema,
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'FaceMatchResult', description: 'Whether two pictures show the same person.' });
