import { withPostingLock } from '../../../../services/business/documents/posting-queue';

const inOneMinute = (): number => Date.now() + 60_000;

test('postings of one organisation take turns in the order they came, those of another do not wait', async () => {
  const done: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = withPostingLock('a', inOneMinute(), async () => {
    await held;
    done.push('first');
  });
  const second = withPostingLock('a', inOneMinute(), () => Promise.resolve(done.push('second')));
  await withPostingLock('b', inOneMinute(), () => Promise.resolve(done.push('other')));
  release();
  await Promise.all([first, second]);
  expect(done).toEqual(['other', 'first', 'second']);
});

test('a turn that comes too late is refused with a time to wait, and one that failed lets the next go on', async () => {
  await expect(withPostingLock('c', inOneMinute(), () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  const late = withPostingLock('c', Date.now() - 1, () => Promise.resolve('never'));
  await expect(late).rejects.toMatchObject({ code: 'busy', status: 503, details: { retryAfterSeconds: 5 } });
  await expect(withPostingLock('c', inOneMinute(), () => Promise.resolve('next'))).resolves.toBe('next');
});
