import childProcess from 'node:child_process';
import { FairQueue } from '../../../activities/vision/decoding/fair-queue';
import { OrganisationBudget } from '../../../activities/vision/decoding/organisation-budget';
import { DecoderPool } from '../../../activities/vision/decoding/pool';
import { classifyError } from '../../../workers/attempts';
import { storeFile } from '../../support/identity/stored-files';

test('a fair queue takes the items of each organisation in turn, in their order', () => {
  const queue = new FairQueue<{ organisationId: string; number: number }>();
  for (const [organisationId, number] of [
    ['a', 1],
    ['a', 2],
    ['a', 3],
    ['b', 1],
    ['c', 1],
    ['b', 2],
  ] as const)
    queue.add({ organisationId, number });
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take())
    taken.push(`${item.organisationId}${item.number}`);
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(queue.isEmpty).toBe(true);
});

test('an organisation whose item was just taken waits for the others, also if it was the only one then', () => {
  const queue = new FairQueue<{ organisationId: string }>();
  queue.add({ organisationId: 'flood' });
  expect(queue.take()?.organisationId).toBe('flood');
  for (const organisationId of ['flood', 'flood', 'other']) queue.add({ organisationId });
  expect([queue.take(), queue.take(), queue.take()].map((item) => item?.organisationId)).toEqual([
    'other',
    'flood',
    'flood',
  ]);
});

describe('the processor time of an organisation', () => {
  let now = 0;
  const createBudget = () => new OrganisationBudget(() => now);

  test('is not counted for ordinary files', () => {
    const budget = createBudget();
    for (let file = 0; file < 1000; file += 1) budget.charge('a', 1.9);
    expect(budget.getDelay('a')).toBe(0);
  });

  test('delays its own files after a few that need much, and those of no other', () => {
    const budget = createBudget();
    budget.charge('a', 6);
    budget.charge('a', 6);
    expect(budget.getDelay('a')).toBe(0);
    budget.charge('a', 6);
    const delay = budget.getDelay('a');
    expect(delay).toBeGreaterThan(0);
    expect([budget.getDelay('b'), budget.getDelay(null)]).toEqual([0, 0]);
    now += delay;
    expect(budget.getDelay('a')).toBe(0);
  });

  test('delays an ordinary file of a busy organisation as often as necessary: it is never counted as failed', async () => {
    const budget = createBudget();
    budget.charge('a', 100);
    const pool = new DecoderPool(1, {}, budget);
    const error: unknown = await pool
      .decode(storeFile(Buffer.from([0xff, 0xd8, 0xff]), 'a'), { longSide: 64 })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'decoding_delayed' });
    expect(classifyError(error)).toBe('delayed');
  });
});

describe('a decoder whose process cannot be started', () => {
  const decode = (): Promise<unknown> => {
    const pool = new DecoderPool(1);
    return pool
      .decode(storeFile(Buffer.from([0xff, 0xd8, 0xff]), 'a'), { longSide: 64 })
      .catch((reason: unknown) => reason)
      .finally(() => pool.close());
  };

  test('is no fault of the file: it is tried again until the process can be started', async () => {
    const executable = process.execPath;
    process.execPath = '/no/such/executable';
    const error = await decode().finally(() => {
      process.execPath = executable;
    });
    expect(error).toMatchObject({ code: 'unavailable', status: 503 });
    expect(classifyError(error)).toBe('unlimited');
  });

  test('leaves no file without an answer if Node reports the shortage by an exception', async () => {
    const spy = jest.spyOn(childProcess, 'fork').mockImplementation(() => {
      throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
    });
    const error = await decode().finally(() => spy.mockRestore());
    expect(classifyError(error)).toBe('unlimited');
  });
});
