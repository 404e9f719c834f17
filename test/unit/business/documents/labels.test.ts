import { DOCUMENT_LANGUAGES } from '../../../../domain/business/invoices/invoice';
import { fill, labelsFor } from '../../../../domain/business/documents/labels';
import { paymentTermsText } from '../../../../domain/business/documents/labels/payment-terms';
import { unitName } from '../../../../domain/business/documents/labels/units';
import { PAYMENT_TERMS_CODES } from '../../../../domain/business/payments/payment-terms';

const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe('the labels of a document', () => {
  test.each(DOCUMENT_LANGUAGES)('are complete in %s and keep the places of the English ones', (language) => {
    const english = labelsFor('en');
    const labels = labelsFor(language);
    expect(Object.keys(labels).sort()).toEqual(Object.keys(english).sort());
    for (const [name, text] of Object.entries<string>({ ...labels })) {
      expect([name, text.trim()]).not.toEqual([name, '']);
      const source = Object.entries<string>({ ...english }).find(([key]) => key === name)?.[1] ?? '';
      expect([name, placesOf(text)]).toEqual([name, placesOf(source)]);
    }
  });

  test.each(DOCUMENT_LANGUAGES)('name every payment condition in %s', (language) => {
    const texts = PAYMENT_TERMS_CODES.map((code) => paymentTermsText(language, code));
    expect(new Set(texts).size).toBe(PAYMENT_TERMS_CODES.length);
    expect(texts.join()).not.toContain('{');
  });

  test('fill only the places they are given values for', () => {
    expect(fill('Page {page} of {pages}', { page: '1' })).toBe('Page 1 of {pages}');
  });

  test('name units by their code and print an unknown code as it is', () => {
    expect(DOCUMENT_LANGUAGES.map((language) => unitName(language, 'H87'))).toEqual(['pcs', 'ud.', 'Stk.', 'pce']);
    expect(unitName('de', 'HUR')).toBe('h');
    expect(unitName('de', 'ZZ9')).toBe('ZZ9');
  });
});
