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

/** What the bundler wrote of an application. @throws Error before `npm run build` */
export const readManifest = (application: 'capture' | 'console'): Manifest =>
  z
    .record(z.string(), chunkSchema)
    .parse(JSON.parse(readFileSync(path.join(folder, '.vite', `${application}.json`), 'utf8')));

function addFiles(manifest: Manifest, entry: string, seen: Set<string>): void {
  const chunk = manifest[entry];
  if (chunk === undefined) throw new Error(`The manifest has no ${entry}.`);
  if (seen.has(chunk.file)) return;
  for (const file of [chunk.file, ...chunk.css]) seen.add(file);
  for (const each of chunk.imports) addFiles(manifest, each, seen);
}

/** Scripts and styles that the browser loads for a page and what it needs. @param entries such as `console/index.html` */
export function listFiles(manifest: Manifest, ...entries: readonly string[]): string[] {
  const files = new Set<string>();
  for (const entry of entries) addFiles(manifest, entry, files);
  return [...files];
}

/** Bytes of files as they are sent with gzip. */
export const sumGzippedBytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + statSync(path.join(folder, `${file}.gz`)).size, 0);
