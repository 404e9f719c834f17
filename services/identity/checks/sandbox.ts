import type { CheckKind } from '../../../domain/identity/checks/checks';
import { getSandboxVerdict } from '../../../domain/identity/checks/sandbox';
import { SANDBOX_RESULTS } from '../../../domain/identity/checks/sandbox-results';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { Platform } from '../../platform/platform';
import { completeCheck, failCheck, findExpectedDetails } from './check-results';
import type { CheckSummary } from './check-results';

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
  if (verdict.fails) return failCheck(platform, check._id, 'sandbox_failure');
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
