import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { makeDemoImages } from '../../scripts/demo/images';
import { call } from '../support/client';
import { createSession } from '../support/identity/identity';
import { readStack } from '../support/stack';
import { closeTestPlatform, getTestPlatform } from '../support/tenant';
import { PROCESS_LIMIT_MS } from '../support/limits';

afterAll(closeTestPlatform);

const environment = { PATH: process.env['PATH'], VOUCH_RUN: process.env['VOUCH_TEST_STACK'] };

const runAdmin = (...args: string[]) =>
  spawnSync(process.execPath, [path.resolve('dist/scripts/admin.js'), ...args], {
    encoding: 'utf8',
    timeout: PROCESS_LIMIT_MS,
    env: environment,
  });

test('the admin command creates an organisation in the running stack', () => {
  const slug = `made-${randomUUID()}`;
  const created = runAdmin('create-organisation', '--name', 'Made by command', '--slug', slug);
  expect([created.status, JSON.parse(created.stdout)]).toMatchObject([0, { slug }]);
});

test.each([
  [['create-organisation', '--slug', 'x', '--name'], '--name <name>'],
  [['create-key', '--organisation', 'x', '--api', 'identity', '--name', 'x', '--expires-at', 'soon'], 'soon'],
])('the admin command prints its usage, and no stack, for %j', (args, named) => {
  const refused = runAdmin(...args);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(named);
  expect(refused.stderr).toContain(`Usage: npm run admin -- ${args[0]}`);
  expect(refused.stderr).not.toContain('    at ');
});

/** What people do with the specimens before a demonstration: the same face and passport of another customer. */
async function useSpecimens(): Promise<void> {
  const { api, identityApiKey: key } = readStack();
  const { passport, selfie } = await makeDemoImages();
  const { id: sessionId } = await createSession(key, { externalId: randomUUID(), features: ['id', 'liveness'] });
  await call('POST', '/v1/documents/id-verification?wait=60', { key, api, form: { sessionId, frontImage: passport } });
  await call('POST', '/v1/biometrics/liveness?wait=60', { key, api, form: { sessionId, image: selfie } });
}

test.each(['first', 'second'])(
  'the %s demonstration after other uses of its specimens verifies one person, declines another, and renders an invoice',
  async () => {
    await useSpecimens();
    const demo = spawnSync(process.execPath, [path.resolve('dist/scripts/demo/main.js')], {
      encoding: 'utf8',
      timeout: PROCESS_LIMIT_MS,
      env: environment,
    });
    expect({ status: demo.status, stderr: demo.stderr }).toMatchObject({ status: 0 });
    const rows = demo.stdout.split('\n');
    const row = (start: string): string => rows.find((line) => line.startsWith(start)) ?? '';
    expect(row('same person: decision')).toContain('approved');
    expect(row('same person: webhook')).toContain('session.completed, signature verified');
    expect(row('another person: decision')).toContain('declined (face_mismatch)');
    expect(row('another person: webhook')).toContain('session.declined, signature verified');
    expect(row('business: invoice')).toMatch(/INV-\d{4}-\d+ issued/);
    expect(row('business: PDF')).toContain('rendered');
    const { temporal } = await getTestPlatform();
    const workflowIds = [...demo.stdout.matchAll(/\/workflows\/(\S+)/g)].map(([, id = '']) => id);
    expect(new Set(workflowIds).size).toBe(2);
    for (const id of workflowIds) expect((await temporal.workflow.getHandle(id).describe()).type).toBe('verification');
  },
);
