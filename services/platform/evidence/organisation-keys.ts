import { LRUCache } from 'lru-cache';
import type { Platform, Scope } from '../platform';
import { ensureDataKey } from './data-keys';

/** Keys that are held in memory. */
const MAX_KEYS = 2000;

class OrganisationKeys extends LRUCache<string, Promise<Buffer>> {
  constructor() {
    super({ max: MAX_KEYS });
  }
}

async function readKey(platform: Platform, scope: Scope, id: string): Promise<Buffer> {
  return (await ensureDataKey(platform, scope, id)).key;
}

/**
 * A data key that belongs to an organisation as a whole rather than to a person, such as that of its files. It is never
 * destroyed, and a rotation changes only the key that encrypts it, so a process reads it once. Never call this for the key
 * of a person record: its copy in memory would outlive the erasure.
 */
export function getOrganisationKey(platform: Platform, scope: Scope, id: string): Promise<Buffer> {
  const keys = platform.singletons.get(OrganisationKeys);
  const name = `${scope.organisationId}/${scope.mode}/${id}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const reading = readKey(platform, scope, id);
  keys.set(name, reading);
  // A failure is not remembered.
  reading.catch(() => keys.delete(name));
  return reading;
}
