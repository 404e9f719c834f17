import { Types } from 'mongoose';
import { serializeResponse } from '../../../api/business/serialization';
import { stripReadOnlyFields } from '../../../api/business/revisions';
import { Decimal } from '../../../domain/business/decimal';
import type { AppError } from '../../../domain/errors';

describe('serialisation of responses', () => {
  test('decimals of both types become numbers, times get the offset of the company, other values do not change', () => {
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

describe('sending back a response', () => {
  const current = { id: 7, stock: 3, name: 'A' };

  test('unchanged read-only fields are removed, all other fields are kept', () => {
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
