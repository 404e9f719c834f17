import type { SchemaStatus } from '../../../services/platform/migrations/schema-state';
import { diagnoseSchema } from '../../../services/platform/diagnosis/schema';

const now = new Date('2026-11-22T12:00:00Z');
const before = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);

const build = (status: Partial<SchemaStatus>): SchemaStatus => ({
  version: 5,
  latest: 6,
  release: '0.1.0',
  pending: [{ version: 6, name: 'sealed-fields', summary: 'Encrypts fields' }],
  running: false,
  current: null,
  ...status,
});
const run = (updatedAt: Date): SchemaStatus['current'] => ({
  name: 'sealed-fields',
  startedAt: before(900),
  updatedAt,
  converted: 201,
  runs: 2,
});

test('reports nothing about a database of this version', () => {
  expect(diagnoseSchema(build({ version: 6, pending: [] }), now)).toEqual([]);
});

test.each([
  ['pending', {}, /no process runs them/, /^Run `npm run admin -- migrate`/],
  ['interrupted', { current: run(before(60)) }, /was interrupted/, /continues after the last batch/],
  ['running', { running: true, current: run(before(1)) }, /A process migrates the database:/, /^Wait until/],
  ['stuck', { running: true, current: run(before(600)) }, /without progress/, /stuck-migration\.md/],
])('says what to do about a migration that is %s', (_state, status, summary, remedy) => {
  const [problem] = diagnoseSchema(build(status), now);
  expect(problem).toMatchObject({ area: 'schema', count: 1, since: 'current' in status ? before(900) : null });
  expect(problem?.summary).toMatch(summary);
  expect(problem?.remedy).toMatch(remedy);
  expect(problem?.examples).toEqual([
    'current' in status ? '6 sealed-fields (201 converted in 2 runs)' : '6 sealed-fields',
  ]);
});

test('names the version of a database that a newer version has migrated, and the runbook', () => {
  const [problem] = diagnoseSchema(build({ version: 8, release: '0.3.0', pending: [] }), now);
  expect(problem?.summary).toMatch(/schema version 8, written by Vouch 0\.3\.0; .* knows version 6$/);
  expect(problem?.remedy).toMatch(/database-newer-than-code\.md/);
});
