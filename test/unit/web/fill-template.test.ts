import { fillTemplate as fillByApi, PLACEHOLDERS } from '../../../domain/business/messages/templates';
import { fillTemplate, SAMPLE_VALUES } from '../../../web/console/business/messages/fill-template';

test('the preview of a message is the text that the API sends', () => {
  const text = 'Dear {{customerName}},\n{{fee}}\n{{ total }} of {{documentNumber}}: {{companyName}}{{fee}}\n\nEnd';
  const samples = Object.fromEntries(Object.keys(PLACEHOLDERS).map((name) => [name, SAMPLE_VALUES[name] ?? '']));
  const values = { ...samples, fee: '', companyName: '{{total}}' } as Record<keyof typeof PLACEHOLDERS, string>;
  expect(fillTemplate(text, values)).toBe(fillByApi({ subject: 'S', text }, values).text.trimEnd());
});

test('the preview knows every placeholder of the API', () => {
  expect(Object.keys(SAMPLE_VALUES)).toEqual(Object.keys(PLACEHOLDERS));
});
