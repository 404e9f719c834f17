import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PERMISSIONS, permissionsOf, ROLES } from '../../../domain/business/access/permissions';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { missingTests, namesIn, operationsOf, ROOT, sourcesBelow, tablesOf } from '../../support/coverage-tables';

const tableUnder = tablesOf('docs/business/proofs.md', '##');

const firstNames = (heading: string): string[] => tableUnder(heading).map(([cell]) => namesIn(cell)[0] ?? '');

/** Kinds of events that only the identity API tells, and the webhooks' own. */
const NOT_BUSINESS = new Set(['session', 'check', 'aml', 'kyb', 'webhook']);

/** Subsets of another list of states. */
const PARTS = new Set(['OPEN_LEAD']);

/** Every `INVOICE_STATUSES = ['draft', …]` of the rules, as `invoice.draft`; what is drawn here is in models alone. */
const statesOf = (): string[] =>
  [...sourcesBelow('domain/business').values()].flatMap((text) =>
    [...text.matchAll(/export const (\w+)_(?:STATUSES|STATES|STAGES) = \[([^\]]*)\]/g)]
      .filter(([, kind = '']) => !PARTS.has(kind))
      .flatMap(([, kind = '', values = '']) =>
        [...values.matchAll(/'([a-z_]+)'/g)].map(([, state = '']) => `${kind.toLowerCase()}.${state}`),
      ),
  );

/** Where answers of the business API get their codes from. */
const SPEAKERS = [
  ...['services/business', 'api/business', 'domain/business', 'api/platform'].flatMap((folder) => [
    ...sourcesBelow(folder).values(),
  ]),
  ...[
    'api/http/errors.ts',
    'api/http/json-body.ts',
    'api/http/route.ts',
    'api/http/router.ts',
    'domain/errors.ts',
    'services/platform/transactions/idempotency.ts',
    'services/platform/webhooks/recovery.ts',
    'services/platform/webhooks/endpoints.ts',
  ].map((file) => readFileSync(path.join(ROOT, file), 'utf8')),
];

/** `code status` of every refusal there is in the code. */
const refusals = (): string[] => [
  ...new Set(
    SPEAKERS.flatMap((text) => [
      ...[...text.matchAll(/\bconflict\(\s*'([a-z_]+)'/g)].map(([, code = '']) => `${code} 409`),
      ...[...text.matchAll(/new AppError\(\s*'([a-z_]+)',\s*(\d{3})/g)].map(
        ([, code = '', status = '']) => `${code} ${status}`,
      ),
    ]),
  ),
];

describe('the tables of proofs of the business API', () => {
  test('name every operation of the OpenAPI document with its route and permission, and no other', () => {
    const told = tableUnder('Every endpoint').map(([operation, route, permission]) =>
      [namesIn(operation)[0], namesIn(route)[0], namesIn(permission)[0], route?.endsWith('(addition)')].join(' '),
    );
    const documented = operationsOf('openapi/business.json').map(({ operationId, route, permission, addition }) =>
      [operationId, route, permission ?? undefined, addition].join(' '),
    );
    expect(told.sort()).toEqual(documented.sort());
  });

  test('name every permission with the roles that have it, and no other', () => {
    const told = tableUnder('Every permission').map(([permission, roles]) => [namesIn(permission)[0], namesIn(roles)]);
    const granted = PERMISSIONS.map((permission) => [
      permission,
      ROLES.filter((role) => permissionsOf(role).includes(permission)),
    ]);
    expect(told).toEqual(granted);
  });

  test('name every event of the business API, and no other', () => {
    const events = EVENT_TYPES.filter((type) => !NOT_BUSINESS.has(type.split('.')[0] ?? ''));
    expect(firstNames('Every event')).toEqual(events);
  });

  test('name every state there is', () => {
    const states = statesOf();
    expect(states).toContain('invoice.draft');
    expect(
      firstNames('Every state')
        .filter((state) => !state.startsWith('payment.'))
        .sort(),
    ).toEqual(states.sort());
  });

  test('name every error code with its status, and no other', () => {
    const told = tableUnder('Every error code').map(([code, status]) => `${namesIn(code)[0]} ${status}`);
    expect(told.sort()).toEqual(refusals().sort());
  });

  test.each(['Every endpoint', 'Every permission', 'Every event', 'Every state', 'Every error code'])(
    '%s: each row names test files there are',
    (heading) => {
      const rows = tableUnder(heading);
      expect(rows.length).toBeGreaterThan(4);
      const unproven = rows.filter((row) => namesIn(row.at(-1)).length === 0 || missingTests(row).length > 0);
      expect(unproven).toEqual([]);
    },
  );

  test('name for each error code a test that looks for it', () => {
    const silent = tableUnder('Every error code').filter(
      ([code = '', , , files]) =>
        !namesIn(files).some((file) =>
          readFileSync(path.join(ROOT, file), 'utf8').includes(`'${namesIn(code)[0] ?? ''}'`),
        ),
    );
    expect(silent.map(([code]) => code)).toEqual([]);
  });
});
