/**
 * `npm run fuzz [-- --api=identity|business] [--examples=N] [--seed=N] [option of Schemathesis …]`: asks every operation
 * of openapi/*.json with generated input on a stack of its own. `npm test` does the same with fewer examples.
 */
import { APIS, fuzz } from './checks/fuzz.mjs';
import { startTestStack } from './checks/test-stack.mjs';
import { prepare } from './prepare.mjs';
import { createProgress } from './progress.mjs';

const EXAMPLES = 100;

function parse(argv) {
  const own = new RegExp(`^--(?:(?:examples|seed)=\\d+|api=(?:${APIS.join('|')}))$`);
  const given = Object.fromEntries(argv.flatMap((each) => (own.test(each) ? [each.slice(2).split('=')] : [])));
  return {
    apis: given.api === undefined ? APIS : [given.api],
    examples: Number(given.examples ?? EXAMPLES),
    seed: Number(given.seed ?? 1),
    more: argv.filter((each) => !own.test(each)),
  };
}

async function main() {
  const progress = createProgress();
  await prepare(progress, { env: process.env, forTests: true });
  const stack = await startTestStack(progress);
  let counts = { failed: 1 };
  try {
    counts = await fuzz(stack.environment.VOUCH_TEST_STACK, parse(process.argv.slice(2)), progress);
  } finally {
    await progress.step('stopping the stack', () => stack.stop(counts.failed > 0));
  }
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

await main();
