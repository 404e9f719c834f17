import { z } from 'zod';
import { CHECK_KINDS, CHECK_STATUSES, CHECKS } from '../../../domain/identity/checks/checks';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import { awaitCheck, listChecks } from '../../../services/identity/checks/check-store';
import { checkUpload } from '../../../services/identity/checks/uploads';
import type { AcceptedKinds } from '../../../services/identity/checks/uploads';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { respondWithCheck, CHECK_ERRORS, buildCheckReplies, IMAGE_REQUIREMENTS, SANDBOX_HEADER } from './check-replies';
import {
  checkSchema,
  checkSummarySchema,
  exampleCheck,
  exampleCheckSummary,
  presentCheck,
  presentCheckSummary,
} from './check-responses';
import { buildCommaList } from '../../http/comma-list';
import { resolveGetWaitSeconds, waitQuery } from '../waiting';

/** The first two pages of a PDF are read as one image. */
const PAGE_REQUIREMENTS =
  'JPEG, PNG, WebP, HEIC or PDF, at most 15 MB and 50 megapixels; the type is detected from the content.';

interface FileRule {
  /** @default image */
  kinds?: AcceptedKinds;
  /** `without session`: a session can supply the file. */
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

/** A route that creates a check from uploaded files. */
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
          description: `Session whose ${CHECKS[kind].feature} step the check is; without one the check is standalone.`,
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
  description:
    'Reads a passport, identity card, driving licence, residence permit or visa from one or two photographs and evaluates it.',
  tag: 'Documents',
  permission: 'documents:write',
  files: {
    frontImage: {
      required: 'always',
      kinds: 'image or PDF',
      description: `Side with the portrait, data page, or both sides in one image. ${PAGE_REQUIREMENTS}`,
    },
    backImage: {
      required: 'never',
      kinds: 'image or PDF',
      description: `Other side of the document. ${PAGE_REQUIREMENTS}`,
    },
  },
});

const proofOfAddress = defineCheckRoute({
  kind: 'proof_of_address',
  path: '/v1/documents/poa',
  operationId: 'verifyProofOfAddress',
  summary: 'Verify a proof of address',
  description: [
    'Reads a utility bill, bank statement or letter of an authority: its issuer, its date, its recipient and the address. The text of a PDF is read directly, scans and photographs by character recognition.',
    'In a session the name is compared with the one on its document, else with the expected one, and the address with `expected.address`.',
  ].join('\n\n'),
  tag: 'Documents',
  permission: 'documents:write',
  files: {
    document: {
      required: 'always',
      kinds: 'image or PDF',
      description: `Proof of address; of a PDF the first three pages are read. ${PAGE_REQUIREMENTS}`,
    },
  },
});

const faceMatch = defineCheckRoute({
  kind: 'face_match',
  path: '/v1/biometrics/face-match',
  operationId: 'matchFaces',
  summary: 'Compare two faces',
  description: [
    'Compares the largest face of each image.',
    'In a session `refImage` may be left out: the portrait of its document is used. A session that verifies both document and liveness compares the two automatically; a comparison by the client then has a result too, but never overrides the automatic one.',
  ].join('\n\n'),
  tag: 'Biometrics',
  permission: 'biometrics:write',
  files: {
    userImage: { required: 'always', description: `Image of the person. ${IMAGE_REQUIREMENTS}` },
    refImage: {
      required: 'without session',
      description: `Image of the person or document to compare with; required without a session. ${IMAGE_REQUIREMENTS}`,
    },
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/checks/:id',
  operationId: 'getCheck',
  summary: 'Get a check',
  description: 'With `wait`, the response is delayed until the check has ended or the time has passed.',
  tag: 'Checks',
  addition: true,
  permission: 'checks:read',
  params: z.object({ id: idParam('chk') }),
  query: waitQuery,
  replies: {
    200: {
      description: 'The check; `status` says whether it has a result.',
      schema: z.object({ check: checkSchema }),
      example: { check: exampleCheck },
    },
  },
  async handle({ platform, credential, preferences }, { params, query }) {
    const waitSeconds = resolveGetWaitSeconds(query, preferences);
    const check = await awaitCheck(platform, credential, params.id, waitSeconds);
    return { status: 200, body: { check: await presentCheck(check) } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/checks',
  operationId: 'listChecks',
  summary: 'List checks',
  description: 'Standalone checks and those of sessions, without their results.',
  tag: 'Checks',
  addition: true,
  permission: 'checks:read',
  query: buildCursorQuery('chk').extend({
    kind: buildCommaList(CHECK_KINDS).optional(),
    status: buildCommaList(CHECK_STATUSES).optional(),
    sessionId: z.string().min(1).max(64).optional(),
  }),
  replies: {
    200: {
      description: 'Checks, newest first; `total` counts all that match the filters.',
      schema: z.object({ checks: z.array(checkSummarySchema), ...cursorPageFields }),
      example: { checks: [exampleCheckSummary], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query: { kind: kinds, status: statuses, sessionId, ...pageRequest } }) {
    const { records, ...page } = await listChecks(credential, { kinds, statuses, sessionId }, pageRequest);
    return { status: 200, body: { checks: records.map(presentCheckSummary), ...page } };
  },
});

export const checkRoutes: readonly Route[] = [idVerification, proofOfAddress, faceMatch, list, get];
