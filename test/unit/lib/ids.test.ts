import { buildIdPattern, getIdTime, isId, newId } from '../../../lib/ids';

describe('ids', () => {
  test('a new id has the documented form and contains the time of its creation', () => {
    const before = Date.now();
    const id = newId('ses');
    expect(id).toMatch(new RegExp(buildIdPattern('ses')));
    expect(isId('ses', id)).toBe(true);
    expect(isId('chk', id)).toBe(false);
    expect(getIdTime(id).getTime()).toBeGreaterThanOrEqual(before);
  });

  test('the largest ULID is an id with a time', () => {
    const largest = `ses_7${'Z'.repeat(25)}`;
    expect(isId('ses', largest)).toBe(true);
    expect(getIdTime(largest).getTime()).toBe(2 ** 48 - 1);
  });

  test.each(['8', '9', 'A', 'Z'])('a text of more than 128 bits (first character %s) is not an id', (first) => {
    const text = `ses_${first}${'0'.repeat(25)}`;
    expect(isId('ses', text)).toBe(false);
    expect(text).not.toMatch(new RegExp(buildIdPattern('ses')));
  });
});
