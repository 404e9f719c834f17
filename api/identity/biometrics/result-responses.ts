import { z } from 'zod';
import { LIVENESS_ACTIONS } from '../../../domain/identity/biometrics/active-liveness';
import { COVERED_PARTS } from '../../../domain/identity/biometrics/covered-parts';
import { FACE_LISTS } from '../../../domain/identity/biometrics/face-search';
import { orNull } from '../or-null';
import { boxSchema, resultFields, modelUseSchema, rotationSchema, fractionSchema } from '../checks/result-parts';

const detectedFaceSchema = z.object({ box: boxSchema, confidence: fractionSchema }).meta({ id: 'Face' });

export const faceQualitySchema = z
  .object({
    sharpness: z.number(),
    brightness: z.number(),
    pose: z
      .object({ yaw: z.number(), pitch: z.number(), roll: z.number() })
      .meta({ description: 'Head pose in degrees.' }),
    eyesOpen: z
      .array(fractionSchema)
      .length(2)
      .meta({ description: "Probability that each eye is open: the person's right eye, then the left one." }),
    interEyeDistance: z.number().meta({ description: 'Distance between the eye centres in pixels.' }),
    occlusion: fractionSchema,
    covered: z.array(z.enum(COVERED_PARTS)).meta({ description: 'Parts of the face that cannot be seen.' }),
    overall: z.number().meta({ description: 'Overall quality, 0–100.' }),
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
        frame: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'Index of the frame that shows the action; null if none does.' }),
      }),
    ),
    unexpected: livenessAction
      .nullable()
      .meta({ description: 'A turn of the head that was not requested at that point; null if there was none.' }),
    frames: z.number().int(),
    facelessFrames: z.number().int(),
    bestFrame: z.number().int().nullable(),
    passiveScore: score,
    continuity: z.number().nullable().meta({ description: 'Minimum cosine of any frame with the best one.' }),
  })
  .meta({ id: 'ActiveLiveness' });

export const livenessResultSchema = z
  .object({
    ...resultFields,
    method: z
      .enum(['passive', 'active'])
      .meta({ description: 'How it was examined; `active` is the recommended method.' }),
    active: orNull(activeLivenessSchema).meta({
      description: 'Evaluation of the requested actions; null for a passive check.',
    }),
    score: score.meta({ description: 'Liveness score, 0–100; null without a face.' }),
    parts: orNull(livenessPartsSchema).meta({ description: 'Parts of the score.' }),
    deductions: points.meta({ description: "Points that each part deducted from the model's score." }),
    face: orNull(detectedFaceSchema),
    faces: z.array(detectedFaceSchema),
    rotation: rotationSchema,
    quality: orNull(faceQualitySchema),
    thresholds: z.object({ decline: z.number(), review: z.number() }),
    measuredOn: z.string(),
    models: z.array(modelUseSchema),
  })
  .meta({
    id: 'LivenessResult',
    description:
      'Whether a live person was in front of the camera. A passive result states only that no copy was noticed in one image: sharp prints and displays, masks, generated faces and images that were not taken by a camera may pass. Active liveness is the recommended method; it excludes prepared images, but not videos generated in real time.',
  });

const examinedFaceFields = {
  face: orNull(detectedFaceSchema).meta({ description: 'The face that was examined: the largest one.' }),
  faces: z.array(detectedFaceSchema).meta({ description: 'All faces found, the largest first.' }),
  rotation: rotationSchema,
  quality: orNull(faceQualitySchema),
};

const years = z.number().min(0);

export const ageResultSchema = z
  .object({
    ...resultFields,
    age: years.nullable().meta({ description: 'Estimated age in years; null without a face.' }),
    interval: z
      .object({
        low: years,
        high: years,
        coverage: fractionSchema.meta({ description: 'Share of people whose age lies within the interval.' }),
      })
      .nullable(),
    meanAbsoluteError: years
      .nullable()
      .meta({ description: 'Mean absolute error of the model at this age, in years.' }),
    errorByAge: z.array(
      z.object({
        from: years,
        to: years.nullable().meta({ description: 'Upper limit in years, exclusive; null if unlimited.' }),
        meanAbsoluteError: years,
      }),
    ),
    measuredOn: z.string(),
    minimumAge: years.nullable(),
    meetsMinimumAge: z.enum(['yes', 'no', 'uncertain']).nullable().meta({
      description:
        '`yes` or `no` only if the whole interval is on one side of the minimum age; null if none was requested.',
    }),
    ...examinedFaceFields,
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'AgeResult', description: 'Estimated age of a person.' });

const faceSearchMatchSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    externalId: z.string().nullable(),
    sessionId: z
      .string()
      .nullable()
      .meta({ description: 'Approved session of the selfie; null for a face that was indexed on its own.' }),
    list: z.enum(FACE_LISTS),
    similarity: z.number().meta({ description: 'Cosine similarity of the embeddings, −1 to 1.' }),
  })
  .meta({ id: 'FaceSearchMatch' });

export const faceSearchResultSchema = z
  .object({
    ...resultFields,
    matches: z.array(faceSearchMatchSchema).meta({ description: 'Matches, best first.' }),
    lists: z.array(z.enum(FACE_LISTS)),
    topK: z.number().int(),
    gallerySize: z.number().int().meta({ description: 'Number of faces compared: the whole gallery.' }),
    threshold: z
      .number()
      .meta({ description: 'Minimum cosine of a match. It rises with the size of the gallery and is at least 0.5.' }),
    expectedFalseHits: z
      .number()
      .meta({ description: 'Expected number of strangers among the matches of one search.' }),
    falsePositiveIdentificationRate: z
      .number()
      .meta({ description: 'Probability that a search for an absent person has a match.' }),
    measuredOn: z.string().meta({ description: 'Data set from which these two figures are derived.' }),
    ...examinedFaceFields,
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'FaceSearchResult', description: 'Indexed faces that resemble the face of an image.' });

const matchedImageSchema = z
  .object({
    faces: z.array(detectedFaceSchema).meta({ description: 'All faces found, the largest first.' }),
    face: orNull(detectedFaceSchema).meta({ description: 'The face that was compared.' }),
    rotation: rotationSchema,
    quality: orNull(faceQualitySchema),
  })
  .meta({ id: 'MatchedImage' });

export const faceMatchResultSchema = z
  .object({
    ...resultFields,
    score: score.meta({ description: 'Match score, 0–100, 50 at the threshold; null if an image has no face.' }),
    similarity: z.number().nullable().meta({ description: 'Cosine similarity of the embeddings, −1 to 1.' }),
    captureCorrelation: z.number().nullable().meta({
      description:
        'How far the two images are the same picture, −1 to 1; different photographs of one person stay below 0.90.',
    }),
    match: z.boolean(),
    threshold: z.number(),
    reviewThreshold: z.number(),
    falseMatchRate: z.number().meta({ description: 'Share of pairs of different people that reach the threshold.' }),
    measuredOn: z.string(),
    userImage: matchedImageSchema,
    refImage: matchedImageSchema,
    models: z.array(modelUseSchema),
  })
  .meta({ id: 'FaceMatchResult', description: 'Whether two images show the same person.' });
