import { z } from 'zod';
import { FACE_LISTS } from '../../../domain/identity/biometrics/face-search';
import { FACE_STATUSES } from '../../../models/identity/biometrics/face';
import type { FaceRecord } from '../../../models/identity/biometrics/face';
import { orNull } from '../or-null';
import { faceQualitySchema } from './result-responses';
import { riskSchema } from '../checks/risk-responses';

export const faceSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    status: z.enum(FACE_STATUSES).meta({
      description:
        '`indexed`: searchable. `rejected`: the image shows no face suitable for searches; `risks` has the reasons. `failed`: the image could not be examined. `held`: the selfie of a session that is not approved.',
    }),
    list: z.enum(FACE_LISTS),
    name: z.string().nullable(),
    externalId: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    sessionId: z
      .string()
      .nullable()
      .meta({ description: 'Session of the selfie; null for a face that was indexed on its own.' }),
    quality: orNull(faceQualitySchema),
    risks: z.array(riskSchema),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    indexedAt: z.iso.datetime().nullable(),
    retainUntil: z.iso.datetime().nullable().meta({
      description:
        'Time at which the face is erased automatically; null if it is kept until it is deleted, or as long as its session. A face that is not searchable is not kept longer than a standalone check.',
    }),
  })
  .meta({ id: 'IndexedFace' });

export const exampleFace = {
  id: 'fac_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  mode: 'live',
  status: 'indexed',
  list: 'users',
  name: 'Klara Martinsdotter',
  externalId: 'customer-4711',
  metadata: { branch: 'Zenith' },
  sessionId: null,
  quality: {
    sharpness: 82,
    brightness: 141,
    pose: { yaw: -2.1, pitch: 4.5, roll: 0.3 },
    eyesOpen: [0.99, 0.98],
    interEyeDistance: 124,
    occlusion: 0,
    covered: [],
    overall: 82,
  },
  risks: [],
  error: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  indexedAt: '2026-11-21T10:00:00.310Z',
  retainUntil: null,
};

/** Presents a face; its embedding is never returned. */
export const presentFace = (face: FaceRecord): z.infer<typeof faceSchema> => ({
  id: face._id,
  mode: face.mode,
  status: face.status,
  list: face.list,
  name: face.name,
  externalId: face.externalId,
  metadata: face.metadata,
  sessionId: face.sessionId,
  quality: face.quality,
  risks: face.risks,
  error: face.failure === null ? null : { code: face.failure, message: 'The face could not be examined.' },
  createdAt: face.createdAt.toISOString(),
  indexedAt: face.indexedAt?.toISOString() ?? null,
  retainUntil: face.retainUntil?.toISOString() ?? null,
});
