import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../../../scripts/docs/repository';

const FOLDER = path.join(PROJECT_ROOT, 'web', 'console');

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), 'x-permission': z.string().optional() })),
  ),
});

/** The permission that each operation of an API requires. */
function readPermissions(product: string): [string, string][] {
  const file = path.join(PROJECT_ROOT, 'openapi', `${product}.json`);
  const { paths } = documentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ operationId, 'x-permission': permission }) =>
      permission === undefined ? [] : [[`${product}.${operationId}`, permission] as [string, string]],
    );
}

const required = new Map(['identity', 'business'].flatMap(readPermissions));

const sources = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(path.join(FOLDER, file), 'utf8')]),
);

/** Operations of the APIs that a source calls, such as `identity.listShares`. */
const listOperations = (source: string): string[] =>
  [...source.matchAll(/\b(identity|business)(?:Query\(\s*'|\.)(\w+)/g)]
    .map(([, product, operation]) => `${product}.${operation}`)
    .filter((operation) => required.has(operation));

/** Permissions that a text names, also those of the two sides of the ledger, such as `${side}s:read`. */
const listNamed = (source: string): string[] => [
  ...[...source.matchAll(/'([a-z-]+:[a-z]+)'/g)].map(([, permission = '']) => permission),
  ...[...source.matchAll(/`\$\{[\w.]+\}(s:[a-z]+)`/g)].flatMap(([, end]) => [`receivable${end}`, `payable${end}`]),
];

const listImports = (file: string): string[] =>
  [...(sources.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, name = '']) => path.join(path.dirname(file), name))
    .flatMap((name) => [`${name}.ts`, `${name}.tsx`].filter((each) => sources.has(each)));

/** The files that show each file, directly or not. */
function listShownBy(): (file: string) => Set<string> {
  const importers = new Map<string, string[]>();
  for (const file of sources.keys()) {
    for (const imported of listImports(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
  return (file) => {
    const found = new Set([file]);
    for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
    return found;
  };
}

test('a query that depends on a permission depends on the one that the API requires', () => {
  const queries = [...sources].flatMap(([file, source]) =>
    [...source.matchAll(/useQuery\(\{(.*?)\n {2,6}\}\)/gs)].map(([, query = '']) => ({ file, query })),
  );
  const checked = queries.flatMap(({ file, query }) =>
    [...query.matchAll(/enabled:(.*)/g)]
      .flatMap(([, condition = '']) => listNamed(condition))
      .map((permission) => ({ file, permission, needs: listOperations(query).map((each) => required.get(each)) })),
  );
  expect(checked.length).toBeGreaterThan(4);
  expect(checked.filter(({ permission, needs }) => !needs.includes(permission))).toEqual([]);
});

test('every operation that a page calls has its permission checked there, or by what shows the page', () => {
  const listShowing = listShownBy();
  /** A feature may have its condition in a file of its own, `allows-….ts`. */
  const listChecked = (file: string): string[] =>
    [file, ...listImports(file).filter((each) => path.basename(each).startsWith('allows-'))].flatMap((each) =>
      listNamed(sources.get(each) ?? ''),
    );
  const unchecked = [...sources].flatMap(([file, source]) => {
    const checked = new Set([...listShowing(file)].flatMap(listChecked));
    return [...new Set(listOperations(source))]
      .map((operation) => [file, operation, required.get(operation) ?? ''])
      .filter(([, , permission = '']) => permission !== 'any' && !checked.has(permission));
  });
  expect(unchecked).toEqual([]);
});
