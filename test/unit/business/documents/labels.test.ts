import { DOCUMENT_LANGUAGES } from '../../../../domain/business/invoices/invoice';
import { interpolate, getLabels } from '../../../../domain/business/documents/labels';
import { formatPaymentTerms } from '../../../../domain/business/documents/labels/payment-terms';
import { getUnitName } from '../../../../domain/business/documents/labels/units';
import { PAYMENT_TERMS_CODES } from '../../../../domain/business/payments/payment-terms';

const listPlaceholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe('the labels of a document', () => {
  test.each(DOCUMENT_LANGUAGES)('are complete in %s and have the same placeholders as in English', (language) => {
    const english = getLabels('en');
    const labels = getLabels(language);
    expect(Object.keys(labels).sort()).toEqual(Object.keys(english).sort());
    for (const [name, text] of Object.entries<string>({ ...labels })) {
      expect([name, text.trim()]).not.toEqual([name, '']);
      const source = Object.entries<string>({ ...english }).find(([key]) => key === name)?.[1] ?? '';
      expect([name, listPlaceholders(text)]).toEqual([name, listPlaceholders(source)]);
    }
  });

  test.each(DOCUMENT_LANGUAGES)('name every payment condition in %s', (language) => {
    const texts = PAYMENT_TERMS_CODES.map((code) => formatPaymentTerms(language, code));
    expect(new Set(texts).size).toBe(PAYMENT_TERMS_CODES.length);
    expect(texts.join()).not.toContain('{');
  });

  test('replace only placeholders that have a value', () => {
    expect(interpolate('Page {page} of {pages}', { page: '1' })).toBe('Page 1 of {pages}');
  });

  test('name units by their code and print an unknown code unchanged', () => {
    expect(DOCUMENT_LANGUAGES.map((language) => getUnitName(language, 'H87'))).toEqual(['pcs', 'ud.', 'Stk.', 'pce']);
    expect(getUnitName('de', 'HUR')).toBe('h');
    expect(getUnitName('de', 'ZZ9')).toBe('ZZ9');
  });
});
