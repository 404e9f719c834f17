import { businessRoutes } from '../../../api/business';
import type { ApiResponse } from '../client';

/** Internal names that responses must not contain. */
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
 * Validates a response strictly against the documentation of its operation: no missing or additional fields, no raw
 * decimals, no internal names.
 */
export function expectDocumented(method: string, path: string, response: ApiResponse): void {
  const route = businessRoutes.find((each) => each.method === method && each.path === path);
  const reply = route?.replies[response.status];
  if (reply === undefined || !('schema' in reply))
    throw new Error(`${method} ${path}: undocumented status ${response.status}: ${response.bytes.toString('utf8')}`);
  const { ok, ...rest } = response.body;
  expect(ok).toBe(true);
  expect(reply.schema.parse(rest)).toEqual(rest);
  expect(response.bytes.toString('utf8')).not.toContain('$numberDecimal');
  const keys = listKeysDeep(response.body);
  for (const name of INTERNAL_FIELDS) expect(keys).not.toContain(name);
}
