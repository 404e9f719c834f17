import { compareWithPrint } from '../../../../domain/identity/documents/agreement';
import { composeMrz } from '../../../../domain/identity/documents/mrz/compose';
import type { MrzContent } from '../../../../domain/identity/documents/mrz/compose';
import type { MrzFormat } from '../../../../domain/identity/documents/mrz/format';
import { parseMrz } from '../../../../domain/identity/documents/mrz/parse';
import { resolvePrintedExpiry } from '../../../../domain/identity/documents/permanent-validity';

const readExpiry = (format: MrzFormat, content: MrzContent): string | null => {
  const lines = composeMrz(format, {
    documentCode: 'ID',
    issuingState: 'ESP',
    nationality: 'ESP',
    name: 'ESPANOLA<ESPANOLA<<CARMEN',
    documentNumber: 'BAA000589',
    dateOfBirth: '440101',
    sex: 'F',
    expiryDate: '990101',
    ...content,
  });
  return parseMrz(lines, '2026-06-15')?.fields.expiryDate ?? null;
};

describe('a document without expiry', () => {
  test('is the Spanish identity card of holders of 70 and over, whose zone has the first day of 99', () => {
    const value = readExpiry('TD1', {});
    expect(value).toBe('9999-01-01');
    const own = { name: 'expiryDate', text: '01 01 9999', confidence: 0.95, sameLine: false } as const;
    expect(compareWithPrint({ name: 'expiryDate', value: value ?? '' }, [own], [own])).toMatchObject({ agrees: true });
  });

  test.each<[string, MrzFormat, MrzContent]>([
    ['a residence permit', 'TD1', { documentCode: 'IR' }],
    ['a passport', 'TD3', { documentCode: 'P' }],
    ['a card of another state', 'TD1', { issuingState: 'UTO' }],
  ])('is not %s with the same date', (_what, format, content) => {
    expect(readExpiry(format, content)).toBe('1999-01-01');
  });

  test('is one whose print states the day of its zone in the year 9999', () => {
    expect(resolvePrintedExpiry('1999-12-31', ['GÜLTIG BIS', '31.12.9999'])).toBe('9999-12-31');
    expect(resolvePrintedExpiry('1999-12-31', ['31.12.1999', '01.01.9999'])).toBe('1999-12-31');
    expect(resolvePrintedExpiry('2029-12-31', ['31.12.9999'])).toBe('2029-12-31');
    expect(resolvePrintedExpiry(null, ['31.12.9999'])).toBeNull();
  });
});
