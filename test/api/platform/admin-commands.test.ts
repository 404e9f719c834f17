import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { readStack } from '../../support/stack';
import { runAdminCommand } from '../../support/commands';

const run = (...args: string[]) => runAdminCommand(args, { env: readStack().environment });

async function createOrganisation(): Promise<string> {
  const slug = `t-${randomUUID()}`;
  expect(await run('create-organisation', '--name', 'Commands Ltd', '--slug', slug)).toMatchObject({ code: 0 });
  return slug;
}

describe('npm run admin', () => {
  test('allow-egress needs to be given addresses, so that it removes none by mistake', async () => {
    const slug = await createOrganisation();
    const allowEgress = (...options: string[]) => run('allow-egress', '--organisation', slug, ...options);
    const added = await allowEgress('--add', 'hooks.internal:8443');
    expect(added).toMatchObject({ code: 0, report: { addresses: ['hooks.internal:8443'] } });
    const bare = await allowEgress();
    expect(bare.code).toBe(1);
    expect(bare.error).toMatch(/^--addresses or --add: is required/);
    // A port that does not exist would make every delivery of the organisation fail.
    const wrong = await allowEgress('--add', 'hooks.internal:99999');
    expect(wrong.code).toBe(1);
    expect(wrong.error).toMatch(/accepts host:port pairs/);
    const second = await allowEgress('--add', 'hooks.internal:9443', '--add', 'files.internal:443');
    expect(second.report).toEqual({ addresses: ['hooks.internal:8443', 'hooks.internal:9443', 'files.internal:443'] });
    expect((await allowEgress('--addresses', '')).report).toEqual({ addresses: [] });
  });

  test('create-key names an empty name or list of permissions', async () => {
    const slug = await createOrganisation();
    const createKey = (...options: string[]) =>
      run('create-key', '--organisation', slug, '--api', 'identity', ...options);
    const unnamed = await createKey('--name', ' ');
    expect(unnamed).toMatchObject({ code: 1, error: '--name: must not be empty\n' });
    const powerless = await createKey('--name', 'reader', '--permissions', '');
    expect(powerless).toMatchObject({ code: 1, error: '--permissions: must name at least one permission\n' });
  });

  test('worker-versions and promote-workers report without a stack while no worker has a build id', async () => {
    expect(await run('worker-versions')).toMatchObject({ code: 0, report: { versions: [] }, error: '' });
    const promoted = await run('promote-workers', 'no-such-build');
    expect(promoted.code).toBe(1);
    expect(promoted.error).toMatch(/^Temporal: .+\n$/);
  });
});

test('a command whose reader has seen enough, such as head, ends without an error', async () => {
  const child = spawn(process.execPath, [path.join('dist', 'scripts', 'admin.js'), 'pools'], {
    env: { ...process.env, ...readStack().environment },
  });
  // Before the command writes.
  child.stdout.destroy();
  let error = '';
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, error }).toEqual({ code: 0, error: '' });
});
