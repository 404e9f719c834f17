import ts from 'typescript';

export type FunctionNode = ts.ArrowFunction | ts.FunctionDeclaration;

/** What is declared where a text is evaluated, by name. */
export type Declarations = Map<string, ts.Expression | ts.FunctionDeclaration>;

const MAX_VARIANTS = 12;
const MAX_DEPTH = 6;

/** What cannot be known without running the code. */
const COMPUTED = ['*'];

const concatenate = (heads: readonly string[], tails: readonly string[]): string[] =>
  heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, MAX_VARIANTS);

/** Evaluates text expressions of the tests without running them. */
export class TextEvaluator {
  constructor(
    private readonly declarations: Declarations,
    private readonly texts: ReadonlyMap<string, string[]> = new Map(),
  ) {}

  /** The declaration of a name in the file or in what it imports; undefined for a parameter or an unknown name. */
  find(name: string): ts.Expression | ts.FunctionDeclaration | undefined {
    return this.declarations.get(name);
  }

  /** The same declarations with known texts for the parameters of a function. */
  withTexts(texts: ReadonlyMap<string, string[]>): TextEvaluator {
    return new TextEvaluator(this.declarations, texts);
  }

  /** Every text that the expression may have, with `*` in the place of computed parts. */
  evaluate(node: ts.Expression, depth = 0): string[] {
    if (depth > MAX_DEPTH) return COMPUTED;
    const next = depth + 1;
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) {
      return node.templateSpans.reduce<string[]>(
        (texts, span) => concatenate(concatenate(texts, this.evaluate(span.expression, next)), [span.literal.text]),
        [node.head.text],
      );
    }
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return this.evaluate(node.expression, next);
    if (ts.isConditionalExpression(node)) {
      return [...this.evaluate(node.whenTrue, next), ...this.evaluate(node.whenFalse, next)];
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      return concatenate(this.evaluate(node.left, next), this.evaluate(node.right, next));
    }
    if (ts.isIdentifier(node)) return this.evaluateName(node.text, next);
    return ts.isCallExpression(node) ? this.evaluateCall(node, next) : COMPUTED;
  }

  private evaluateName(name: string, depth: number): string[] {
    const text = this.texts.get(name);
    if (text !== undefined) return text;
    const declared = this.declarations.get(name);
    return declared === undefined || ts.isFunctionDeclaration(declared) ? COMPUTED : this.evaluate(declared, depth);
  }

  private evaluateCall(call: ts.CallExpression, depth: number): string[] {
    const declared = ts.isIdentifier(call.expression) ? this.declarations.get(call.expression.text) : undefined;
    if (declared === undefined || !ts.isArrowFunction(declared) || ts.isBlock(declared.body)) return COMPUTED;
    return this.evaluate(declared.body, depth);
  }
}
