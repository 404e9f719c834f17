import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PERMISSIONS, listRolePermissions, ROLES } from '../../../domain/business/access/permissions';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import {
  findMissingTests,
  parseCodeNames,
  readOperations,
  PROJECT_ROOT,
  readSources,
  readTables,
} from '../../support/coverage-tables';

const readTable = readTables('docs/business/proofs.md', '##');

const listFirstNames = (heading: string): string[] => readTable(heading).map(([cell]) => parseCodeNames(cell)[0] ?? '');

/** Kinds of events that only the identity API tells, and the webhooks' own. */
const NON_BUSINESS_EVENT_KINDS = new Set(['session', 'check', 'aml', 'kyb', 'webhook']);

/** Subsets of another list of states. */
const PARTIAL_STATE_LISTS = new Set(['OPEN_LEAD']);

/** Every `INVOICE_STATUSES = ['draft', …]` of the rules, as `invoice.draft`; what is drawn here is in models alone. */
const listStates = (): string[] =>
  [...readSources('domain/business').values()].flatMap((text) =>
    [...text.matchAll(/export const (\w+)_(?:STATUSES|STATES|STAGES) = \[([^\]]*)\]/g)]
      .filter(([, kind = '']) => !PARTIAL_STATE_LISTS.has(kind))
      .flatMap(([, kind = '', values = '']) =>
        [...values.matchAll(/'([a-z_]+)'/g)].map(([, state = '']) => `${kind.toLowerCase()}.${state}`),
      ),
  );

/** Where answers of the business API get their codes from. */
const ERROR_SOURCES = [
  ...['services/business', 'api/business', 'domain/business', 'api/platform'].flatMap((folder) => [
    ...readSources(folder).values(),
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
  ].map((file) => readFileSync(path.join(PROJECT_ROOT, file), 'utf8')),
];

/** `code status` of every refusal there is in the code. */
const listErrorCodes = (): string[] => [
  ...new Set(
    ERROR_SOURCES.flatMap((text) => [
      ...[...text.matchAll(/\bconflictError\(\s*'([a-z_]+)'/g)].map(([, code = '']) => `${code} 409`),
      ...[...text.matchAll(/new AppError\(\s*'([a-z_]+)',\s*(\d{3})/g)].map(
        ([, code = '', status = '']) => `${code} ${status}`,
      ),
    ]),
  ),
];

describe('the tables of proofs of the business API', () => {
  test('name every operation of the OpenAPI document with its route and permission, and no other', () => {
    const listedOperations = readTable('Every endpoint').map(([operation, route, permission]) =>
      [
        parseCodeNames(operation)[0],
        parseCodeNames(route)[0],
        parseCodeNames(permission)[0],
        route?.endsWith('(addition)'),
      ].join(' '),
    );
    const documented = readOperations('openapi/business.json').map(({ operationId, route, permission, addition }) =>
      [operationId, route, permission ?? undefined, addition].join(' '),
    );
    expect(listedOperations.sort()).toEqual(documented.sort());
  });

  test('name every permission with the roles that have it, and no other', () => {
    const listedPermissions = readTable('Every permission').map(([permission, roles]) => [
      parseCodeNames(permission)[0],
      parseCodeNames(roles),
    ]);
    const granted = PERMISSIONS.map((permission) => [
      permission,
      ROLES.filter((role) => listRolePermissions(role).includes(permission)),
    ]);
    expect(listedPermissions).toEqual(granted);
  });

  test('name every event of the business API, and no other', () => {
    const events = EVENT_TYPES.filter((type) => !NON_BUSINESS_EVENT_KINDS.has(type.split('.')[0] ?? ''));
    expect(listFirstNames('Every event')).toEqual(events);
  });

  test('name every state there is', () => {
    const states = listStates();
    expect(states).toContain('invoice.draft');
    expect(
      listFirstNames('Every state')
        .filter((state) => !state.startsWith('payment.'))
        .sort(),
    ).toEqual(states.sort());
  });

  test('name every error code with its status, and no other', () => {
    const listedCodes = readTable('Every error code').map(([code, status]) => `${parseCodeNames(code)[0]} ${status}`);
    expect(listedCodes.sort()).toEqual(listErrorCodes().sort());
  });

  test.each(['Every endpoint', 'Every permission', 'Every event', 'Every state', 'Every error code'])(
    '%s: each row names test files there are',
    (heading) => {
      const rows = readTable(heading);
      expect(rows.length).toBeGreaterThan(4);
      const unproven = rows.filter(
        (row) => parseCodeNames(row.at(-1)).length === 0 || findMissingTests(row).length > 0,
      );
      expect(unproven).toEqual([]);
    },
  );

  test('name for each error code a test that looks for it', () => {
    const silent = readTable('Every error code').filter(
      ([code = '', , , files]) =>
        !parseCodeNames(files).some((file) =>
          readFileSync(path.join(PROJECT_ROOT, file), 'utf8').includes(`'${parseCodeNames(code)[0] ?? ''}'`),
        ),
    );
    expect(silent.map(([code]) => code)).toEqual([]);
  });
});
