import mongoose from 'mongoose';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createRateLimiter, createReservingRateLimiter } from '../../../lib/rate-limiter';

beforeAll(() => {
  // Operations fail immediately instead of waiting for a connection.
  mongoose.set('bufferCommands', false);
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(() => {
  mongoose.set('bufferCommands', true);
  jest.restoreAllMocks();
});

test('without a database each process counts on its own', async () => {
  const limiter = createRateLimiter('unreachable', 2);
  const verdicts = [await limiter.consume('a'), await limiter.consume('a'), await limiter.consume('a')];
  expect(verdicts.map(({ allowed, limit, remaining }) => [allowed, limit, remaining])).toEqual([
    [true, 2, 1],
    [true, 2, 0],
    [false, 2, 0],
  ]);
  expect(verdicts.every(({ resetSeconds }) => resetSeconds > 0 && resetSeconds <= 60)).toBe(true);
  expect((await limiter.consume('b')).allowed).toBe(true);
});

describe('a limit of many requests', () => {
  const LIMIT = 3000;
  const createStore = () => new RateLimiterMemory({ points: LIMIT, duration: 60 });

  test('is exact in one process, which counts them in the store less often than once in ten requests', async () => {
    const store = createStore();
    const counted = jest.spyOn(store, 'consume');
    const limiter = createReservingRateLimiter(store, LIMIT);
    const remaining: number[] = [];
    for (let request = 0; request < LIMIT - 256; request += 1) remaining.push((await limiter.consume('a')).remaining);
    expect(counted.mock.calls.length).toBeLessThan(LIMIT / 10);
    for (let request = 0; request < 256; request += 1) remaining.push((await limiter.consume('a')).remaining);
    expect(remaining).toEqual(Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index));
    expect(await limiter.consume('a')).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('is never exceeded by several processes, which lose at most a 32nd of it each', async () => {
    const store = createStore();
    const processes = [1, 2, 3].map(() => createReservingRateLimiter(store, LIMIT));
    let allowed = 0;
    // The first process sends until it is rejected while the others keep what they have reserved.
    for (const limiter of [...processes].reverse()) {
      for (let request = 0; request < 100; request += 1) allowed += (await limiter.consume('a')).allowed ? 1 : 0;
    }
    const [first] = processes;
    while ((await first?.consume('a'))?.allowed === true) allowed += 1;
    expect(allowed).toBeGreaterThanOrEqual(LIMIT * (1 - 2 / 32));
    const others = await Promise.all(
      processes.flatMap((limiter) => Array.from({ length: 200 }, () => limiter.consume('a'))),
    );
    expect(allowed + others.filter((result) => result.allowed).length).toBeLessThanOrEqual(LIMIT);
  });

  test('rejects none of the requests that come at the same time below it', async () => {
    const store = createStore();
    const limiter = createReservingRateLimiter(store, LIMIT);
    const sendTogether = (count: number) =>
      Promise.all(Array.from({ length: count }, async () => (await limiter.consume('a')).allowed));
    for (let wave = 0; wave < 5; wave += 1) expect(await sendTogether(100)).not.toContain(false);
    // What this process has reserved for later is still at most a 32nd.
    const { remaining } = await createReservingRateLimiter(store, LIMIT).consume('a');
    expect(remaining).toBeGreaterThanOrEqual(LIMIT - 501 - LIMIT / 32);
  });

  test('takes back a request', async () => {
    const limiter = createReservingRateLimiter(createStore(), LIMIT);
    for (const expected of [LIMIT - 1, LIMIT - 2, LIMIT - 3])
      expect((await limiter.consume('a')).remaining).toBe(expected);
    expect((await limiter.refund('a')).remaining).toBe(LIMIT - 2);
    expect((await limiter.consume('a')).remaining).toBe(LIMIT - 3);
  });
});
