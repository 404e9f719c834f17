import { alpha2ToAlpha3, getAlpha2Codes } from 'i18n-iso-countries/index';
import { z } from 'zod';
import { invalidFieldError } from '../../../domain/errors';
import { parseCountryCode } from '../../../domain/identity/countries';
import { isStateCode, STATE_CODES, toIsoState } from '../../../domain/identity/documents/mrz/states';
import type { BlockedDocumentRecord } from '../../../models/identity/documents/blocked-document';
import { blockDocument, listBlockedDocuments, unblockDocument } from '../../../services/identity/documents/blocklist';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { trimmedText } from '../../http/text';

/** A state as coded on documents: ISO 3166-1, or a code of ICAO 9303 such as that of an organisation. */
const issuingState = z
  .string()
  .transform((value) => value.trim().toUpperCase())
  .transform((value) => alpha2ToAlpha3(value) ?? value)
  .refine((value) => isStateCode(value) || parseCountryCode(value) !== undefined, {
    error: 'accepts a state code such as FR or FRA',
  })
  .transform((value) => toIsoState(value))
  .meta({ pattern: `^(${[...new Set([...STATE_CODES, ...Object.keys(getAlpha2Codes())])].join('|')})$` });

const blockedDocumentSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    hint: z.string().meta({
      description:
        'Document number with all but its last characters masked. The number itself is stored only as a keyed hash.',
    }),
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

const blockDocumentBody = z
  .strictObject({
    documentNumber: z
      .string()
      .trim()
      .max(50)
      .regex(
        /[A-Za-z0-9]{3}/,
        'accepts a document number such as L898902C3: three or more Latin letters or digits in a row',
      )
      .optional(),
    issuingState: issuingState
      .optional()
      .meta({ description: 'State that issued the document; required with `documentNumber`, not accepted otherwise.' }),
    sessionId: idParam('ses')
      .optional()
      .meta({ description: 'Session whose document is blocked: the latest one read.' }),
    checkId: idParam('chk').optional().meta({ description: 'Check whose document is blocked.' }),
    reason: trimmedText(200).optional(),
  })
  .meta({
    oneOf: [{ required: ['documentNumber', 'issuingState'] }, { required: ['sessionId'] }, { required: ['checkId'] }],
    dependentRequired: { documentNumber: ['issuingState'], issuingState: ['documentNumber'] },
  });

/** Parses the reference to a document, of which a request must contain exactly one. */
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
    throw invalidFieldError('issuingState', 'is required with documentNumber, and not accepted otherwise');
  }
  if (documentNumber !== undefined && state !== undefined) return { documentNumber, issuingState: state };
  return sessionId === undefined ? { checkId: checkId ?? '' } : { sessionId };
}

const add = defineRoute({
  method: 'post',
  path: '/v1/blocklist/documents',
  operationId: 'blockDocument',
  summary: 'Add a document to the blocklist',
  description:
    'A check of this document is declined with `document_in_blocklist`. The document is identified by its number and issuing state, or by the session or check that read it. The number itself is not stored. Licences and identity cards of the United States, Canada and Mexico with a barcode are numbered by their state or province: an entry by session or check blocks that of one of them, and an entry by number and issuing state the number in all of them.',
  tag: 'Blocklist',
  addition: true,
  permission: 'blocklist:write',
  idempotent: true,
  body: blockDocumentBody,
  bodyExample: { documentNumber: 'B55512345', issuingState: 'UTO', reason: 'Reported stolen.' },
  replies: {
    201: {
      description: 'The entry.',
      schema: z.object({ document: blockedDocumentSchema }),
      example: { document: exampleBlockedDocument },
    },
  },
  errors: {
    404: 'The session or check does not exist.',
    409: 'The document is already on the blocklist, or the session or check read no document number with an issuing state.',
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
  query: buildCursorQuery('blk'),
  replies: {
    200: {
      description: 'Blocked documents, newest first.',
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
  summary: 'Remove a document from the blocklist',
  tag: 'Blocklist',
  addition: true,
  permission: 'blocklist:write',
  params: z.object({ id: idParam('blk') }),
  replies: {
    200: {
      description: 'The document was removed.',
      schema: z.object(deletionFields),
      example: buildDeletionBody(exampleBlockedDocument.id),
    },
  },
  async handle({ platform, credential }, { params }) {
    await unblockDocument(platform, credential, credential.id, params.id);
    return { status: 200, body: buildDeletionBody(params.id) };
  },
});

export const blocklistRoutes: readonly Route[] = [add, list, remove];
