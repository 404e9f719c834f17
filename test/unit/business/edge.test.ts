import { Types } from 'mongoose';
import { serializeResponse } from '../../../api/business/responses';
import { stripReadOnlyFields } from '../../../api/business/revisions';
import { Decimal } from '../../../domain/business/decimal';
import type { AppError } from '../../../domain/errors';
import { withPostingLock } from '../../../services/business/documents/posting-queue';

describe('what leaves the API', () => {
  test('decimals of either kind become numbers, instants carry the company’s offset, the rest stays', () => {
    const body = {
      data: [
        {
          price: Types.Decimal128.fromString('1E+2'),
          cost: new Decimal('0.000001'),
          at: new Date('2026-07-01T00:00:00Z'),
        },
        { name: 'A', none: null, list: [true, Types.Decimal128.fromString('-3.50')] },
      ],
      totalCount: 2,
    };
    expect(serializeResponse(body, 'Europe/Berlin')).toEqual({
      data: [
        { price: 100, cost: 0.000001, at: '2026-07-01T02:00:00.000+02:00' },
        { name: 'A', none: null, list: [true, -3.5] },
      ],
      totalCount: 2,
    });
  });
});

describe('putting back what was read', () => {
  const current = { id: 7, stock: 3, name: 'A' };

  test('read-only fields as they were read are dropped, whatever else is sent is kept', () => {
    expect(stripReadOnlyFields({ id: 7, stock: 3, name: 'B' }, current, ['id', 'stock'])).toEqual({ name: 'B' });
  });

  test('each changed read-only field is named', () => {
    expect(() => stripReadOnlyFields({ id: 8, stock: null, name: 'B' }, current, ['id', 'stock'])).toThrow(
      expect.objectContaining({
        status: 400,
        details: { fields: [expect.objectContaining({ field: 'id' }), expect.objectContaining({ field: 'stock' })] },
      }) as AppError,
    );
  });
});

describe('the posting turn', () => {
  const later = Date.now() + 60_000;

  test('one at a time and in order for one organisation, at once for two', async () => {
    const events: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = withPostingLock('a', later, async () => {
      events.push('a1 begins');
      await held;
      events.push('a1 ends');
    });
    const second = withPostingLock('a', later, async () => Promise.resolve(events.push('a2')));
    await withPostingLock('b', later, async () => Promise.resolve(events.push('b1')));
    release();
    await Promise.all([first, second]);
    expect(events).toEqual(['a1 begins', 'b1', 'a1 ends', 'a2']);
  });

  test('a failure passes the turn on', async () => {
    const failed = withPostingLock('c', later, () => Promise.reject(new Error('refused')));
    const next = withPostingLock('c', later, () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('refused');
    await expect(next).resolves.toBe('done');
  });

  test('a turn that comes too late is 503 with Retry-After and does nothing', async () => {
    const work = jest.fn(() => Promise.resolve());
    const late = withPostingLock('d', Date.now() - 1, work);
    await expect(late).rejects.toMatchObject({ status: 503, details: { retryAfterSeconds: 5 } });
    expect(work).not.toHaveBeenCalled();
  });
});
