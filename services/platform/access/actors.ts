import { ApiKey } from '../../../models/platform/access/api-key';
import { User } from '../../../models/platform/access/user';
import type { UserRecord } from '../../../models/platform/access/user';

/** Users and API keys by their ids in records, such as `usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7`. */
export interface Actors {
  /** Current names. */
  names: ReadonlyMap<string, string>;
  /** Ids of users in the list of users. */
  userIds: ReadonlyMap<string, number>;
}

type NamedUser = Pick<UserRecord, '_id' | 'id' | 'name'>;

/** The users and API keys of an organisation among some ids. The service itself and deleted actors are not among them. */
export async function readActors(organisationId: string, ids: readonly string[]): Promise<Actors> {
  if (ids.length === 0) return { names: new Map(), userIds: new Map() };
  const idFilter = { organisationId, _id: { $in: [...new Set(ids)] } };
  const [users, keys] = await Promise.all([
    User.find(idFilter, { id: 1, name: 1 }).lean<NamedUser[]>(),
    ApiKey.find(idFilter, { name: 1 }).lean<{ _id: string; name: string }[]>(),
  ]);
  return {
    names: new Map([...users, ...keys].map(({ _id, name }) => [_id, name])),
    userIds: new Map(users.map(({ _id, id }) => [_id, id])),
  };
}
