/**
 * The launcher of the stack that the chaos suite disturbs. It differs from that of `npm start` in one point: the service
 * reaches its engines through the proxies of the suite, whose ports are in VOUCH_CHAOS_PROXIES.
 */
import { printFailure } from '../progress.mjs';
import { homeFolder } from '../stack/home.mjs';
import { launch } from '../stack/launch.mjs';
import { serve } from '../stack/serve.mjs';

const proxies = JSON.parse(process.env.VOUCH_CHAOS_PROXIES);

/** Replaces the ports of the engines in the environment of the service. @param {import('../stack/stack.mjs').Stack} stack */
function useProxies({ environment, ports }) {
  const replace = (name, port, proxy) => {
    environment[name] = environment[name].replace(`:${port}`, `:${proxy}`);
  };
  replace('MONGO_URL', ports.mongo, proxies.mongo);
  replace('TEMPORAL_ADDRESS', ports.temporal, proxies.temporal);
  replace('S3_ENDPOINT', ports.s3, proxies.s3);
}

/** @param {import('../stack/stack.mjs').Stack} stack */
function prepare(stack) {
  useProxies(stack);
  // The proxies end with the suite: without its engines, the service could not drain and would wait for its grace period.
  process.once('disconnect', () => stack.kill());
}

const home = homeFolder();
const options = { port: 0, workers: [], ephemeral: false, onEngines: prepare };
await launch(home, (context) => serve({ home, options, env: process.env, ...context })).catch(printFailure);
process.exit();
