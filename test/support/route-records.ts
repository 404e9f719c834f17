import type { Route } from '../../api/http/route';
import { call } from './client';
import type { ApiResponse, RequestOptions } from './client';
import { ALL_BUSINESS_PERMISSIONS, createTenant } from './tenant';
import { loadTestImage, RECORD_FACTORIES } from './record-factories';
import type { RouteFixture } from './record-factories';

/** Parameters that do not identify a record of an organisation. */
const FIXED_PARAMETERS: Readonly<Record<string, string>> = {
  '/v1/registers/:kind': 'companies',
  '/api/config/email/templates/:kind': 'invoice',
  '/api/config/email/templates/:kind/:language': 'en',
};

/** Creates an organisation with all records. */
export async function createRouteFixture(name: string): Promise<RouteFixture> {
  const tenant = await createTenant(name);
  const businessKey = await tenant.createBusinessKey(ALL_BUSINESS_PERMISSIONS);
  const world: RouteFixture = { tenant, identityKey: tenant.identityKey, businessKey, ids: new Map() };
  for (const [prefix, make] of Object.entries(RECORD_FACTORIES)) world.ids.set(prefix, await make(world));
  return world;
}

/** The parameters of a path, each with the path up to it, inclusive. */
function listParameters(path: string): { name: string; prefix: string }[] {
  const parts = path.split('/');
  return parts.flatMap((part, index) =>
    part.startsWith(':') ? [{ name: part, prefix: parts.slice(0, index + 1).join('/') }] : [],
  );
}

/** Whether the path contains the id of a record of an organisation. */
export const hasRecordParameter = (route: Route): boolean =>
  listParameters(route.path).some(({ prefix }) => FIXED_PARAMETERS[prefix] === undefined);

/**
 * The path of a route with the ids of the records of an organisation.
 *
 * @throws Error if no factory creates the record
 */
export const buildRecordPath = (route: Route, world: RouteFixture): string =>
  listParameters(route.path).reduce((path, { name, prefix }) => {
    const id = FIXED_PARAMETERS[prefix] ?? world.ids.get(prefix);
    if (id === undefined) throw new Error(`No record for ${prefix}: add a factory to RECORD_FACTORIES.`);
    return path.replace(name, id);
  }, route.path);

/** Valid bodies for operations whose documented example is not valid for the fixture, by operation. */
const BODY_OVERRIDES: Readonly<Record<string, object>> = {
  // The documented example names a document; a request that names a session must not.
  blockDocument: {},
  decideSession: { decision: 'decline', reason: 'Declined by a test.' },
  updateProduct: { name: 'Renamed' },
  updateCustomer: { name: 'Renamed' },
};

const buildRouteBody = (route: Route): object => BODY_OVERRIDES[route.operationId] ?? route.bodyExample ?? {};

type FormField = NonNullable<RequestOptions['form']>[string];

/**
 * Sends a request that is valid except for its credential.
 *
 * @param additional further fields of the body
 */
export async function sendValidRequest(
  route: Route,
  path: string,
  credential: Pick<RequestOptions, 'key'>,
  additional: Record<string, string> = {},
): Promise<ApiResponse> {
  const method = route.method.toUpperCase();
  if (route.files !== undefined) {
    const required = Object.entries(route.files).filter(([, { required: needed }]) => needed);
    const names = (required.length > 0 ? required : Object.entries(route.files).slice(0, 1)).map(([name]) => name);
    const files = await Promise.all(names.map(async (name) => [name, await loadTestImage()] as const));
    const fields = Object.entries<unknown>({ ...buildRouteBody(route) }).map(
      ([name, value]) => [name, String(value)] as const,
    );
    const entries: (readonly [string, FormField])[] = [...fields, ...files];
    const form = { ...Object.fromEntries<FormField>(entries), ...additional };
    return call(method, path, { ...credential, form });
  }
  if (route.body === undefined) return call(method, path, credential);
  return call(method, path, { ...credential, json: { ...buildRouteBody(route), ...additional } });
}
