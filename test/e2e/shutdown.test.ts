import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { makeDemoImages } from '../../scripts/demo/images';
import { Check } from '../../models/identity/checks/check';
import { call } from '../support/client';
import { readStack } from '../support/stack';
import { closeTestPlatform, createTenant } from '../support/tenant';

afterAll(closeTestPlatform);

/** The port that an API process logs when it is listening. */
async function waitForPort(stdout: AsyncIterable<Buffer>): Promise<number> {
  let text = '';
  for await (const chunk of stdout) {
    text += chunk.toString('utf8');
    const port = /"port":(\d+),"msg":"API is listening"/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`The API ended: ${text}`);
}

test('on SIGTERM the API completes the pending request, accepts no other, and exits cleanly', async () => {
  const tenant = await createTenant('Shutdown');
  const { passport } = await makeDemoImages();
  const child = spawn(process.execPath, [path.resolve('dist/api/main.js')], {
    env: { ...process.env, ...readStack().environment, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const api = `http://127.0.0.1:${await waitForPort(child.stdout)}`;
    const first = await call('POST', '/v1/documents/id-verification?wait=0', {
      api,
      key: tenant.identityKey,
      form: { frontImage: passport },
    });
    const { check } = first.body as { check: { id: string } };
    const pending = call('POST', '/v1/documents/id-verification?wait=60', {
      api,
      key: tenant.identityKey,
      form: { frontImage: passport },
    });
    // The pending request has reached the API when its check is recorded in addition to the first.
    for (let seen = 1; seen < 2;) {
      seen = await Check.countDocuments({ organisationId: tenant.organisationId });
    }
    child.kill('SIGTERM');
    const response = await pending;
    expect(response.body).toMatchObject({ ok: true, check: { status: 'completed' } });
    expect((response.body as { check: { id: string } }).check.id).not.toBe(check.id);
    expect(await ended).toEqual([0, null]);
    await expect(call('GET', '/healthz', { api })).rejects.toThrow();
  } finally {
    child.kill('SIGKILL');
  }
});
