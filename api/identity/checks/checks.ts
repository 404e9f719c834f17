import { z } from 'zod';
import { CHECKS } from '../../../domain/identity/checks/checks';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import { awaitCheck, getCheck } from '../../../services/identity/checks/check-store';
import { checkUpload } from '../../../services/identity/checks/uploads';
import type { AcceptedKinds } from '../../../services/identity/checks/uploads';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { respondWithCheck, CHECK_ERRORS, buildCheckReplies, IMAGE_REQUIREMENTS, SANDBOX_HEADER } from './check-replies';
import { checkSchema, exampleCheck, presentCheck } from './check-responses';
import { resolveGetWaitSeconds, waitQuery } from '../waiting';

/** Where a document may be one, its first two pages are read as one picture. */
const PAGE_REQUIREMENTS = 'JPEG, PNG, WebP or PDF, at most 15 MB and 50 megapixels; the type is told by the content.';
interface FileRule {
  /** @default image */
  kinds?: AcceptedKinds;
  /** a session may spare the client from sending it */
  required: 'always' | 'without session' | 'never';
  description: string;
}

interface CheckRouteSpec {
  kind: CheckKind;
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  permission: string;
  files: Record<string, FileRule>;
}

/** A route that takes pictures, records a check and answers with its result when it is there in time. */
const defineCheckRoute = ({ kind, files, ...route }: CheckRouteSpec): Route =>
  defineRoute({
    ...route,
    method: 'post',
    idempotent: true,
    headers: SANDBOX_HEADER,
    query: waitQuery,
    body: z.strictObject({
      sessionId: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({
          description: `The session whose ${CHECKS[kind].feature} step it is; without one the check stands alone.`,
        }),
    }),
    files: Object.fromEntries(
      Object.entries(files).map(([field, { required, description }]) => [
        field,
        { required: required === 'always', description },
      ]),
    ),
    replies: buildCheckReplies(kind),
    errors: CHECK_ERRORS,
    handle(context, { query, body, files: uploadedFiles }) {
      const uploads = Object.entries(files).flatMap(([field, { required, kinds }]) => {
        const isOptional = required === 'never' || (required === 'without session' && body.sessionId !== undefined);
        return uploadedFiles[field] === undefined && isOptional
          ? []
          : [checkUpload(field, uploadedFiles[field]?.body, kinds)];
      });
      return respondWithCheck(context, query, { kind, sessionId: body.sessionId, uploads });
    },
  });

const idVerification = defineCheckRoute({
  kind: 'id_verification',
  path: '/v1/documents/id-verification',
  operationId: 'verifyIdentityDocument',
  summary: 'Verify an identity document',
  description: 'Reads passport, card, licence, permit or visa from one or two photographs and judges them.',
  tag: 'Documents',
  permission: 'documents:write',
  files: {
    frontImage: {
      required: 'always',
      kinds: 'image or PDF',
      description: `The side with the portrait, the data page, or both sides in one picture. ${PAGE_REQUIREMENTS}`,
    },
    backImage: { required: 'never', kinds: 'image or PDF', description: `The other side. ${PAGE_REQUIREMENTS}` },
  },
});

const proofOfAddress = defineCheckRoute({
  kind: 'proof_of_address',
  path: '/v1/documents/poa',
  operationId: 'verifyProofOfAddress',
  summary: 'Verify a proof of address',
  description: [
    'Reads a utility bill, bank statement or letter of an authority: who wrote it, when, to whom and where they live. A PDF is read by the text inside it, scans and photographs by recognition.',
    'In a session the name is compared with that of its document, or else with the expected one, and the address with `expected.address`.',
  ].join('\n\n'),
  tag: 'Documents',
  permission: 'documents:write',
  files: {
    document: {
      required: 'always',
      kinds: 'image or PDF',
      description: `The first three pages of a PDF are read. ${PAGE_REQUIREMENTS}`,
    },
  },
});

const faceMatch = defineCheckRoute({
  kind: 'face_match',
  path: '/v1/biometrics/face-match',
  operationId: 'matchFaces',
  summary: 'Compare two faces',
  description: [
    'The largest face of each picture is compared.',
    "In a session `refImage` may be left out: the portrait of its document is used. A session that verifies both document and liveness compares the two by itself; a client's own comparison is then answered too, and never outweighs it.",
  ].join('\n\n'),
  tag: 'Biometrics',
  permission: 'biometrics:write',
  files: {
    userImage: { required: 'always', description: `The person. ${IMAGE_REQUIREMENTS}` },
    refImage: {
      required: 'without session',
      description: `The person or document to compare with; required without a session. ${IMAGE_REQUIREMENTS}`,
    },
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/checks/:id',
  operationId: 'getCheck',
  summary: 'Get a check',
  description: 'With `wait` the answer is held until the check has ended or the time is up.',
  tag: 'Checks',
  addition: true,
  permission: 'checks:read',
  params: z.object({ id: idParam('chk') }),
  query: waitQuery,
  replies: {
    200: {
      description: 'The check; `status` tells whether its result is there.',
      schema: z.object({ check: checkSchema }),
      example: { check: exampleCheck },
    },
  },
  async handle({ platform, credential, preferences }, { params, query }) {
    const waitSeconds = resolveGetWaitSeconds(query, preferences);
    const check = await awaitCheck(platform, credential, params.id, waitSeconds);
    return { status: 200, body: { check: presentCheck(check) } };
  },
});

export const checkRoutes: readonly Route[] = [idVerification, proofOfAddress, faceMatch, get];
