import { businessRoutes } from '../../../api/business';
import type { Answer } from '../client';

/** Names that stay inside the service. */
const INTERNAL = [
  '_id',
  'tokens',
  'organisationId',
  '__v',
  'version',
  'passwordHash',
  'secretHash',
  'administratorsGuard',
];

function keysDeep(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysDeep);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...keysDeep(item)]);
}

/**
 * Holds an answer strictly to what the operation documents: nothing missing, nothing more, no raw decimal, no internal
 * name.
 */
export function expectDocumented(method: string, path: string, answer: Answer): void {
  const route = businessRoutes.find((each) => each.method === method && each.path === path);
  const reply = route?.replies[answer.status];
  if (reply === undefined || !('schema' in reply))
    throw new Error(`${method} ${path}: no documented reply ${answer.status}: ${answer.bytes.toString('utf8')}`);
  const { ok, ...rest } = answer.body;
  expect(ok).toBe(true);
  expect(reply.schema.parse(rest)).toEqual(rest);
  expect(answer.bytes.toString('utf8')).not.toContain('$numberDecimal');
  const keys = keysDeep(answer.body);
  for (const name of INTERNAL) expect(keys).not.toContain(name);
}
