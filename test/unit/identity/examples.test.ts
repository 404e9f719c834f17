import { checkRoutes } from '../../../api/identity/checks/checks';
import { decisionRoutes } from '../../../api/identity/sessions/decisions';
import { sessionRoutes } from '../../../api/identity/sessions/sessions';
import { templateRoutes } from '../../../api/identity/sessions/session-templates';

const routes = [...sessionRoutes, ...templateRoutes, ...decisionRoutes, ...checkRoutes];

const examples = routes.flatMap((route) =>
  Object.entries(route.replies).flatMap(([status, reply]) =>
    'schema' in reply && reply.example !== undefined
      ? [{ name: `${route.operationId} ${status}`, schema: reply.schema, example: reply.example }]
      : [],
  ),
);

test.each(examples)('the documented answer of $name fits its own schema', ({ schema, example }) => {
  expect(schema.parse(example)).toEqual(example);
});

test('every route documents its permission, and the contract marks what is an addition', () => {
  for (const route of routes) expect(route.permission).toMatch(/^[a-z]+:[a-z]+$/);
  expect(routes.filter(({ addition }) => addition).map(({ path }) => path)).toEqual(['/v1/checks', '/v1/checks/:id']);
});
