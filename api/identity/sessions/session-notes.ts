import { z } from 'zod';
import { addSessionNote, MAX_SESSION_NOTES } from '../../../services/identity/sessions/session-notes';
import { readActors } from '../../../services/platform/access/actors';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { trimmedText } from '../../http/text';
import { exampleNote, noteSchema, presentNote } from './review-responses';

const addNote = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/notes',
  operationId: 'addSessionNote',
  summary: 'Add a note to a session',
  description: `Records what a reviewer found out, without a decision, in every status. A session has at most ${MAX_SESSION_NOTES} notes; they cannot be changed, are part of the session, and are erased with it.`,
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:decide',
  idempotent: true,
  params: z.object({ id: idParam('ses') }),
  query: z.strictObject({}),
  body: z.strictObject({ text: trimmedText(5000) }),
  bodyExample: { text: exampleNote.text },
  replies: {
    201: { description: 'The note.', schema: z.object({ note: noteSchema }), example: { note: exampleNote } },
  },
  errors: { 409: '`note_limit_reached`: the session has as many notes as it may have.' },
  async handle({ platform, credential, idempotency }, { params, body }) {
    const note = await addSessionNote(platform, credential, credential.id, params.id, body.text, idempotency);
    const { names } = await readActors(credential.organisationId, [note.by]);
    return { status: 201, body: { note: presentNote(note, names) } };
  },
});

export const sessionNoteRoutes: readonly Route[] = [addNote];
