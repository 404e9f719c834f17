import { createWaits, noteChange, waitForChange } from '../../../lib/change-feed';

const WAIT_MS = 60_000;

describe('a wait for a change', () => {
  test('leaves nothing behind if the record cannot be read', async () => {
    const waits = createWaits();
    const read = () => Promise.reject(new Error('MongoDB does not respond'));
    await expect(waitForChange(waits, 'sessions/ses_1', WAIT_MS, read)).rejects.toThrow('MongoDB does not respond');
    expect(waits.listeners.size).toBe(0);
  });

  test('leaves nothing behind if the record cannot be read any more after a change', async () => {
    const waits = createWaits();
    const results = [Promise.resolve(null), Promise.reject(new Error('the record was deleted'))];
    results[1]?.catch(() => undefined);
    const waiting = waitForChange(waits, 'sessions/ses_1', WAIT_MS, () => results.shift() ?? Promise.resolve(null));
    await new Promise(setImmediate);
    noteChange(waits, 'sessions/ses_1');
    await expect(waiting).rejects.toThrow('the record was deleted');
    expect(waits.listeners.size).toBe(0);
  });

  test('goes on while another one for the same record ends', async () => {
    const waits = createWaits();
    let stored: string | null = null;
    const waiting = waitForChange(waits, 'sessions/ses_1', WAIT_MS, () => Promise.resolve(stored));
    expect(await waitForChange(waits, 'sessions/ses_1', WAIT_MS, () => Promise.resolve('done'))).toBe('done');
    stored = 'approved';
    noteChange(waits, 'sessions/ses_1');
    expect(await waiting).toBe('approved');
    expect(waits.listeners.size).toBe(0);
  });

  test('of a document that was unfinished reads it only once it has changed', async () => {
    const waits = createWaits();
    noteChange(waits, 'sessions/ses_1');
    await new Promise(setImmediate);
    let reads = 0;
    const read = () => Promise.resolve((reads += 1) > 0 ? 'approved' : null);
    const waiting = waitForChange(waits, 'sessions/ses_1', WAIT_MS, read, performance.now());
    await new Promise(setImmediate);
    expect(reads).toBe(0);
    noteChange(waits, 'sessions/ses_1');
    expect(await waiting).toBe('approved');
    expect(reads).toBe(1);
  });

  test('of a document that has changed since it was unfinished reads it at once', async () => {
    const waits = createWaits();
    const unfinishedAt = performance.now();
    noteChange(waits, 'sessions/ses_1');
    expect(await waitForChange(waits, 'sessions/ses_1', WAIT_MS, () => Promise.resolve('approved'), unfinishedAt)).toBe(
      'approved',
    );
  });
});
