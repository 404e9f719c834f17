import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export const PROJECT_ROOT = path.join(__dirname, '../..');

/** Cells of a table row. */
export type TableRow = string[];

/** Reads the tables of a page of the documentation, by the heading above each. */
export function readTables(page: string, mark: string): (heading: string) => TableRow[] {
  const text = readFileSync(path.join(PROJECT_ROOT, page), 'utf8');
  return (heading) => {
    const [, section = ''] = text.split(`${mark} ${heading}\n`);
    const table = section.split(/\n#/)[0] ?? '';
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    return rows.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  };
}

/** The names in code spans of a cell. */
export const parseCodeNames = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const openApiSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        'x-permission': z.string().optional(),
        'x-addition': z.boolean().optional(),
      }),
    ),
  ),
});

export interface DocumentedOperation {
  operationId: string;
  /** `GET /v1/sessions/:id`. */
  route: string;
  permission: string | null;
  /** Whether the operation is an addition to the original contract. */
  addition: boolean;
}

/** Every operation of a committed OpenAPI document. */
export function readOperations(document: string): DocumentedOperation[] {
  const { paths } = openApiSchema.parse(JSON.parse(readFileSync(path.join(PROJECT_ROOT, document), 'utf8')));
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      route: `${method.toUpperCase()} ${route.replace(/\{(\w+)\}/g, ':$1')}`,
      permission: operation['x-permission'] ?? null,
      addition: operation['x-addition'] ?? false,
    })),
  );
}

/** Names in the last cell that are not existing test files. */
export const findMissingTests = (row: TableRow): string[] =>
  parseCodeNames(row.at(-1)).filter(
    (file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(path.join(PROJECT_ROOT, file)),
  );

/** Text of every TypeScript file in a folder, by its path from the project root. */
export function readSources(folder: string): Map<string, string> {
  const files = readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(folder, file))
      .map((file) => [file, readFileSync(path.join(PROJECT_ROOT, file), 'utf8')]),
  );
}
