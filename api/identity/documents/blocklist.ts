import { alpha2ToAlpha3 } from 'i18n-iso-countries';
import { z } from 'zod';
import { invalidFieldError } from '../../../domain/errors';
import { toIsoState, isStateCode } from '../../../domain/identity/documents/mrz/states';
import type { BlockedDocumentRecord } from '../../../models/identity/documents/blocked-document';
import { blockDocument, listBlockedDocuments, unblockDocument } from '../../../services/identity/documents/blocklist';
import { cursorPageFields, cursorQuery, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';

/** As documents name their states: ISO 3166-1, or a code of ICAO 9303 such as that of an organisation. */
const issuingState = z
  .string()
  .transform((value) => value.trim().toUpperCase())
  .transform((value) => alpha2ToAlpha3(value) ?? value)
  .refine((value) => isStateCode(value), { error: 'accepts the code of a state such as FR or FRA' })
  .transform((value) => toIsoState(value));

const blockedDocumentSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    hint: z.string().meta({ description: 'The number, all but its end masked: only a keyed hash of it is kept.' }),
    issuingState: z.string(),
    reason: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'BlockedDocument' });

const presentBlockedDocument = ({ _id, mode, hint, issuingState, reason, createdAt }: BlockedDocumentRecord) => ({
  id: _id,
  mode,
  hint,
  issuingState,
  reason,
  createdAt: createdAt.toISOString(),
});

const exampleBlockedDocument = {
  id: 'blk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  mode: 'live',
  hint: '••••••617',
  issuingState: 'UTO',
  reason: 'reported stolen',
  createdAt: '2026-11-21T10:00:00.000Z',
};

const blockDocumentBody = z.strictObject({
  documentNumber: z
    .string()
    .trim()
    .max(50)
    .regex(/[A-Za-z0-9]{3}/, 'accepts a document number')
    .optional(),
  issuingState: issuingState.optional().meta({ description: 'Required with `documentNumber`, and with nothing else.' }),
  sessionId: idParam('ses')
    .optional()
    .meta({ description: 'The document shown in this session, the latest one read.' }),
  checkId: idParam('chk').optional().meta({ description: 'The document read by this check.' }),
  reason: z.string().trim().min(1).max(200).optional(),
});

/** The one way in which a request names its document. */
function parseDocumentReference({
  documentNumber,
  issuingState: state,
  sessionId,
  checkId,
}: z.infer<typeof blockDocumentBody>) {
  const references = [documentNumber, sessionId, checkId].filter((way) => way !== undefined);
  if (references.length !== 1) {
    throw invalidFieldError(
      'documentNumber',
      'accepts exactly one of documentNumber with issuingState, sessionId and checkId',
    );
  }
  if ((documentNumber === undefined) !== (state === undefined)) {
    throw invalidFieldError('issuingState', 'is required with documentNumber, and accepted with nothing else');
  }
  if (documentNumber !== undefined && state !== undefined) return { documentNumber, issuingState: state };
  return sessionId === undefined ? { checkId: checkId ?? '' } : { sessionId };
}

const add = defineRoute({
  method: 'post',
  path: '/v1/blocklist/documents',
  operationId: 'blockDocument',
  summary: 'Put a document on the blocklist',
  description:
    'A check that shows it is declined with `document_in_blocklist`. It is named by its number and state, or by the session or check that read it. The number itself is not kept.',
  tag: 'Blocklist',
  addition: true,
  permission: 'blocklist:write',
  idempotent: true,
  body: blockDocumentBody,
  replies: {
    201: {
      description: 'The entry.',
      schema: z.object({ document: blockedDocumentSchema }),
      example: { document: exampleBlockedDocument },
    },
  },
  errors: {
    404: 'There is no such session or check.',
    409: 'The document is on the blocklist, or the session or check read no number with a state.',
  },
  async handle({ platform, credential, idempotency }, { body }) {
    const input = { document: parseDocumentReference(body), reason: body.reason ?? null };
    const entry = await blockDocument(platform, credential, credential.id, input, idempotency);
    return { status: 201, body: { document: presentBlockedDocument(entry) } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/blocklist/documents',
  operationId: 'listBlockedDocuments',
  summary: 'List blocked documents',
  tag: 'Blocklist',
  addition: true,
  permission: 'blocklist:read',
  query: cursorQuery,
  replies: {
    200: {
      description: 'Newest first.',
      schema: z.object({
        documents: z.array(blockedDocumentSchema),
        ...cursorPageFields,
      }),
      example: { documents: [exampleBlockedDocument], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const { records, ...page } = await listBlockedDocuments(credential, query);
    return { status: 200, body: { documents: records.map(presentBlockedDocument), ...page } };
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/blocklist/documents/:id',
  operationId: 'unblockDocument',
  summary: 'Take a document off the blocklist',
  tag: 'Blocklist',
  addition: true,
  permission: 'blocklist:write',
  params: z.object({ id: idParam('blk') }),
  replies: { 200: { description: 'It is off the list.', schema: z.object({}), example: {} } },
  async handle({ platform, credential }, { params }) {
    await unblockDocument(platform, credential, credential.id, params.id);
    return { status: 200, body: {} };
  },
});

export const blocklistRoutes: readonly Route[] = [add, list, remove];
