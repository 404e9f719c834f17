import { readOperations, readSources } from './repository';
import type { Operation } from './repository';
import { collectSharedDeclarations, findRequestedPaths } from './requested-paths';
import type { RequestedPath } from './requested-paths';

/** How many literal parts of a route the path has, or null where it is the path of another route. */
function countLiteralParts(route: string, path: string): number | null {
  const expected = route.split('/');
  const parts = path.split('/');
  if (expected.length !== parts.length) return null;
  let literals = 0;
  for (const [index, part] of expected.entries()) {
    const actual = parts[index] ?? '';
    if (part.startsWith(':')) continue;
    // A computed query may follow the last part.
    if (actual !== part && !(index === parts.length - 1 && actual === `${part}*`)) return null;
    literals += 1;
  }
  return literals;
}

/** The operation that a request reaches; undefined where its method is needed to know it and is not visible. */
export function matchOperation(request: RequestedPath, operations: readonly Operation[]): Operation | undefined {
  const matches = operations.flatMap((operation) => {
    const literals = countLiteralParts(operation.path, request.path);
    return literals === null ? [] : [{ operation, literals }];
  });
  const best = Math.max(...matches.map(({ literals }) => literals));
  const specific = matches.filter(({ literals }) => literals === best).map(({ operation }) => operation);
  if (request.method !== null) return specific.find(({ method }) => method === request.method);
  return specific.length === 1 ? specific[0] : undefined;
}

const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** Operations that a test names in a comment, where its requests are composed in a way that cannot be read. */
const readAnnotations = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:\/\/|\*) Covers operations?: ([\w, ]+)\.?$/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );

/** `POST /v1/sessions`. */
export const formatRoute = ({ method, path }: Operation): string => `${method} ${path}`;

/** Test files by route, in alphabetical order. */
export function findOperationTests(): Map<string, string[]> {
  const sources = readSources('test');
  const shared = collectSharedDeclarations([...sources].filter(([file]) => !isTest(file)).map(([, text]) => text));
  const operations = [...readOperations('identity'), ...readOperations('business')];
  const tests = new Map(operations.map((operation) => [formatRoute(operation), new Set<string>()]));
  for (const [file, text] of sources) {
    if (!isTest(file) || file.startsWith('test/unit/') || file.startsWith('test/components/')) continue;
    const requested = findRequestedPaths(text, shared).map((request) => matchOperation(request, operations));
    const named = readAnnotations(text).map((name) => findOperation(name, operations, file));
    for (const operation of [...requested, ...named]) {
      if (operation !== undefined) tests.get(formatRoute(operation))?.add(file);
    }
  }
  return new Map([...tests].map(([route, files]) => [route, [...files].sort()]));
}

function findOperation(name: string, operations: readonly Operation[], file: string): Operation {
  const operation = operations.find(({ operationId }) => operationId === name);
  if (operation === undefined) throw new Error(`${file}: covers ${name}, which is no operation.`);
  return operation;
}
