import { withPostingLock } from '../../../../services/business/documents/posting-lock';
import { Singletons } from '../../../../services/platform/singletons';

const platform = { singletons: new Singletons() };

test('postings of one organisation run one at a time in the order of the calls; another organisation does not wait', async () => {
  const events: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = withPostingLock(platform, 'a', async () => {
    events.push('first begins');
    await held;
    events.push('first ends');
  });
  const second = withPostingLock(platform, 'a', () => Promise.resolve(events.push('second')));
  await withPostingLock(platform, 'b', () => Promise.resolve(events.push('other')));
  release();
  await Promise.all([first, second]);
  expect(events).toEqual(['first begins', 'other', 'first ends', 'second']);
});

test('a failed posting releases the lock', async () => {
  const failed = withPostingLock(platform, 'c', () => Promise.reject(new Error('broken')));
  const next = withPostingLock(platform, 'c', () => Promise.resolve('next'));
  await expect(failed).rejects.toThrow('broken');
  await expect(next).resolves.toBe('next');
});

test('a posting that gets the lock after its deadline is rejected with Retry-After and does not run', async () => {
  const work = jest.fn(() => Promise.resolve());
  const late = withPostingLock(platform, 'd', work, Date.now() - 1);
  await expect(late).rejects.toMatchObject({ code: 'busy', status: 503, details: { retryAfterSeconds: 5 } });
  expect(work).not.toHaveBeenCalled();
  await expect(withPostingLock(platform, 'd', () => Promise.resolve('next'))).resolves.toBe('next');
});

test('each platform has its own locks', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = withPostingLock(platform, 'e', () => held);
  const other = { singletons: new Singletons() };
  await expect(withPostingLock(other, 'e', () => Promise.resolve('done'))).resolves.toBe('done');
  release();
  await first;
});
