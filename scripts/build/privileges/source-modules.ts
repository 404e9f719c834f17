import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A top-level name of a module, such as a function, class or constant. */
export interface Declared {
  file: string;
  name: string;
}

interface SourceModule {
  /** Top-level declarations by name. */
  declarations: ReadonlyMap<string, ts.Node>;
  /** Imported names: local name to file and exported name; `*` for a whole module. */
  imports: ReadonlyMap<string, Declared>;
  /** Exported names that come from another module. */
  reexports: ReadonlyMap<string, Declared>;
  /** Modules whose every export is exported again. */
  starExports: readonly string[];
  /** Statements that run when the module is loaded. */
  statements: readonly ts.Statement[];
}

function listBoundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? listBoundNames(element.name) : []));
}

function listDeclarations(statement: ts.Statement): [string, ts.Node][] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((declaration) =>
      listBoundNames(declaration.name).map((name): [string, ts.Node] => [name, declaration]),
    );
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isNamed && statement.name !== undefined ? [[statement.name.text, statement]] : [];
}

/** The file of a relative import of this repository; null for a package. */
function resolveImport(from: string, specifier: ts.Expression): string | null {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return null;
  const base = path.resolve(path.dirname(from), specifier.text);
  return [`${base}.ts`, path.join(base, 'index.ts')].find((file) => existsSync(file)) ?? null;
}

function listImports(file: string, statement: ts.ImportDeclaration): [string, Declared][] {
  const target = resolveImport(file, statement.moduleSpecifier);
  const { importClause } = statement;
  if (target === null || importClause === undefined || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword)
    return [];
  const { name, namedBindings } = importClause;
  const named: [string, Declared][] = name === undefined ? [] : [[name.text, { file: target, name: 'default' }]];
  if (namedBindings === undefined) return named;
  if (ts.isNamespaceImport(namedBindings)) return [...named, [namedBindings.name.text, { file: target, name: '*' }]];
  const elements = namedBindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
  return [
    ...named,
    ...elements.map((element): [string, Declared] => [
      element.name.text,
      { file: target, name: (element.propertyName ?? element.name).text },
    ]),
  ];
}

/** The modules of this repository, parsed without resolving types. */
export class SourceModules {
  private readonly modules = new Map<string, SourceModule>();

  /** Parses a file once, however often it is imported. @param file absolute path */
  read(file: string): SourceModule {
    const known = this.modules.get(file);
    if (known !== undefined) return known;
    const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const reexports = new Map<string, Declared>();
    const starExports: string[] = [];
    for (const statement of statements.filter(ts.isExportDeclaration)) {
      const { moduleSpecifier, exportClause, isTypeOnly } = statement;
      const target = moduleSpecifier === undefined || isTypeOnly ? null : resolveImport(file, moduleSpecifier);
      if (target === null) continue;
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) starExports.push(target);
      else
        for (const { name, propertyName } of exportClause.elements)
          reexports.set(name.text, { file: target, name: (propertyName ?? name).text });
    }
    const parsed = {
      declarations: new Map(statements.flatMap(listDeclarations)),
      imports: new Map(statements.filter(ts.isImportDeclaration).flatMap((each) => listImports(file, each))),
      reexports,
      starExports,
      statements: statements.filter((each) => ts.isExpressionStatement(each) || ts.isIfStatement(each)),
    };
    this.modules.set(file, parsed);
    return parsed;
  }

  /** The declaration behind an exported name; null for a type. */
  findDeclaration({ file, name }: Declared): Declared | null {
    const { declarations, imports, reexports, starExports } = this.read(file);
    if (declarations.has(name)) return { file, name };
    const next = reexports.get(name) ?? imports.get(name);
    if (next !== undefined) return this.findDeclaration(next);
    for (const star of starExports) {
      const found = this.findDeclaration({ file: star, name });
      if (found !== null) return found;
    }
    return null;
  }

  /** What an identifier of a module refers to; null if it is neither declared nor imported there. */
  resolve(file: string, identifier: ts.Identifier): Declared | null {
    const { declarations, imports } = this.read(file);
    if (declarations.has(identifier.text)) return { file, name: identifier.text };
    const imported = imports.get(identifier.text);
    if (imported === undefined) return null;
    if (imported.name !== '*') return this.findDeclaration(imported);
    const { parent } = identifier;
    return ts.isPropertyAccessExpression(parent)
      ? this.findDeclaration({ file: imported.file, name: parent.name.text })
      : null;
  }
}
