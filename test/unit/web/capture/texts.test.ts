import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CAPTURE_LANGUAGES } from '../../../../domain/identity/capture/consent-texts';

const folder = path.resolve('web/capture/locales');

type Texts = { [key: string]: string | Texts };

const readTexts = (language: string): Texts =>
  JSON.parse(readFileSync(path.join(folder, language, 'capture.json'), 'utf8')) as Texts;

/** Every text by its path, with the values that are inserted into it. */
const listTexts = (texts: Texts, prefix = ''): [string, string[]][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, [...value.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()]]
      : listTexts(value, `${prefix}${key}.`),
  );

test('the page has the languages in which the person can consent', () => {
  expect(readdirSync(folder).sort()).toEqual([...CAPTURE_LANGUAGES].sort());
});

test.each(CAPTURE_LANGUAGES)('the texts in %s are complete, with the same inserted values', (language) => {
  expect(new Map(listTexts(readTexts(language)))).toEqual(new Map(listTexts(readTexts('en'))));
});
