import type { QueryFilter } from 'mongoose';
import { ApiKey } from '../../../models/platform/access/api-key';
import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { listUserPermissions } from './user-roles';
import type { UserRoles } from './user-roles';

export interface CreatedKeys {
  organisationId: string;
  /** A key or a user. */
  creatorId: string;
  /** Who revokes. */
  actor: string;
}

async function revokeKeys(
  unit: UnitOfWork,
  { organisationId, creatorId, actor }: CreatedKeys,
  condition: QueryFilter<ApiKeyRecord>,
  now: Date,
): Promise<void> {
  const active = { organisationId, revokedAt: null };
  const affected = await ApiKey.distinct('_id', { ...active, ancestors: creatorId, ...condition }).session(
    unit.mongoSession,
  );
  if (affected.length === 0) return;
  // A key ends together with the keys that were created with it.
  const ended = { ...active, $or: [{ _id: { $in: affected } }, { ancestors: { $in: affected } }] };
  const keys = await ApiKey.find(ended, { mode: 1 }).session(unit.mongoSession).lean<ApiKeyRecord[]>();
  await ApiKey.updateMany(ended, { $set: { revokedAt: now } }, { session: unit.mongoSession });
  for (const { _id: subject, mode } of keys)
    await unit.audit({ organisationId, mode }, { actor, action: 'api_key.revoked', subject, reason: 'creator_ended' });
}

/** Revokes every key that a key or a user created, directly or through other keys. */
export const revokeCreatedKeys = (unit: UnitOfWork, created: CreatedKeys, now: Date): Promise<void> =>
  revokeKeys(unit, created, {}, now);

/** Revokes the created keys that have a permission which the new roles of their creator do not have. */
export async function revokeKeysBeyondRoles(
  unit: UnitOfWork,
  created: CreatedKeys,
  roles: UserRoles,
  now: Date,
): Promise<void> {
  const allowed = listUserPermissions(roles);
  for (const api of ['business', 'identity'] as const)
    await revokeKeys(unit, created, { api, permissions: { $elemMatch: { $nin: allowed[api] } } }, now);
}
