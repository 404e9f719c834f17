import { StatementThreads } from '../../../../services/business/banking/statement-threads';
import type { StatementThreadLimits } from '../../../../services/business/banking/statement-threads';
import type { StatementFile } from '../../../../services/business/banking/statement-reader';
import { buildCamt053, buildCamtEntry } from '../../../support/business/banking/statements';

const LIMITS: StatementThreadLimits = { heapMegabytes: 192, maxMs: 60_000, maxWaitMs: 60_000 };

const buildFile = (entries: number): StatementFile => ({
  format: 'camt.053',
  bytes: Buffer.from(buildCamt053({ entries: [buildCamtEntry({ amount: '1.50', text: 'x' }).repeat(entries)] })),
  mapping: undefined,
  account: null,
  currencyCode: 'EUR',
});

/** Counts the turns of the event loop until a promise settles. */
async function countTurns(promise: Promise<unknown>): Promise<number> {
  let turns = 0;
  let settled = false;
  const settle = (): void => void (settled = true);
  const awaited = promise.then(settle, settle);
  while (!settled) {
    turns += 1;
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await awaited;
  return turns;
}

test('the event loop runs on while a file is read, and the statements have their amounts', async () => {
  const reading = new StatementThreads().read('org_a', buildFile(2000));
  expect(await countTurns(reading)).toBeGreaterThan(100);
  const [statement] = await reading;
  expect(statement?.transactions).toHaveLength(2000);
  expect(statement?.transactions[0]?.amount.toFixed()).toBe('1.5');
});

test('a file that needs more memory or time than a thread has is refused, and the next one is read', async () => {
  const threads = new StatementThreads();
  const large = buildFile(5000);
  await expect(threads.read('org_a', large, { ...LIMITS, heapMegabytes: 6 })).rejects.toThrow('takes too much memory');
  await expect(threads.read('org_a', large, { ...LIMITS, maxMs: 1 })).rejects.toThrow('takes more than 0.001 s');
  expect(await threads.read('org_a', buildFile(1), LIMITS)).toHaveLength(1);
});

test('one organisation has one thread at a time, so that files of another are read meanwhile', async () => {
  const threads = new StatementThreads();
  const impatient = { ...LIMITS, maxWaitMs: 1 };
  const first = threads.read('org_a', buildFile(5000), LIMITS);
  await expect(threads.read('org_a', buildFile(1), impatient)).rejects.toMatchObject({
    code: 'overloaded',
    status: 503,
  });
  expect(await threads.read('org_b', buildFile(1), impatient)).toHaveLength(1);
  expect(await first).toHaveLength(1);
});
