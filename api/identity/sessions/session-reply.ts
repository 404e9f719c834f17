import { z } from 'zod';
import { getReviewedSession } from '../../../services/identity/sessions/reviewed-session';
import { getShownVersion } from '../../../services/identity/sessions/session-store';
import type { RouteContext } from '../../http/route';
import { buildBodyEtagHeader } from '../../http/versions';
import { presentSession, sessionSchema } from './session-responses';

/** Why a change with If-Match is refused. */
export const SESSION_CHANGED =
  '`version_mismatch`: the session has changed since the version that If-Match names; nothing was changed.';

/** The reply of an operation that answers one session. */
export const buildSessionReply = (description: string, example: object) => ({
  200: { description, schema: z.object({ session: sessionSchema }), example: { session: example } },
});

/** Answers the present state of a session, with its ETag. @throws AppError 404 */
export async function respondWithSession({ platform, credential }: RouteContext, id: string) {
  const reviewed = await getReviewedSession(platform, credential, id);
  const body = { session: presentSession(reviewed) };
  return { status: 200, headers: buildBodyEtagHeader(getShownVersion(reviewed.session), body), body } as const;
}
