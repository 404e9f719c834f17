import mongoose from 'mongoose';
import { createRateLimiter } from '../../../lib/rate-limiter';

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
