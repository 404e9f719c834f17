import type { CallOptions } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { readVersion } from '../../../shared/api/versions';
import type { Session } from './session';

/** Reads a session, also for {@link readVersion}. */
export async function readSession(id: string, options: CallOptions): Promise<{ data: Session }> {
  return { data: (await identity.getSession(id, options)).session };
}

/** A session as a page shows it, with the ETag that a decision on this state is sent with. */
export const sessionQuery = (id: string) =>
  identityQuery('getSession', [id], (options) => readVersion((call) => readSession(id, call), options));
