import { limitTime, settlesWithin } from '../../../lib/time-limits';

const never = new Promise<never>(() => undefined);

describe('settlesWithin', () => {
  test('is true as soon as the promise succeeds or fails', async () => {
    expect(await settlesWithin(Promise.resolve(1), 60_000)).toBe(true);
    expect(await settlesWithin(Promise.reject(new Error('It failed.')), 60_000)).toBe(true);
  });

  test('is false for a promise that is not settled in time, also if there is no time', async () => {
    expect(await settlesWithin(never, 1)).toBe(false);
    expect(await settlesWithin(never, -5)).toBe(false);
  });
});

describe('limitTime', () => {
  const createError = (): Error => new Error('It took too long.');

  test('settles as the promise does', async () => {
    expect(await limitTime(Promise.resolve(7), 60_000, createError)).toBe(7);
    await expect(limitTime(Promise.reject(new Error('It failed.')), 60_000, createError)).rejects.toThrow('It failed.');
  });

  test('rejects once the time has passed, and a later failure of the promise is not unhandled', async () => {
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_resolve, reject) => (fail = reject));
    await expect(limitTime(late, 1, createError)).rejects.toThrow('It took too long.');
    fail(new Error('It failed later.'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
