import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../../../scripts/docs/repository';

const folder = path.join(PROJECT_ROOT, 'dist', 'web');

const chunkSchema = z.object({
  file: z.string(),
  css: z.array(z.string()).default([]),
  imports: z.array(z.string()).default([]),
  isDynamicEntry: z.boolean().default(false),
});

const manifest = z
  .record(z.string(), chunkSchema)
  .parse(JSON.parse(readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8')));

/** Files that the browser loads before the first page of an application is shown. */
function listInitialFiles(entry: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[entry];
  if (chunk === undefined) throw new Error(`The manifest has no ${entry}.`);
  for (const file of [chunk.file, ...chunk.css]) seen.add(file);
  for (const each of chunk.imports) listInitialFiles(each, seen);
  return seen;
}

/** Size as it is sent with gzip. */
const sumGzippedBytes = (entry: string): number =>
  [...listInitialFiles(entry)].reduce((sum, file) => sum + statSync(path.join(folder, `${file}.gz`)).size, 0);

describe('the bundles of the web applications', () => {
  test('the capture page loads at most 150 kB gzipped before the camera step', () => {
    expect(sumGzippedBytes('capture/index.html')).toBeLessThanOrEqual(150_000);
  });

  test('the console loads at most 350 kB gzipped before its first page', () => {
    expect(sumGzippedBytes('console/index.html')).toBeLessThanOrEqual(350_000);
  });

  test('every page of the console is a chunk of its own', () => {
    const pages = Object.entries(manifest).filter(([name]) => /^console\/.*-page\.tsx$/.test(name));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter(([, { isDynamicEntry }]) => !isDynamicEntry)).toEqual([]);
  });
});
