import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildRoles } from '../../../scripts/build/privileges/roles';
import type { Privilege } from '../../../scripts/build/privileges/roles';

const root = path.resolve(__dirname, '..', '..', '..');
const built = buildRoles(root);

/** Without the user of migrations, backups and restorations, which is no service. */
const { maintenance, ...services } = built;

const listActions = (component: string, collection: string): string[] =>
  built[component]?.find((privilege: Privilege) => privilege.collection === collection)?.actions ?? [];

test('deploy/mongo/roles.json has the privileges that the code needs (npm run build -- --openapi)', () => {
  expect(JSON.parse(readFileSync(path.join(root, 'deploy', 'mongo', 'roles.json'), 'utf8'))).toEqual(built);
});

test('pools that read files of strangers reach neither credentials nor records of other pools', () => {
  for (const pool of ['vision', 'rendering', 'exports'])
    for (const collection of ['users', 'api_keys', 'sealed_secrets', 'browser_sessions', 'signing_keys'])
      expect({ [`${pool} ${collection}`]: listActions(pool, collection) }).toEqual({ [`${pool} ${collection}`]: [] });
  expect(listActions('vision', 'invoices')).toEqual([]);
  expect(listActions('rendering', 'invoices')).toEqual(['find']);
  expect(listActions('exports', 'invoices')).toEqual(['find']);
  expect(listActions('vision', 'sessions')).toContain('update');
});

test('audit rows and ledgers are only appended to; the sealer of the audit log alone updates its rows', () => {
  for (const [component, privileges] of Object.entries(services)) {
    const writes = privileges
      .filter(({ collection }) => /^(audit_log|stock_ledger|account_entries)$/.test(collection))
      .flatMap(({ collection, actions }) => actions.map((action) => `${collection} ${action}`))
      .filter((action) => /update|remove/.test(action));
    expect({ [component]: writes }).toEqual({ [component]: component === 'orchestration' ? ['audit_log update'] : [] });
  }
});

test('the rotation of keys may remove one of two rows that stand for the same document', () => {
  for (const collection of ['blocked_documents', 'document_uses'])
    expect([collection, listActions('orchestration', collection)]).toEqual([collection, ['find', 'remove', 'update']]);
  expect(listActions('orchestration', 'faces')).not.toContain('remove');
});

test('no service may drop a collection, and none may change users', () => {
  const actions = new Set(Object.values(services).flatMap((privileges) => privileges.flatMap((each) => each.actions)));
  expect([...actions].sort()).toEqual([
    'changeStream',
    'createCollection',
    'createIndex',
    'find',
    'insert',
    'listCollections',
    'listIndexes',
    'remove',
    'update',
  ]);
  const ofMaintenance = maintenance?.flatMap((each) => each.actions) ?? [];
  expect(ofMaintenance.filter((action) => !actions.has(action))).toEqual(['dropCollection', 'dropIndex']);
});
