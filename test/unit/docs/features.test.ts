import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT, readProjectFile } from '../../../scripts/docs/repository';

const AREAS = ['identity', 'business', 'platform'] as const;
const LAYERS = ['domain', 'models', 'services', 'api'] as const;

const listFolders = (folder: string): string[] =>
  existsSync(path.join(PROJECT_ROOT, folder))
    ? readdirSync(path.join(PROJECT_ROOT, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];

/** The feature folders of an area, of all layers. */
const listFeatures = (area: string): string[] =>
  [...new Set(LAYERS.flatMap((layer) => listFolders(`${layer}/${area}`)))].sort();

const listNames = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/**
 * The features that a table of a page names for an area. A row without an area continues the one above; the rows of
 * `every area` count for each.
 */
function listDocumented(file: string, area: string): string[] {
  const found = new Set<string>();
  let current = '';
  for (const line of readProjectFile(file).split('\n')) {
    const [, first, features] = /^\|([^|]*)\|([^|]*)\|/.exec(line) ?? [];
    if (first === undefined || features === undefined) {
      current = '';
      continue;
    }
    if (first.trim() !== '') current = first.trim();
    if (current === `\`${area}\`` || current === 'every area') for (const name of listNames(features)) found.add(name);
  }
  return [...found].sort();
}

describe.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s', (file) => {
  test.each(AREAS)('names every feature folder of %s, and no other', (area) => {
    expect(listDocumented(file, area)).toEqual(listFeatures(area));
  });
});
