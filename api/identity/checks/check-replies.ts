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
  'JPEG, PNG, WebP or HEIC, at most 15 MB and 50 megapixels; the type is detected from the content.';

/** Header of every route that creates a check. */
export const SANDBOX_HEADER = {
  'X-Sandbox-Result':
    'Test keys only: the simulated outcome of the check. `approve`, `review`, `decline`, `fail`, or risk codes separated by commas.',
};

/** Replies of every route that creates a check. */
export const buildCheckReplies = (kind: CheckKind): CheckReplyDocs => ({
  201: { description: 'The check with its result.', schema: checkReplySchemas[kind] },
  202: { description: 'The check is still processing; `Location` is its URL.', schema: checkReplySchemas[kind] },
});

export const CHECK_ERRORS = {
  409: 'The session does not accept this check now: it is decided, does not verify this feature, or has no attempts left.',
  413: 'A file exceeds 15 MB or 50 megapixels.',
  415: 'A file is not of an accepted type, or the body is not multipart.',
} as const;

/** Submits a check and responds with its result if it completes in time. */
export async function respondWithCheck(
  context: RouteContext,
  query: z.infer<typeof waitQuery>,
  input: NewCheck,
): Promise<ReplyFor<CheckReplyDocs>> {
  const { platform, credential, preferences, idempotency } = context;
  const checkInput = { ...input, sandbox: context.header('x-sandbox-result') };
  const submittedAt = performance.now();
  const check = await submitCheck(platform, credential, credential.id, checkInput, idempotency);
  // A repeated request may return a check that has ended.
  const unfinishedAt = check.status === 'processing' ? submittedAt : undefined;
  const waitSeconds = resolveWaitSeconds(query, preferences);
  return buildCheckReply(await awaitCheck(platform, credential, check._id, waitSeconds, unfinishedAt));
}
