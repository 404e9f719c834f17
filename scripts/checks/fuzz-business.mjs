import { root } from '../stack/home.mjs';
import { ENTRIES } from '../stack/service.mjs';
import { run } from '../toolchain/command.mjs';

const SLUG = 'fuzz';

/**
 * Makes an organisation of its own with a record of every kind, so that generated requests meet records: the documented
 * examples name each other by the number 1.
 * @param {{api: string, environment: Record<string, string>}} stack as its run file describes it
 * @returns {Promise<string>} an API key of it with every permission. No generated request takes it away: keys have long
 * random ids, and it belongs to no user or session.
 */
export async function openBusiness({ api, environment }) {
  const env = { ...process.env, ...environment, LOG_LEVEL: 'warn' };
  await admin(env, 'create-organisation', '--name', 'Fuzz Ltd', '--slug', SLUG);
  const { secret } = await admin(env, 'create-key', '--organisation', SLUG, '--api', 'business', '--name', 'Fuzz');
  await postExamples(api, secret);
  return secret;
}

async function admin(env, ...args) {
  const { stdout } = await run(process.execPath, [ENTRIES.admin, ...args], { cwd: root, env, timeoutSeconds: 120 });
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

/** Twice, since an example may name a record that is made further down the document. */
async function postExamples(api, key) {
  const document = await (await fetch(`${api}/openapi/business.json`)).json();
  for (let time = 0; time < 2; time += 1) {
    for (const [path, { post }] of Object.entries(document.paths)) {
      const example = post?.requestBody?.content['application/json']?.example;
      if (example === undefined || path.includes('{') || path.startsWith('/api/auth/')) continue;
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const body = JSON.stringify(example);
      const answer = await fetch(`${api}${path}`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
    }
  }
}
