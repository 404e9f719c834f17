import { waitForChange } from '../../../lib/change-feed';
import type { Waits } from '../../../lib/change-feed';

const WAIT_MS = 60_000;

const createWaits = (): Waits => ({ listeners: new Map(), ended: false });

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
    waits.listeners.get('sessions/ses_1')?.forEach((wake) => wake());
    await expect(waiting).rejects.toThrow('the record was deleted');
    expect(waits.listeners.size).toBe(0);
  });

  test('goes on while another one for the same record ends', async () => {
    const waits = createWaits();
    let stored: string | null = null;
    const waiting = waitForChange(waits, 'sessions/ses_1', WAIT_MS, () => Promise.resolve(stored));
    expect(await waitForChange(waits, 'sessions/ses_1', WAIT_MS, () => Promise.resolve('done'))).toBe('done');
    stored = 'approved';
    waits.listeners.get('sessions/ses_1')?.forEach((wake) => wake());
    expect(await waiting).toBe('approved');
    expect(waits.listeners.size).toBe(0);
  });
});
