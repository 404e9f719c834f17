import { IDENTITY_PERMISSIONS } from '../../../domain/identity/access/permissions';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { findMissingTests, parseCodeNames, readOperations, readTables } from '../../support/coverage-tables';

const readTable = readTables('docs/identity.md', '###');
const documentedOperations = readOperations('openapi/identity.json');

describe('the tables of proofs', () => {
  test('name every operation of the OpenAPI document with its route and permission, and no other', () => {
    const listedOperations = readTable('Every endpoint').map(([operation, route, permission]) => [
      parseCodeNames(operation)[0],
      parseCodeNames(route)[0],
      parseCodeNames(permission)[0] ?? null,
    ]);
    const sorted = (rows: readonly unknown[][]): string[] => rows.map((row) => row.join(' ')).sort();
    expect(sorted(listedOperations)).toEqual(
      sorted(documentedOperations.map(({ operationId, route, permission }) => [operationId, route, permission])),
    );
  });

  test('name every event and every permission, and no other', () => {
    const firstCells = (heading: string): string[] => readTable(heading).flatMap(([cell]) => parseCodeNames(cell));
    expect(firstCells('Every event')).toEqual([...EVENT_TYPES]);
    expect(firstCells('Every permission').sort()).toEqual([...IDENTITY_PERMISSIONS].sort());
  });

  test('say of each permission what it opens', () => {
    const opened = new Map(
      readTable('Every permission').map(([permission, opens]) => [parseCodeNames(permission)[0], opens]),
    );
    for (const { operationId: operation, permission } of documentedOperations) {
      if (permission !== null) {
        expect([operation, parseCodeNames(opened.get(permission))]).toEqual([
          operation,
          expect.arrayContaining([operation]),
        ]);
      }
    }
  });

  test.each(['Every endpoint', 'Every event', 'Every permission'])(
    '%s: each row names test files there are',
    (heading) => {
      const rows = readTable(heading);
      expect(rows.length).toBeGreaterThan(10);
      for (const row of rows) {
        expect([row[0], parseCodeNames(row.at(-1)).length > 0]).toEqual([row[0], true]);
        expect([row[0], findMissingTests(row)]).toEqual([row[0], []]);
      }
    },
  );
});
