import { businessRoutes } from '../../../api/business';
import type { ApiResponse } from '../client';

/** Names that stay inside the service. */
const INTERNAL_FIELDS = [
  '_id',
  'tokens',
  'organisationId',
  '__v',
  'version',
  'passwordHash',
  'secretHash',
  'administratorsGuard',
];

function listKeysDeep(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listKeysDeep);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...listKeysDeep(item)]);
}

/**
 * Holds an answer strictly to what the operation documents: nothing missing, nothing more, no raw decimal, no internal
 * name.
 */
export function expectDocumented(method: string, path: string, response: ApiResponse): void {
  const route = businessRoutes.find((each) => each.method === method && each.path === path);
  const reply = route?.replies[response.status];
  if (reply === undefined || !('schema' in reply))
    throw new Error(`${method} ${path}: no documented reply ${response.status}: ${response.bytes.toString('utf8')}`);
  const { ok, ...rest } = response.body;
  expect(ok).toBe(true);
  expect(reply.schema.parse(rest)).toEqual(rest);
  expect(response.bytes.toString('utf8')).not.toContain('$numberDecimal');
  const keys = listKeysDeep(response.body);
  for (const name of INTERNAL_FIELDS) expect(keys).not.toContain(name);
}
