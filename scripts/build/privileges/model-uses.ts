import path from 'node:path';
import ts from 'typescript';
import { SourceModules } from './source-modules';
import type { Declared } from './source-modules';

/** One use of a mongoose model in code that a process can reach. */
export interface ModelUse {
  /** Name of the mongoose model. */
  model: string;
  /** The method that is called; null if the model is passed on as a value. */
  method: string | null;
  /** The function to which the model is passed; null if it is not an argument of a call. */
  passedTo: string | null;
  /** File of the use, relative to the repository. */
  file: string;
  /** Whether the declaration inserts what an update does not find. */
  upserts: boolean;
  /** Whether the declaration removes documents in a bulk write. */
  removes: boolean;
}

/** The name in `model('Name', …)`; null for any other declaration. */
function readModelName(declaration: ts.Node | undefined): string | null {
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return null;
  const { initializer } = declaration;
  if (initializer === undefined || !ts.isCallExpression(initializer)) return null;
  const [first] = initializer.arguments;
  const isModel = /(^|\.)model$/.test(initializer.expression.getText());
  return isModel && first !== undefined && ts.isStringLiteral(first) ? first.text : null;
}

/** Whether the identifier names a member or key, and so refers to nothing in its module. */
function isMemberName(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  const isKey =
    ts.isPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertyAccessExpression(parent);
  return isKey && parent.name === identifier;
}

const isType = (node: ts.Node): boolean =>
  ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);

/**
 * Finds every use of a model in the code that can be reached from some declarations: all that they name, all that those
 * name, and so on. This finds more than runs, never less, as long as nothing is looked up by a computed name.
 */
export class ModelUses {
  private readonly modules = new SourceModules();

  constructor(private readonly root: string) {}

  /** @param roots exported names with their files, relative to the repository */
  list(roots: readonly Declared[]): ModelUse[] {
    const uses: ModelUse[] = [];
    const reached = new Set<string>();
    const loaded = new Set<string>();
    const queue = roots.map(({ file, name }) => {
      const found = this.modules.findDeclaration({ file: path.join(this.root, file), name });
      if (found === null) throw new Error(`${file} does not declare ${name}.`);
      return found;
    });
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const key = `${next.file}#${next.name}`;
      if (reached.has(key)) continue;
      reached.add(key);
      const { declarations, statements } = this.modules.read(next.file);
      const nodes = [declarations.get(next.name), ...(loaded.has(next.file) ? [] : statements)];
      loaded.add(next.file);
      for (const node of nodes) if (node !== undefined) this.visit(next.file, node, node, { uses, queue });
    }
    return uses;
  }

  private visit(file: string, within: ts.Node, node: ts.Node, found: { uses: ModelUse[]; queue: Declared[] }): void {
    if (isType(node)) return;
    if (!ts.isIdentifier(node)) return ts.forEachChild(node, (child) => this.visit(file, within, child, found));
    if (isMemberName(node)) return;
    const target = this.modules.resolve(file, node);
    if (target === null) return;
    const model = readModelName(this.modules.read(target.file).declarations.get(target.name));
    if (model === null) return void found.queue.push(target);
    // The declaration of the model itself is no use of it.
    if (target.file === file && ts.isVariableDeclaration(node.parent)) return;
    const { parent } = node;
    const text = within.getText();
    found.uses.push({
      model,
      method: ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : null,
      passedTo: ts.isCallExpression(parent) && parent.expression !== node ? parent.expression.getText() : null,
      file: path.relative(this.root, file),
      upserts: /upsert: (?!false)/.test(text),
      removes: /deleteOne: |deleteMany: /.test(text),
    });
  }
}
