import { conflictError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import type { SessionNote, SessionRecord } from '../../../models/identity/sessions/session';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { changeSession, getSession } from './session-store';

/** Keeps a session well within the size of a record. */
export const MAX_SESSION_NOTES = 100;

/** The note with an id. @throws Error if the session does not have it */
function requireNote({ notes }: SessionRecord, id: string): SessionNote {
  const note = notes?.find((each) => each.id === id);
  if (note === undefined) throw new Error(`the session has no note ${id}`);
  return note;
}

/**
 * Adds a note to a session in any status, without a decision. Notes cannot be changed; they are erased with the session.
 * @throws AppError 404; 409 `note_limit_reached`
 */
export const addSessionNote = (
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
  text: string,
  use: IdempotentUse | undefined,
): Promise<SessionNote> =>
  runIdempotently(
    platform,
    use,
    (claim) =>
      runTransaction(platform, async (unit) => {
        const session = await getSession(scope, sessionId, unit.mongoSession);
        const notes = session.notes ?? [];
        if (notes.length >= MAX_SESSION_NOTES)
          throw conflictError('note_limit_reached', `The session has ${MAX_SESSION_NOTES} notes, the largest number.`);
        const note: SessionNote = { id: newId('nte'), text, by: actor, at: platform.clock.now() };
        await changeSession(unit, session, { notes: [...notes, note] });
        await unit.audit(scope, { actor, action: 'session.note_added', subject: sessionId, fields: ['notes'] });
        await claim(unit, note.id, 201);
        return note;
      }),
    async (id) => requireNote(await getSession(scope, sessionId), id),
  );
