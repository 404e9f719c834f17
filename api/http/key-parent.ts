import type { KeyApi, KeyParent } from '../../services/platform/access/api-keys';
import type { RouteContext } from './route';

/** Keys are made by people signed in and by keys, so that none can hand on more than there is. */
export function buildKeyParent({ credential }: RouteContext, api: KeyApi): KeyParent {
  const { id, organisationId, mode, permissions, key } = credential;
  return {
    id,
    organisationId,
    mode,
    api,
    permissions,
    allowedIps: key?.record.allowedIps ?? [],
    expiresAt: key?.record.expiresAt ?? null,
  };
}
