import type { z } from 'zod';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import { awaitCheck } from '../../../services/identity/checks/check-store';
import { submitCheck } from '../../../services/identity/checks/submit-check';
import type { NewCheck } from '../../../services/identity/checks/submit-check';
import type { ReplyFor, RouteContext } from '../../http/route';
import { buildCheckReply, checkReplySchemas } from './check-responses';
import type { CheckReplyDocs } from './check-responses';
import { resolveWaitSeconds } from '../waiting';
import type { waitQuery } from '../waiting';

export const IMAGE_REQUIREMENTS =
  'JPEG, PNG or WebP, at most 15 MB and 50 megapixels; the type is told by the content.';

/** Read by every route that takes a check. */
export const SANDBOX_HEADER = {
  'X-Sandbox-Result':
    'Test keys only: decides the check instead of its engine. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas.',
};

/** What every route that makes a check answers. */
export const buildCheckReplies = (kind: CheckKind): CheckReplyDocs => ({
  201: { description: 'The check with its result.', schema: checkReplySchemas[kind] },
  202: { description: 'Still processing; `Location` says where to ask again.', schema: checkReplySchemas[kind] },
});

export const CHECK_ERRORS = {
  409: 'The session does not take this check now: it is decided, does not verify this, or has no attempts left.',
  413: 'A file has more than 15 MB or 50 megapixels.',
  415: 'A file is no JPEG, PNG or WebP, or the body is not multipart.',
} as const;

/** Records a check and answers with its result when it is there in time. */
export async function respondWithCheck(
  context: RouteContext,
  query: z.infer<typeof waitQuery>,
  input: NewCheck,
): Promise<ReplyFor<CheckReplyDocs>> {
  const { platform, credential, preferences, idempotency } = context;
  const checkInput = { ...input, sandbox: context.header('x-sandbox-result') };
  const check = await submitCheck(platform, credential, credential.id, checkInput, idempotency);
  return buildCheckReply(await awaitCheck(platform, credential, check._id, resolveWaitSeconds(query, preferences)));
}
