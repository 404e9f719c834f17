import { z } from 'zod';
import { businessRoutes } from '../../../api/business';
import { identityRoutes } from '../../../api/identity';
import type { Route } from '../../../api/http/route';
import { call } from '../../support/client';
import { isIdentityRoute } from '../../support/record-factories';
import type { RouteFixture } from '../../support/record-factories';
import { buildRecordPath, createRouteFixture } from '../../support/route-records';
import { closeTestPlatform } from '../../support/tenant';

/** Every route with a range of dates or times in its query. New routes are included automatically. */
const ranges = [...identityRoutes, ...businessRoutes].flatMap((route: Route) => {
  const fields = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : [];
  const names = [
    ['from', 'to'],
    ['dateFrom', 'dateTo'],
  ].find((pair) => pair.every((name) => fields.includes(name)));
  return names === undefined || /valuation|verif/.test(route.path)
    ? []
    : [[`${route.method.toUpperCase()} ${route.path}`, route, names[0] ?? '', names[1] ?? ''] as const];
});
/** Of sessions, the audit log and the statistics. */
const acceptsDays = ({ path }: Route): boolean => path !== '/v1/audit-log';
const acceptsTimes = ({ path }: Route): boolean => !path.includes('/statistics/') && !/statement|reports/.test(path);

describe('the range of', () => {
  let fixture: RouteFixture;
  beforeAll(async () => {
    fixture = await createRouteFixture('Ranges');
  });
  afterAll(closeTestPlatform);

  const read = (route: Route, query: Record<string, string>) => {
    const key = isIdentityRoute(route) ? fixture.identityKey : fixture.businessKey;
    const others = route.path === '/api/inventory/ledger' ? { productId: '1' } : {};
    const parameters = new URLSearchParams({ ...others, ...query });
    return call('GET', `${buildRecordPath(route, fixture)}?${parameters.toString()}`, { key });
  };

  test.each(ranges)('%s is refused if it ends before it begins', async (_title, route, from, to) => {
    const reversed = [
      ...(acceptsDays(route) ? [['2026-01-02', '2026-01-01']] : []),
      ...(acceptsTimes(route) ? [['2026-01-03T10:00:00Z', '2026-01-01T10:00:00Z']] : []),
    ];
    for (const [lower = '', upper = ''] of reversed) {
      const { status, body } = await read(route, { [from]: lower, [to]: upper });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('must not be after')]);
      expect(JSON.stringify(body)).toContain(from);
    }
  });

  test('the sessions of a simulation and the rows of an export is refused, too', async () => {
    const workflow = await call('POST', '/v1/sessions/workflows', {
      key: fixture.identityKey,
      json: { name: 'Range' },
    });
    const { id } = workflow.body['workflow'] as { id: string };
    const simulated = await call('POST', `/v1/sessions/workflows/${id}/simulate`, {
      key: fixture.identityKey,
      json: { draft: {}, sessions: { from: '2026-01-02', to: '2026-01-01' } },
    });
    const problem = (end: string) => `must not be after ${end}, 2026-01-01`;
    const fields = [{ field: 'sessions.from', problem: problem('sessions.to') }];
    expect([simulated.status, simulated.body]).toMatchObject([400, { error: { details: { fields } } }]);

    for (const resource of ['invoices', 'products', 'stock-ledger']) {
      const filters = { dateFrom: '2026-01-02', dateTo: '2026-01-01' };
      const json = { resource, format: 'csv', filters };
      const { status, body } = await call('POST', '/api/exports', { key: fixture.businessKey, json });
      expect([status, body['errors']]).toEqual([400, [`filters.dateFrom: ${problem('filters.dateTo')}`]]);
    }
  });

  test.each(ranges)('%s may be one day or one moment', async (_title, route, from, to) => {
    const days = acceptsDays(route) ? ['2026-01-01'] : [];
    const times = acceptsTimes(route) ? ['2026-01-01T10:00:00Z'] : [];
    for (const bound of [...days, ...times]) {
      const { status } = await read(route, { [from]: bound, [to]: bound });
      expect([200, 404]).toContain(status);
    }
  });
});
