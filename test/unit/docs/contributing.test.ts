import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../scripts/docs/repository';

const FOLDERS = ['activities', 'api', 'bench', 'clients', 'domain', 'lib', 'models', 'scripts', 'services', 'test'];
const MORE_FOLDERS = ['training', 'web', 'workers', 'workflows'];
const OWN_FILE = path.basename(__filename);

/** The words of all sources, without this test. */
function readWords(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const folder of [...FOLDERS, ...MORE_FOLDERS]) {
    for (const file of readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:ts|tsx|mjs|cjs|js|py)$/.test(file) || /node_modules|^dist/.test(file) || file.endsWith(OWN_FILE))
        continue;
      for (const word of readFileSync(path.join(PROJECT_ROOT, folder, file), 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? [])
        words.add(word);
    }
  }
  return words;
}

/** Names of constants, functions and types: in capitals with underscores, or with a capital within. */
const IDENTIFIER = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]{2,}[A-Z]\w*|(?:[A-Z][a-z0-9]+){2,})$/;

/** The identifiers in the inline code of a page, and the functions and constants that its TypeScript snippets use. */
function listIdentifiers(page: string): string[] {
  const text = readFileSync(path.join(PROJECT_ROOT, page), 'utf8');
  const snippets = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code.replace(/\/\/.*$/gm, ''));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const used = snippets.join('\n').match(/\b[A-Za-z_]\w*(?=\()|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [];
  const named = inline.flatMap((code) => code.split(/[^\w$]+/));
  return [...new Set([...named, ...used])].filter((word) => IDENTIFIER.test(word));
}

test('every identifier that CONTRIBUTING.md names occurs in the code', () => {
  const identifiers = listIdentifiers('CONTRIBUTING.md');
  expect(identifiers).toEqual(expect.arrayContaining(['runIdempotently', 'RETAINED_COLLECTIONS', 'UnitOfWork']));
  const words = readWords();
  expect(identifiers.filter((identifier) => !words.has(identifier))).toEqual([]);
});
