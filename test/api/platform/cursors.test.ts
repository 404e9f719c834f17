import { z } from 'zod';
import { documentedIdentityRoutes } from '../../../api/identity';
import { call } from '../../support/client';
import { createSession } from '../../support/identity/identity';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant('Cursors');
});
afterAll(closeTestPlatform);

const hasCursor = ({ query }: (typeof documentedIdentityRoutes)[number]): boolean =>
  query instanceof z.ZodObject && 'cursor' in query.shape;

/** Lists of the identity API that belong to no other record. */
const LISTS = documentedIdentityRoutes.filter((route) => hasCursor(route) && !route.path.includes(':'));

const createWebhook = async (): Promise<string> => {
  const json = { url: 'https://example.com/hook', events: ['*'] };
  const { body } = await call('POST', '/v1/webhooks', { key: tenant.identityKey, json });
  return z.object({ id: z.string() }).parse(body['webhook']).id;
};

const expectRefusal = async (path: string, cursor: string): Promise<void> => {
  const { status, body } = await call('GET', `${path}?cursor=${cursor}`, { key: tenant.identityKey });
  expect([path, status, body]).toMatchObject([path, 400, { error: { details: { fields: [{ field: 'cursor' }] } } }]);
};

// A client that turns the null of the last page into text would read the first page again and again.
describe.each(['null', '', 'nonsense', 'ses_1'])('the cursor %j, which no page has returned,', (cursor) => {
  test.each(LISTS.map(({ path }) => path))('is refused by %s', (path) => expectRefusal(path, cursor));

  test('is refused by the deliveries of a webhook and the shares of a session', async () => {
    await expectRefusal(`/v1/webhooks/${await createWebhook()}/deliveries`, cursor);
    const { id } = await createSession(tenant.identityKey);
    await expectRefusal(`/v1/sessions/${id}/shares`, cursor);
  });
});
