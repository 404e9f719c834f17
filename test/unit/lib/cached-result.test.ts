import { cacheResult } from '../../../lib/cached-result';

test('callers at the same time share one run, and later ones its result while it is kept', async () => {
  let runs = 0;
  const read = cacheResult(60_000, () => Promise.resolve((runs += 1)));
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(1);
});

test('a result that is not kept any more, and a failure, are read again', async () => {
  let runs = 0;
  const expired = cacheResult(0, () => Promise.resolve((runs += 1)));
  expect([await expired(), await expired()]).toEqual([1, 2]);
  const failing = cacheResult(60_000, () => {
    runs += 1;
    return runs === 3 ? Promise.reject(new Error('away')) : Promise.resolve(runs);
  });
  await expect(failing()).rejects.toThrow('away');
  expect(await failing()).toBe(4);
});
