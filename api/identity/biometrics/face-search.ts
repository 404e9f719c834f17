import { z } from 'zod';
import { FACE_LISTS, FACE_SEARCH } from '../../../domain/identity/biometrics/face-search';
import type { FaceList } from '../../../domain/identity/biometrics/face-search';
import { awaitFace, listFaces, submitFace } from '../../../services/identity/biometrics/faces';
import { checkUpload } from '../../../services/identity/checks/uploads';
import { buildCommaList } from '../../http/comma-list';
import { requireStorable } from '../../http/json-body';
import { buildCursorQuery, cursorPageFields, idParam, wholeNumberParameter } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  respondWithCheck,
  CHECK_ERRORS,
  buildCheckReplies,
  IMAGE_REQUIREMENTS,
  SANDBOX_HEADER,
} from '../checks/check-replies';
import { defineDeletionRoute } from '../erasure/erasures';
import { exampleFace, faceSchema, presentFace } from './face-responses';
import { resolveGetWaitSeconds, resolveWaitSeconds, waitQuery } from '../waiting';
import { trimmedText } from '../../http/text';

const MAX_MATCHES = 100;
const MAX_METADATA_BYTES = 4096;
const MAX_RETENTION_DAYS = 3650;
const RETENTION_PROBLEM = `accepts a whole number of days 1–${MAX_RETENTION_DAYS}`;
const LISTS_PROBLEM = `accepts ${FACE_LISTS.join(', ')}, separated by commas`;

const isFaceList = (name: string): name is FaceList => FACE_LISTS.some((list) => list === name);

const lists = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((name) => name.trim()))])
  .refine((names): names is FaceList[] => names.every(isFaceList), { error: LISTS_PROBLEM })
  .optional()
  .meta({
    pattern: `^(${FACE_LISTS.join('|')})(,(${FACE_LISTS.join('|')}))*$`,
    description: `Lists to search, separated by commas. Default ${FACE_LISTS.join(', ')}.`,
    example: 'users',
  });

const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const metadata = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text) <= MAX_METADATA_BYTES,
    `accepts at most ${MAX_METADATA_BYTES} bytes of JSON`,
  )
  .transform(tryParseJson)
  .pipe(z.record(z.string().max(100), z.unknown(), { error: 'accepts a JSON object' }))
  .optional()
  .meta({
    contentMediaType: 'application/json',
    maxLength: MAX_METADATA_BYTES,
    description: 'JSON object of at most 4 kB.',
    example: '{"branch": "Zenith"}',
  });

const shortText = trimmedText(200);

const THRESHOLD_PROBLEM = `accepts a cosine ${FACE_SEARCH.floor}–1`;

/** A form field that is a number in decimal digits. */
const thresholdField = z
  .string()
  .regex(/^[01](\.\d{1,20})?$/, THRESHOLD_PROBLEM)
  .transform(Number)
  .refine((value) => value >= FACE_SEARCH.floor && value <= 1, THRESHOLD_PROBLEM)
  .meta({ type: 'number', minimum: FACE_SEARCH.floor, maximum: 1 });

const search = defineRoute({
  method: 'post',
  path: '/v1/biometrics/face-search',
  operationId: 'searchFaces',
  summary: 'Search the indexed faces for a person',
  description: [
    'Compares the largest face of the image with every indexed face of the organisation; selfies of approved sessions are among the `users`. The search is exact.',
    `The default \`threshold\` is set so that a search for an absent person has a match in ${FACE_SEARCH.falsePositiveIdentificationRate * 100} % of cases; it rises with the size of the gallery and is at least ${FACE_SEARCH.floor}. \`gallerySize\`, \`threshold\` and \`expectedFalseHits\` indicate how reliable the matches are: a person must verify them.`,
  ].join('\n\n'),
  tag: 'Biometrics',
  permission: 'faces:read',
  idempotent: true,
  headers: SANDBOX_HEADER,
  query: waitQuery,
  body: z.strictObject({
    topK: wholeNumberParameter(`accepts a whole number 1–${MAX_MATCHES}`, 1, MAX_MATCHES)
      .default(10)
      .meta({ default: 10 }),
    threshold: thresholdField.optional(),
    lists,
  }),
  files: { image: { required: true, description: `Image of the person to search for. ${IMAGE_REQUIREMENTS}` } },
  replies: buildCheckReplies('face_search'),
  errors: { 413: CHECK_ERRORS[413], 415: CHECK_ERRORS[415] },
  handle: (context, { query, body, files }) =>
    respondWithCheck(context, query, {
      kind: 'face_search',
      uploads: [checkUpload('image', files['image']?.body)],
      details: { topK: body.topK, threshold: body.threshold ?? null, lists: body.lists ?? [...FACE_LISTS] },
    }),
});

const faceReplySchema = z.object({ face: faceSchema });

const index = defineRoute({
  method: 'post',
  path: '/v1/biometrics/face-search/index',
  operationId: 'indexFace',
  summary: 'Add a face to the index',
  description:
    'Once indexed, every search finds the face, and selfies of sessions are compared with it: a match among the `users` raises `duplicate_face`, unless the session has the same `externalId`, and a match on the `blocklist` raises `face_in_blocklist`. An image without exactly one clear face is `rejected`, with the reason among its risks.',
  tag: 'Biometrics',
  permission: 'faces:write',
  idempotent: true,
  query: waitQuery,
  body: z.strictObject({
    list: z.enum(FACE_LISTS, { error: `accepts ${FACE_LISTS.join(', ')}` }).default('users'),
    name: shortText.optional(),
    externalId: shortText.optional().meta({ description: "The client's own id of the person." }),
    metadata,
    retentionDays: wholeNumberParameter(RETENTION_PROBLEM, 1, MAX_RETENTION_DAYS)
      .optional()
      .meta({ description: 'Days until the face is erased automatically. Default: it is kept until it is deleted.' }),
  }),
  files: { image: { required: true, description: `Image that shows only this person. ${IMAGE_REQUIREMENTS}` } },
  replies: {
    201: {
      description: 'The face; `status` says whether it is indexed.',
      schema: faceReplySchema,
      example: { face: exampleFace },
    },
    202: { description: 'The face is still processing; `Location` is its URL.', schema: faceReplySchema },
  },
  errors: { 413: CHECK_ERRORS[413], 415: CHECK_ERRORS[415] },
  async handle({ platform, credential, preferences, idempotency }, { query, body, files }) {
    requireStorable(body.metadata, ['metadata']);
    const input = { ...body, image: checkUpload('image', files['image']?.body) };
    const { _id } = await submitFace(platform, credential, credential.id, input, idempotency);
    const face = await awaitFace(platform, credential, _id, resolveWaitSeconds(query, preferences));
    const processing = face.status === 'processing';
    return {
      status: processing ? 202 : 201,
      body: { face: presentFace(face) },
      ...(processing ? { headers: { Location: `/v1/biometrics/face-search/index/${_id}` } } : {}),
    };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/biometrics/face-search/index',
  operationId: 'listFaces',
  summary: 'List the indexed faces',
  description: 'Newest first, including selfies of approved sessions.',
  tag: 'Biometrics',
  addition: true,
  permission: 'faces:read',
  query: buildCursorQuery('fac').extend({
    list: z.enum(FACE_LISTS, { error: `accepts ${FACE_LISTS.join(', ')}` }).optional(),
    externalId: shortText.optional(),
    status: buildCommaList(['processing', 'indexed', 'rejected', 'failed']).optional(),
  }),
  replies: {
    200: {
      description: 'A page of faces.',
      schema: z.object({ faces: z.array(faceSchema), ...cursorPageFields }),
      example: { faces: [exampleFace], total: 1, nextCursor: null },
    },
  },
  async handle({ platform, credential }, { query }) {
    const { list: faceList, externalId, status: statuses } = query;
    const { records, ...page } = await listFaces(platform, credential, { list: faceList, externalId, statuses }, query);
    return { status: 200, body: { faces: records.map(presentFace), ...page } };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/biometrics/face-search/index/:id',
  operationId: 'getFace',
  summary: 'Get an indexed face',
  description: 'With `wait`, the response is delayed until the face is indexed or the time has passed.',
  tag: 'Biometrics',
  addition: true,
  permission: 'faces:read',
  params: z.object({ id: idParam('fac') }),
  query: waitQuery,
  replies: { 200: { description: 'The face.', schema: faceReplySchema, example: { face: exampleFace } } },
  async handle({ platform, credential, preferences }, { params, query }) {
    const waitSeconds = resolveGetWaitSeconds(query, preferences);
    const face = await awaitFace(platform, credential, params.id, waitSeconds);
    return { status: 200, body: { face: presentFace(face) } };
  },
});

const remove = defineDeletionRoute({
  kind: 'face',
  prefix: 'fac',
  path: '/v1/biometrics/face-search/index/:id',
  operationId: 'deleteFace',
  summary: 'Delete an indexed face and erase the person',
  tag: 'Biometrics',
  permission: 'faces:write',
  addition: true,
  errors: {
    409: '`face_of_session`: the face is the selfie of a session; `details.sessionId` names the session to delete.',
  },
});

export const faceSearchRoutes: readonly Route[] = [search, index, list, get, remove];
