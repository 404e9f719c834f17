import { IDENTITY_PERMISSIONS } from '../../../domain/identity/access/permissions';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { missingTests, namesIn, operationsOf, tablesOf } from '../../support/coverage-tables';

const tableUnder = tablesOf('docs/identity.md', '###');
const documented = operationsOf('openapi/identity.json');

describe('the tables of proofs', () => {
  test('name every operation of the OpenAPI document with its route and permission, and no other', () => {
    const told = tableUnder('Every endpoint').map(([operation, route, permission]) => [
      namesIn(operation)[0],
      namesIn(route)[0],
      namesIn(permission)[0] ?? null,
    ]);
    const sorted = (rows: readonly unknown[][]): string[] => rows.map((row) => row.join(' ')).sort();
    expect(sorted(told)).toEqual(
      sorted(documented.map(({ operationId, route, permission }) => [operationId, route, permission])),
    );
  });

  test('name every event and every permission, and no other', () => {
    const firstCells = (heading: string): string[] => tableUnder(heading).flatMap(([cell]) => namesIn(cell));
    expect(firstCells('Every event')).toEqual([...EVENT_TYPES]);
    expect(firstCells('Every permission').sort()).toEqual([...IDENTITY_PERMISSIONS].sort());
  });

  test('say of each permission what it opens', () => {
    const opened = new Map(
      tableUnder('Every permission').map(([permission, opens]) => [namesIn(permission)[0], opens]),
    );
    for (const { operationId: operation, permission } of documented) {
      if (permission !== null) {
        expect([operation, namesIn(opened.get(permission))]).toEqual([operation, expect.arrayContaining([operation])]);
      }
    }
  });

  test.each(['Every endpoint', 'Every event', 'Every permission'])(
    '%s: each row names test files there are',
    (heading) => {
      const rows = tableUnder(heading);
      expect(rows.length).toBeGreaterThan(10);
      for (const row of rows) {
        expect([row[0], namesIn(row.at(-1)).length > 0]).toEqual([row[0], true]);
        expect([row[0], missingTests(row)]).toEqual([row[0], []]);
      }
    },
  );
});
