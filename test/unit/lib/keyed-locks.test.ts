import { KeyedLocks } from '../../../lib/keyed-locks';

/** Work that ends when `end` is called. */
function createWork(): { started: Promise<void>; end: () => void; work: () => Promise<void> } {
  let [start, end] = [(): void => undefined, (): void => undefined];
  const started = new Promise<void>((resolve) => (start = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  return {
    started,
    end: () => end(),
    work: () => {
      start();
      return ended;
    },
  };
}

test('work on one key runs one after another, in the order of the calls, and work on other keys at the same time', async () => {
  const locks = new KeyedLocks();
  const order: string[] = [];
  const first = createWork();
  const running = locks.run('a', async () => {
    await first.work();
    order.push('first');
  });
  const second = locks.run('a', () => Promise.resolve(order.push('second')));
  await locks.run('b', () => Promise.resolve(order.push('other')));
  first.end();
  await Promise.all([running, second]);
  expect(order).toEqual(['other', 'first', 'second']);
});

test('a lock is released after a failure', async () => {
  const locks = new KeyedLocks();
  await expect(locks.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await locks.run('a', () => Promise.resolve('next'))).toBe('next');
});

test('work with a limited wait runs without the lock once the wait is over', async () => {
  const locks = new KeyedLocks();
  const first = createWork();
  const running = locks.run('a', first.work);
  await first.started;
  expect(await locks.run('a', () => Promise.resolve('second'), 1)).toBe('second');
  first.end();
  await running;
});
