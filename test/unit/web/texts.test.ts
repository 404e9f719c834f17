import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../scripts/docs/repository';

const FOLDERS = ['web/shared/locales', 'web/capture/locales', 'web/console/locales'];

/** Plural forms differ between languages: Arabic has six, German two. */
const PLURAL = /_(zero|one|two|few|many|other)$/;

const VARIABLE = /\{\{[^}]+\}\}/g;

/** The variables of each text by the path of its key; plural forms count as one key. */
function listTexts(value: unknown, key = ''): Map<string, string> {
  if (typeof value === 'string') {
    const variables = [...new Set(value.match(VARIABLE) ?? [])].sort().join(' ');
    return new Map([[key.replace(PLURAL, ''), PLURAL.test(key) ? '' : variables]]);
  }
  return new Map(
    Object.entries(value as object).flatMap(([name, each]) => [
      ...listTexts(each, key === '' ? name : `${key}.${name}`),
    ]),
  );
}

const read = (...parts: string[]): Map<string, string> =>
  listTexts(JSON.parse(readFileSync(path.join(PROJECT_ROOT, ...parts), 'utf8')));

const cases = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(PROJECT_ROOT, folder))
    .filter((language) => language !== 'en')
    .flatMap((language) =>
      readdirSync(path.join(PROJECT_ROOT, folder, 'en')).map((file) => ({ folder, language, file })),
    ),
);

describe('the texts of the web applications', () => {
  test.each(cases)(
    '$folder/$language/$file has the keys and variables of the English file',
    ({ folder, language, file }) => {
      expect(existsSync(path.join(PROJECT_ROOT, folder, language, file))).toBe(true);
      expect(read(folder, language, file)).toEqual(read(folder, 'en', file));
    },
  );
});
