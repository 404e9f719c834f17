import { randomBytes } from 'node:crypto';
import { root } from '../stack/home.mjs';
import { ENTRIES } from '../stack/service.mjs';
import { run } from '../toolchain/command.mjs';

/**
 * Creates an organisation with a record of every kind, so that generated requests refer to existing records: the
 * documented examples refer to each other by the id 1.
 * @param {{api: string, environment: Record<string, string>}} stack the content of its run.json
 * @returns {Promise<string>} an API key of the organisation with every permission. Generated requests do not revoke it:
 *   keys have long random ids, and this one belongs to no user or session.
 */
export async function createBusinessKey({ api, environment }) {
  const env = { ...process.env, ...environment, LOG_LEVEL: 'warn' };
  const slug = `fuzz-${randomBytes(4).toString('hex')}`;
  await runAdmin(env, 'create-organisation', '--name', 'Fuzz Ltd', '--slug', slug);
  const { secret } = await runAdmin(env, 'create-key', '--organisation', slug, '--api', 'business', '--name', 'Fuzz');
  await postExamples(api, secret);
  return secret;
}

async function runAdmin(env, ...args) {
  const { stdout } = await run(process.execPath, [ENTRIES.admin, ...args], { cwd: root, env, timeoutSeconds: 120 });
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

/** Posts every example twice, because an example may refer to a record that a later one creates. */
async function postExamples(api, key) {
  const document = await (await fetch(`${api}/openapi/business.json`)).json();
  for (let time = 0; time < 2; time += 1) {
    for (const [path, { post }] of Object.entries(document.paths)) {
      const example = post?.requestBody?.content['application/json']?.example;
      if (example === undefined || path.includes('{') || path.startsWith('/api/auth/')) continue;
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const body = JSON.stringify(example);
      const response = await fetch(`${api}${path}`, { method: 'POST', headers, body });
      await response.arrayBuffer();
    }
  }
}
