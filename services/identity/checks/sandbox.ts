import { invalidField } from '../../../domain/errors';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import {
  isSandboxValue,
  SANDBOX_OUTCOMES,
  sandboxValueOfNumber,
  sandboxVerdict,
} from '../../../domain/identity/checks/sandbox';
import { SANDBOX_RESULTS } from '../../../domain/identity/checks/sandbox-results';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform, Scope } from '../../platform/platform';
import { completeCheck, expectedOf, failCheck } from './check-results';
import type { CheckSummary } from './check-results';

const ACCEPTED = `accepts ${SANDBOX_OUTCOMES.join(', ')}, or risk codes separated by commas`;

/** The name of the magic value in a session's metadata. */
const METADATA_FIELD = 'sandbox';

const inMetadata = (metadata: SessionRecord['metadata'] | undefined): unknown => metadata?.[METADATA_FIELD];

/**
 * Refuses a test session whose magic value means nothing; a live session's metadata is the client's own.
 * @throws AppError 400
 */
export function requireSandboxMetadata(scope: Scope, metadata: Record<string, unknown> | undefined): void {
  const value = inMetadata(metadata);
  if (scope.mode !== 'test' || value === undefined) return;
  if (typeof value !== 'string' || !isSandboxValue(value)) {
    throw invalidField(`metadata.${METADATA_FIELD}`, ACCEPTED);
  }
}

/**
 * The magic value of a check: its own, sent with it, else what the national number it is to validate stands for, else
 * that of its session; null where there is none, so that its engine runs.
 * @throws AppError 400 for one that means nothing, or that came with a live key
 */
export function sandboxOf(
  scope: Scope,
  own: string | undefined,
  session: SessionRecord | null,
  idNumber?: string,
): string | null {
  if (own !== undefined) {
    if (scope.mode !== 'test') throw invalidField('X-Sandbox-Result', 'is for test keys; this key is a live one');
    if (!isSandboxValue(own)) throw invalidField('X-Sandbox-Result', ACCEPTED);
    return own;
  }
  const named = scope.mode === 'test' && idNumber !== undefined ? sandboxValueOfNumber(idNumber) : undefined;
  if (named !== undefined) return named;
  const value = inMetadata(session?.metadata);
  return scope.mode === 'test' && typeof value === 'string' && isSandboxValue(value) ? value : null;
}

async function complete<K extends CheckKind>(
  platform: Platform,
  kind: K,
  check: CheckRecord,
  value: string,
): Promise<CheckSummary | null> {
  const resultOf = SANDBOX_RESULTS[kind];
  const verdict = sandboxVerdict(value, check.feature ?? 'session');
  if (verdict.fails) {
    await failCheck(platform, check._id, 'sandbox_failure');
    return { status: 'failed', verdict: null, risks: ['processing_failed'] };
  }
  if (resultOf === undefined) return null;
  const today = check.createdAt.toISOString().slice(0, 10);
  const expected = await expectedOf(check);
  return completeCheck(platform, kind, check, resultOf({ checkId: check._id, today, expected, risks: verdict.risks }));
}

/**
 * Ends a check as its magic value says, without an engine and without a provider.
 * @returns null where it has no such value, or its kind no sandbox
 */
export const completeInSandbox = (platform: Platform, check: CheckRecord): Promise<CheckSummary | null> =>
  check.mode !== 'test' || check.sandbox == null
    ? Promise.resolve(null)
    : complete(platform, check.kind, check, check.sandbox);
