import { randomBytes } from 'node:crypto';
import { root } from '../stack/home.mjs';
import { ENTRIES } from '../stack/service.mjs';
import { run } from '../toolchain/command.mjs';

/**
 * Creates an organisation for generated requests, so that they do not change records of tests that run at the same time.
 * @param {{environment: Record<string, string>}} stack the content of its run.json
 * @returns {Promise<(api: string) => Promise<string>>} creates an API key with every permission. Generated requests do not
 *   revoke it: keys have long random ids, and this one belongs to no user or session.
 */
export async function createFuzzOrganisation({ environment }) {
  const env = { ...process.env, ...environment, LOG_LEVEL: 'warn' };
  const slug = `fuzz-${randomBytes(4).toString('hex')}`;
  await runAdmin(env, 'create-organisation', '--name', 'Fuzz Ltd', '--slug', slug);
  return async (api) =>
    (await runAdmin(env, 'create-key', '--organisation', slug, '--api', api, '--name', 'Fuzz')).secret;
}

async function runAdmin(env, ...args) {
  const { stdout } = await run(process.execPath, [ENTRIES.admin, ...args], { cwd: root, env, timeoutSeconds: 120 });
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

/**
 * Creates a business record of every kind, so that generated requests refer to existing records: the documented examples
 * refer to each other by the id 1. Every example is posted twice, because one may refer to a record of a later one.
 * @param {string} api address of the API
 * @param {string} key
 */
export async function postExamples(api, key) {
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
