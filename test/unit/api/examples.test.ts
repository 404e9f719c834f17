import { businessInfo, businessRoutes } from '../../../api/business';
import { identityInfo, documentedIdentityRoutes } from '../../../api/identity';
import type { Route } from '../../../api/http/route';

const apis = [
  { routes: documentedIdentityRoutes, examples: identityInfo.examples },
  { routes: businessRoutes, examples: businessInfo.examples },
] as const;

/** The JSON replies of a route with their own and their recorded examples. */
const listReplies = (route: Route, recorded: Readonly<Record<string, object>>) =>
  Object.entries(route.replies).flatMap(([status, reply]) =>
    'schema' in reply ? [{ status, schema: reply.schema, example: reply.example, recorded: recorded[status] }] : [],
  );

const operations = apis.flatMap(({ routes, examples }) =>
  routes.map((route) => [route.operationId, route, listReplies(route, examples[route.operationId] ?? {})] as const),
);

describe.each(operations)('%s', (_operationId, route, replies) => {
  test('has an example of its JSON body that its schema accepts', () => {
    if (route.body === undefined || route.files !== undefined) return;
    expect(route.body.safeParse(route.bodyExample).error).toBeUndefined();
  });

  test('has one example of every JSON reply, with exactly the documented fields', () => {
    for (const { status, schema, example, recorded } of replies) {
      expect([status, [example, recorded].filter(Boolean)]).toEqual([status, [schema.parse(example ?? recorded)]]);
    }
  });
});

test('every recorded example belongs to an operation', () => {
  const recorded = apis.flatMap(({ examples }) => Object.keys(examples));
  const known = new Set(operations.map(([operationId]) => operationId));
  expect(recorded.filter((operationId) => !known.has(operationId))).toEqual([]);
});
