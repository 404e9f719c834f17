import { invalidFieldError } from '../../../domain/errors';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import {
  isSandboxValue,
  SANDBOX_OUTCOMES,
  findSandboxValueByNumber,
  getSandboxVerdict,
} from '../../../domain/identity/checks/sandbox';
import { SANDBOX_RESULTS } from '../../../domain/identity/checks/sandbox-results';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform, Scope } from '../../platform/platform';
import { completeCheck, findExpectedDetails, failCheck } from './check-results';
import type { CheckSummary } from './check-results';

const ACCEPTED_VALUES = `accepts ${SANDBOX_OUTCOMES.join(', ')}, or risk codes separated by commas`;

/** The metadata field of a session that holds its sandbox value. */
const METADATA_FIELD = 'sandbox';

const getMetadataValue = (metadata: SessionRecord['metadata'] | undefined): unknown => metadata?.[METADATA_FIELD];

/**
 * Rejects a test session with an unknown sandbox value. In live mode the metadata field has no meaning.
 * @throws AppError 400
 */
export function requireSandboxMetadata(scope: Scope, metadata: Record<string, unknown> | undefined): void {
  const value = getMetadataValue(metadata);
  if (scope.mode !== 'test' || value === undefined) return;
  if (typeof value !== 'string' || !isSandboxValue(value)) {
    throw invalidFieldError(`metadata.${METADATA_FIELD}`, ACCEPTED_VALUES);
  }
}

/**
 * Resolves the sandbox value of a check: the one sent with it, else the one that its national number stands for, else
 * the one of its session. Null without any, so that the engine runs.
 * @throws AppError 400 for an unknown value, or one sent with a live key
 */
export function resolveSandboxValue(
  scope: Scope,
  headerValue: string | undefined,
  session: SessionRecord | null,
  idNumber?: string,
): string | null {
  if (headerValue !== undefined) {
    if (scope.mode !== 'test')
      throw invalidFieldError('X-Sandbox-Result', 'is accepted with test keys only; this is a live key');
    if (!isSandboxValue(headerValue)) throw invalidFieldError('X-Sandbox-Result', ACCEPTED_VALUES);
    return headerValue;
  }
  const numberValue = scope.mode === 'test' && idNumber !== undefined ? findSandboxValueByNumber(idNumber) : undefined;
  if (numberValue !== undefined) return numberValue;
  const value = getMetadataValue(session?.metadata);
  return scope.mode === 'test' && typeof value === 'string' && isSandboxValue(value) ? value : null;
}

const getMinimumAge = (check: CheckRecord): number | null =>
  isCheckOfKind(check, 'age') ? check.details.minimumAge : null;

async function completeWithSandboxValue<K extends CheckKind>(
  platform: Platform,
  kind: K,
  check: CheckRecord,
  value: string,
): Promise<CheckSummary | null> {
  const buildResult = SANDBOX_RESULTS[kind];
  const verdict = getSandboxVerdict(value, check.feature ?? 'session');
  if (verdict.fails) {
    await failCheck(platform, check._id, 'sandbox_failure');
    return { status: 'failed', verdict: null, risks: ['processing_failed'] };
  }
  if (buildResult === undefined) return null;
  const today = check.createdAt.toISOString().slice(0, 10);
  const expected = await findExpectedDetails(check);
  return completeCheck(
    platform,
    kind,
    check,
    buildResult({ checkId: check._id, today, expected, minimumAge: getMinimumAge(check), risks: verdict.risks }),
  );
}

/**
 * Completes a check as its sandbox value says, without an engine or provider.
 * @returns null if it has no sandbox value or its kind has no sandbox
 */
export const completeInSandbox = (platform: Platform, check: CheckRecord): Promise<CheckSummary | null> =>
  check.mode !== 'test' || check.sandbox == null
    ? Promise.resolve(null)
    : completeWithSandboxValue(platform, check.kind, check, check.sandbox);
