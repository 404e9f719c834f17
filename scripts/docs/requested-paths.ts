import ts from 'typescript';
import { TextEvaluator } from './text-evaluator';
import type { Declarations, FunctionNode } from './text-evaluator';

/** A path that a test requests, with `*` for computed parts; `method` is null where it is not visible. */
export interface RequestedPath {
  method: string | null;
  path: string;
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

const parse = (text: string): ts.SourceFile => ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2022, true);

const isExported = (node: ts.FunctionDeclaration | ts.VariableStatement): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** Everything that a file declares, by name; the last declaration of a name wins. */
function collectDeclarations(source: ts.SourceFile): Declarations {
  const declarations: Declarations = new Map();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      declarations.set(node.name.text, node.initializer);
    }
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) declarations.set(node.name.text, node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return declarations;
}

/** What the files that tests share export, so that their constants and functions are known in every test. */
export function collectSharedDeclarations(texts: Iterable<string>): Declarations {
  const shared: Declarations = new Map();
  for (const text of texts) {
    for (const statement of parse(text).statements) {
      if (ts.isFunctionDeclaration(statement) && isExported(statement) && statement.name !== undefined) {
        shared.set(statement.name.text, statement);
      }
      if (!ts.isVariableStatement(statement) || !isExported(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name) && initializer !== undefined) shared.set(name.text, initializer);
      }
    }
  }
  return shared;
}

const isFunction = (node: ts.Node | undefined): node is FunctionNode =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionDeclaration(node));

function readCalleeName(call: ts.CallExpression): string {
  const callee = call.expression;
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : '';
}

function readMethodLiteral(nodes: readonly ts.Node[]): string | null {
  for (const node of nodes) {
    if (ts.isStringLiteralLike(node) && METHODS.has(node.text.toUpperCase())) return node.text.toUpperCase();
    if (!ts.isObjectLiteralExpression(node)) continue;
    for (const property of node.properties) {
      if (!ts.isPropertyAssignment(property) || property.name.getText() !== 'method') continue;
      const method = readMethodLiteral([property.initializer]);
      if (method !== null) return method;
    }
  }
  return null;
}

function readMethodName(name: string): string | null {
  const method = name === 'remove' ? 'DELETE' : name.toUpperCase();
  return METHODS.has(method) ? method : null;
}

const readCallMethod = (call: ts.CallExpression): string | null =>
  readMethodLiteral(call.arguments) ?? readMethodName(readCalleeName(call));

/** The method of the request in which a path is an argument, or the other element of a table's row. */
function findMethod(node: ts.Expression): string | null {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return readCallMethod(parent);
  if (ts.isArrayLiteralExpression(parent)) return readMethodLiteral(parent.elements);
  if (ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent)) return findMethod(parent);
  return null;
}

/** The path of a text such as `http://…/v1/sessions?limit=2` or `POST /v1/sessions`. */
function readPath(text: string, method: string | null): RequestedPath | null {
  const [, prefix, path = ''] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?\*?(\/(?:v1|api)\/.*)$/.exec(text) ?? [];
  const bare = path.split('?')[0] ?? '';
  return bare === '' ? null : { method: prefix ?? method, path: bare };
}

/** Finds the paths that one test file requests, also through functions that compose them from their arguments. */
class PathFinder {
  readonly found: RequestedPath[] = [];

  constructor(private readonly evaluator: TextEvaluator) {}

  visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) this.add(node, findMethod(node));
    if (ts.isCallExpression(node)) {
      const method = readCallMethod(node);
      for (const argument of node.arguments) {
        if (ts.isIdentifier(argument) || ts.isCallExpression(argument)) this.add(argument, method);
      }
      this.followCall(node);
    }
    ts.forEachChild(node, this.visit);
  };

  private add(node: ts.Expression, method: string | null): void {
    for (const text of this.evaluator.evaluate(node)) {
      const requested = readPath(text, method);
      if (requested !== null) this.found.push(requested);
    }
  }

  /** `ask('/aging')` where `const ask = (suffix) => call('GET', BASE + suffix)`. */
  private followCall(call: ts.CallExpression): void {
    const callee = ts.isIdentifier(call.expression) ? this.evaluator.find(call.expression.text) : undefined;
    if (!isFunction(callee)) return;
    const names = callee.parameters.map(({ name }) => name.getText());
    const texts = new Map(names.map((name, index) => [name, this.evaluateArgument(call.arguments[index])]));
    if (![...texts.values()].flat().some((text) => text !== '' && text !== '*')) return;
    const inner = this.evaluator.withTexts(texts);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const methods = readCallMethod(node) ?? node.arguments.flatMap((each) => inner.evaluate(each)).find(isMethod);
        for (const argument of node.arguments) {
          for (const text of inner.evaluate(argument)) {
            const requested = readPath(text, methods ?? null);
            if (requested !== null) this.found.push(requested);
          }
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(callee);
  }

  private evaluateArgument(node: ts.Expression | undefined): string[] {
    return node === undefined ? [''] : this.evaluator.evaluate(node);
  }
}

const isMethod = (text: string): boolean => METHODS.has(text);

/** Every path of the APIs that a test file requests. */
export function findRequestedPaths(text: string, shared: Declarations): RequestedPath[] {
  const source = parse(text);
  const finder = new PathFinder(new TextEvaluator(new Map([...shared, ...collectDeclarations(source)])));
  finder.visit(source);
  return finder.found;
}
