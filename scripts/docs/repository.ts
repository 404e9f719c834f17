import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Folder of package.json, from the sources as well as from dist. */
function findProjectRoot(): string {
  let folder = __dirname;
  while (!readdirSync(folder).includes('package-lock.json')) folder = path.dirname(folder);
  return folder;
}

export const PROJECT_ROOT = findProjectRoot();

/** @param file path from the folder of package.json */
export const readProjectFile = (file: string): string => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');

/** Text of every TypeScript file below a folder, by its path from the project root. */
export function readSources(folder: string): Map<string, string> {
  const files = readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => path.posix.join(folder, file))
      .map((file) => [file, readProjectFile(file)]),
  );
}

const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).default([]),
  'x-permission': z.string().optional(),
  'x-addition': z.boolean().optional(),
});

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

export type ApiName = 'identity' | 'business';

export interface Operation {
  api: ApiName;
  operationId: string;
  summary: string;
  tag: string;
  method: string;
  /** `/v1/sessions/:id`. */
  path: string;
  permission: string | null;
  /** An extension of the specified contract. */
  addition: boolean;
}

/** Every operation of an OpenAPI document that is checked in. */
export function readOperations(api: ApiName): Operation[] {
  const { paths } = documentSchema.parse(JSON.parse(readProjectFile(`openapi/${api}.json`)));
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      api,
      operationId: operation.operationId,
      summary: operation.summary,
      tag: operation.tags[0] ?? 'Other',
      method: method.toUpperCase(),
      path: route.replace(/\{(\w+)\}/g, ':$1'),
      permission: operation['x-permission'] ?? null,
      addition: operation['x-addition'] ?? false,
    })),
  );
}
