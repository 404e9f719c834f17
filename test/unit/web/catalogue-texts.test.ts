import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENT_DOCS } from '../../../api/platform/webhooks/event-docs';
import { INVARIANTS } from '../../../domain/business/invariants/invariants';
import { PROJECT_ROOT } from '../../../scripts/docs/repository';

type Texts = { [key: string]: string | Texts };

/** Texts of the console by their keys; parts of a key are separated by dots. */
const listTexts = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : listTexts(value, `${prefix}${key}.`),
  );

const read = (language: string, name: string): Map<string, string> => {
  const file = path.join(PROJECT_ROOT, 'web', 'console', 'locales', language, `${name}.json`);
  return new Map(listTexts(JSON.parse(readFileSync(file, 'utf8')) as Texts));
};

const catalogues = {
  events: new Map(Object.entries(EVENT_DOCS).map(([type, { summary }]) => [type, summary])),
  invariants: new Map<string, string>(Object.entries(INVARIANTS)),
};

describe.each(Object.entries(catalogues))('the texts of %s in the console', (name, catalogue) => {
  test('are those of the API in English, and exist in German', () => {
    expect(read('en', name)).toEqual(catalogue);
    const german = read('de', name);
    expect([...german.keys()].sort()).toEqual([...catalogue.keys()].sort());
    expect([...german].filter(([key, text]) => text === '' || text === catalogue.get(key))).toEqual([]);
  });
});
