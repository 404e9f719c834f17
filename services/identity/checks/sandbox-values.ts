import { invalidFieldError } from '../../../domain/errors';
import { findSandboxValueByNumber, isSandboxValue, SANDBOX_OUTCOMES } from '../../../domain/identity/checks/sandbox';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Scope } from '../../platform/platform';

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
