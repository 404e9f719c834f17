import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from './chromium.mjs';
import { mongod } from './mongod.mjs';
import { resolveTool } from './resolver.mjs';
import { temporal } from './temporal.mjs';
import { temporalTestServer } from './temporal-test-server.mjs';
import { versitygw } from './versitygw.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Every external program, by the name it has in progress lines and in `npm run tools`. */
export const tools = { mongod, temporal, temporalTestServer, versitygw, chromium };

/** The cache of the toolchain: VOUCH_TOOLS_DIR, so that clones can share one, else `.vouch/tools`. */
export function toolsFolder(env = process.env) {
  return env.VOUCH_TOOLS_DIR ? path.resolve(env.VOUCH_TOOLS_DIR) : path.join(root, '.vouch', 'tools');
}

/** Where model weights are kept: MODELS_DIR, else `.vouch/models`. */
export function modelsFolder(env = process.env) {
  return env.MODELS_DIR ? path.resolve(env.MODELS_DIR) : path.join(root, '.vouch', 'models');
}

/**
 * Resolves one tool of the table above.
 * @param {keyof typeof tools} name
 * @param {{env?: NodeJS.ProcessEnv, fetchMissing?: boolean}} [options]
 */
export function resolve(name, { env = process.env, fetchMissing = true } = {}) {
  return resolveTool(tools[name], { dir: toolsFolder(env), env, fetchMissing });
}
