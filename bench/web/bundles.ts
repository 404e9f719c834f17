import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The built web applications. */
const folder = path.join(process.cwd(), 'dist', 'web');

const chunkSchema = z.object({
  file: z.string(),
  css: z.array(z.string()).default([]),
  imports: z.array(z.string()).default([]),
  isDynamicEntry: z.boolean().default(false),
});

export type Manifest = Record<string, z.output<typeof chunkSchema>>;

/** What the bundler wrote. @throws Error before `npm run build` */
export const readManifest = (): Manifest =>
  z
    .record(z.string(), chunkSchema)
    .parse(JSON.parse(readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8')));

/** Files that the browser loads before the first page of an application is shown. */
function listInitialFiles(manifest: Manifest, entry: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[entry];
  if (chunk === undefined) throw new Error(`The manifest has no ${entry}.`);
  for (const file of [chunk.file, ...chunk.css]) seen.add(file);
  for (const each of chunk.imports) listInitialFiles(manifest, each, seen);
  return seen;
}

/** Bytes of an application's first page as they are sent with gzip. @param entry such as `console/index.html` */
export const sumGzippedBytes = (manifest: Manifest, entry: string): number =>
  [...listInitialFiles(manifest, entry)].reduce((sum, file) => sum + statSync(path.join(folder, `${file}.gz`)).size, 0);
