import type { KeyApi } from '../../services/platform/access/api-keys';
import type { KeyParent } from '../../services/platform/access/key-creator';
import type { RouteContext } from './route';

/** The caller as the creator of an API key, which can have at most the caller's permissions, addresses and lifetime. */
export function buildKeyParent({ credential }: RouteContext, api: KeyApi): KeyParent {
  const { id, organisationId, mode, permissions, key, sessionId } = credential;
  return {
    id,
    organisationId,
    mode,
    api,
    kind: key === null ? 'user' : 'key',
    sessionId: key === null ? sessionId : null,
    ancestors: [...(key?.record.ancestors ?? []), id],
    permissions,
    allowedIps: key?.record.allowedIps ?? [],
    expiresAt: key?.record.expiresAt ?? null,
  };
}
