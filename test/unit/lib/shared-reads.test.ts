import { SharedReads } from '../../../lib/shared-reads';
import { pollUntilFound } from '../../support/poll';

/** Reads whose end the test decides. */
function createControlledReads(maxWaitMs = 60_000) {
  const begun: { key: string; end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const reads = new SharedReads(
    (key: string) => new Promise<string>((end, fail) => void begun.push({ key, end, fail })),
    maxWaitMs,
  );
  return { reads, begun };
}

/** Lets everything run that waits for promises which have settled. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('reads that are shared', () => {
  test('begin after the caller has called, and all that wait get one result', async () => {
    const { reads, begun } = createControlledReads();
    const first = reads.read('a');
    const waiting = [reads.read('a'), reads.read('a'), reads.read('a')];
    expect(begun).toHaveLength(1);
    begun[0]?.end('stored before');
    await settle();
    expect(begun).toHaveLength(2);
    const later = reads.read('a');
    begun[1]?.end('stored meanwhile');
    await settle();
    expect(begun).toHaveLength(3);
    begun[2]?.end('stored last');
    expect(await first).toBe('stored before');
    expect(await Promise.all(waiting)).toEqual(['stored meanwhile', 'stored meanwhile', 'stored meanwhile']);
    expect(await later).toBe('stored last');
  });

  test('are not kept once they have ended', async () => {
    const { reads, begun } = createControlledReads();
    const first = reads.read('a');
    begun[0]?.end('1');
    await first;
    const second = reads.read('a');
    expect(begun).toHaveLength(2);
    begun[1]?.end('2');
    expect(await second).toBe('2');
  });

  test('of other keys neither wait nor get the same result', async () => {
    const { reads, begun } = createControlledReads();
    const results = [reads.read('a'), reads.read('b')];
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
    begun[1]?.end('of b');
    begun[0]?.end('of a');
    expect(await Promise.all(results)).toEqual(['of a', 'of b']);
  });

  test('that fail are reported only to those that share them, and callers that wait read again', async () => {
    const { reads, begun } = createControlledReads();
    const first = reads.read('a');
    const waiting = [reads.read('a'), reads.read('a')];
    begun[0]?.fail(new Error('connection closed'));
    await expect(first).rejects.toThrow('connection closed');
    await settle();
    expect(begun).toHaveLength(2);
    begun[1]?.end('stored');
    expect(await Promise.all(waiting)).toEqual(['stored', 'stored']);
    void reads.read('a');
    expect(begun).toHaveLength(3);
  });

  test('that fail again are reported to all that wait, and the next caller reads again', async () => {
    const { reads, begun } = createControlledReads();
    const results = Promise.allSettled([reads.read('a'), reads.read('a'), reads.read('a')]);
    begun[0]?.fail(new Error('first'));
    await settle();
    begun[1]?.fail(new Error('second'));
    expect((await results).map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: first',
      'Error: second',
      'Error: second',
    ]);
    const next = reads.read('a');
    expect(begun).toHaveLength(3);
    begun[2]?.end('stored');
    expect(await next).toBe('stored');
  });

  test('that hang do not hold up the callers that have come since', async () => {
    const { reads, begun } = createControlledReads(0);
    const hanging = reads.read('a');
    const waiting = [reads.read('a'), reads.read('a')];
    await pollUntilFound(() => Promise.resolve(begun[1]));
    begun[1]?.end('stored');
    expect(await Promise.all(waiting)).toEqual(['stored', 'stored']);
    // However late it ends, it changes nothing for a read that runs then.
    const later = reads.read('a');
    begun[0]?.end('stored before');
    expect(await hanging).toBe('stored before');
    const last = reads.read('a');
    expect(begun).toHaveLength(3);
    begun[2]?.end('stored later');
    await pollUntilFound(() => Promise.resolve(begun[3]));
    begun[3]?.end('stored last');
    expect(await Promise.all([later, last])).toEqual(['stored later', 'stored last']);
  });
});
