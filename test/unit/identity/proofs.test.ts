import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { IDENTITY_PERMISSIONS } from '../../../domain/identity/permissions';
import { EVENT_TYPES } from '../../../domain/webhooks/event-types';

const ROOT = path.join(__dirname, '../../..');
const page = readFileSync(path.join(ROOT, 'docs/identity.md'), 'utf8');

/** The rows of the table under a heading of docs/identity.md, cell by cell. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const table = section.split(/\n#/)[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What a cell names in code marks. */
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const operations = z
  .object({
    paths: z.record(
      z.string(),
      z.record(z.string(), z.looseObject({ operationId: z.string(), 'x-permission': z.string().optional() })),
    ),
  })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'openapi/identity.json'), 'utf8')));

const documented = Object.entries(operations.paths).flatMap(([route, methods]) =>
  Object.entries(methods).map(([method, operation]) => [
    operation.operationId,
    `${method.toUpperCase()} ${route.replace(/\{(\w+)\}/g, ':$1')}`,
    operation['x-permission'] ?? null,
  ]),
);

describe('the tables of proofs', () => {
  test('name every operation of the OpenAPI document with its route and permission, and no other', () => {
    const told = tableUnder('Every endpoint').map(([operation, route, permission]) => [
      namesIn(operation)[0],
      namesIn(route)[0],
      namesIn(permission)[0] ?? null,
    ]);
    const sorted = (rows: readonly unknown[][]): string[] => rows.map((row) => row.join(' ')).sort();
    expect(sorted(told)).toEqual(sorted(documented));
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
    for (const [operation, , permission] of documented) {
      if (permission !== null && permission !== undefined) {
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
        const files = namesIn(row.at(-1));
        expect([row[0], files.length > 0]).toEqual([row[0], true]);
        const missing = files.filter(
          (file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(path.join(ROOT, file)),
        );
        expect([row[0], missing]).toEqual([row[0], []]);
      }
    },
  );
});
