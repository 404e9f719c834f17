import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  ConflictError,
  NotFoundError,
  PermissionError,
  VouchClient,
  verifyWebhook,
} from '../../clients/typescript/src';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import { EVENT_LIMIT_MS } from '../support/limits';
import { startReceiver } from '../support/receiver';
import { readStack } from '../support/stack';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';

const execFileAsync = promisify(execFile);
/** How long the client waits for a result. */
const PATIENCE = { timeoutSeconds: EVENT_LIMIT_MS / 1000 };
const toBytes = ({ body }: { body: Buffer }): Uint8Array<ArrayBuffer> => new Uint8Array(body);

let tenant: Tenant;
let vouch: VouchClient;
let images: DemoImages;

beforeAll(async () => {
  tenant = await createTenant('Client');
  vouch = new VouchClient({ baseUrl: readStack().api, apiKey: tenant.identityKey });
  images = await makeDemoImages();
});
afterAll(closeTestPlatform);

describe('the TypeScript client', () => {
  test('verifies a person and receives the signed webhook', async () => {
    const receiver = await startReceiver();
    const folder = await mkdtemp(path.join(tmpdir(), 'vouch-client-'));
    try {
      const { webhook, secret } = await vouch.createWebhook({ url: receiver.url, events: ['session.completed'] });
      const { session } = await vouch.createSession({ externalId: 'customer-4711', metadata: { tier: 'gold' } });
      expect(session).toMatchObject({ status: 'not_started', externalId: 'customer-4711' });

      const passport = path.join(folder, 'passport.jpg');
      await writeFile(passport, images.passport.body);
      const { check } = await vouch.verifyIdentityDocument({ sessionId: session.id, frontImage: passport });
      expect(check.kind).toBe('id_verification');
      const selfie = new Blob([toBytes(images.selfie)]);
      const later = await vouch.checkLiveness({ sessionId: session.id, image: selfie }, { wait: 0 });
      const ended = await vouch.waitForCheck(later.check.id, PATIENCE);
      expect(ended).toMatchObject({ status: 'completed', outcome: 'approved' });

      const decided = await vouch.waitForSession(session.id, PATIENCE);
      expect(decided).toMatchObject({ status: 'approved', decision: { decidedBy: 'rules' } });
      const request = await receiver.waitFor(() => true);
      const event = verifyWebhook(request.body, request.headers, secret ?? '');
      expect(event).toMatchObject({ type: 'session.completed', data: { sessionId: session.id, status: 'approved' } });
      expect(event.id).toBe(request.headers['webhook-id']);

      const rotated = await vouch.rotateWebhookSecret(webhook.id, { overlapSeconds: 0 });
      await vouch.testWebhook(webhook.id);
      const [, tested] = await receiver.waitForCount(2);
      expect(verifyWebhook(tested?.body ?? '', tested?.headers ?? {}, rotated.secret ?? '').type).toBe('webhook.test');
    } finally {
      await rm(folder, { recursive: true });
      await receiver.close();
    }
  });

  test('a session of another person is declined and cannot be approved afterwards', async () => {
    const { session } = await vouch.createSession();
    await vouch.verifyIdentityDocument({ sessionId: session.id, frontImage: toBytes(images.passport) });
    await vouch.checkLiveness({ sessionId: session.id, image: toBytes(images.otherSelfie) });
    expect((await vouch.waitForSession(session.id, PATIENCE)).status).toBe('declined');
    await expect(vouch.decideSession(session.id, { decision: 'approve' })).rejects.toBeInstanceOf(ConflictError);
    await vouch.deleteSession(session.id);
    await expect(vouch.getSession(session.id)).rejects.toBeInstanceOf(NotFoundError);
  });

  test('repeats a call with its idempotency key without a second effect, and iterates over all pages', async () => {
    const options = { idempotencyKey: 'order-4711' };
    const [one, two] = await Promise.all([
      vouch.createSession({ externalId: 'once' }, options),
      vouch.createSession({ externalId: 'once' }, options),
    ]);
    expect(one.session.id).toBe(two.session.id);
    for (let count = 0; count < 4; count += 1) await vouch.createSession({ externalId: 'many' });
    const ids = new Set<string>();
    for await (const { id } of vouch.iterateSessions({ externalId: 'many', limit: 2 })) ids.add(id);
    expect(ids.size).toBe(4);
  });

  test('reports the missing permission', async () => {
    const { secret } = await vouch.createKey({ permissions: ['sessions:read'] });
    const reader = new VouchClient({ baseUrl: readStack().api, apiKey: secret ?? '' });
    const error: unknown = await reader.createSession().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ code: 'forbidden', details: { permission: 'sessions:write' }, retryable: false });
  });
});

describe('the package', () => {
  const folder = path.resolve(__dirname, '..', '..', 'clients', 'typescript');

  test('packs its compiled files, and can be imported and required', async () => {
    // `npm test` passes the repository's ignore-scripts on in the environment; `prepack` compiles the package.
    const packing = ['pack', '--ignore-scripts=false', '--dry-run', '--json'];
    const packed = await execFileAsync('npm', packing, { cwd: folder });
    const [described] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n'))) as {
      files: { path: string }[];
    }[];
    const files = described?.files.map((file) => file.path) ?? [];
    expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md', 'package.json']));
    expect(files.filter((file) => file.startsWith('src'))).toEqual([]);
    const use = `const client = new VouchClient({ baseUrl: 'http://127.0.0.1', apiKey: 'k' });
      console.log(typeof client.createSession, typeof verifyWebhook);`;
    const entry = path.join(folder, 'dist', 'index.js');
    const asModule = `import { VouchClient, verifyWebhook } from '${entry}';\n${use}`;
    const asScript = `const { VouchClient, verifyWebhook } = require('${entry}');\n${use}`;
    const outputs = await Promise.all([
      execFileAsync(process.execPath, ['--input-type=module', '-e', asModule]),
      execFileAsync(process.execPath, ['--input-type=commonjs', '-e', asScript]),
    ]);
    expect(outputs.map(({ stdout }) => stdout)).toEqual(['function function\n', 'function function\n']);
  });
});
