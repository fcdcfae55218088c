/**
 * Expressions as Modelica text with as few parentheses as its grammar allows (Modelica 3.7, appendix A.2.7). The text is
 * for people: squares print as powers, added negative constants as subtractions. Depth is limited, because nobody reads a
 * thousand nested parentheses; what lies deeper prints as `…`.
 */
import type { Apply, Expr, Op, Pre, Ref } from './expr.ts';
import { numberText } from './text.ts';

/** How the text names things; what is not given is numbered. */
export interface Names {
  readonly nameOfSymbol: (symbol: number) => string;
  /** A symbol with subscripts; where it is not given they stand after the name. */
  readonly nameOfElement?: (symbol: number, subscripts: readonly string[]) => string;
  readonly nameOfFunction?: (fn: number) => string;
  readonly nameOfLocal?: (index: number) => string;
  readonly nameOfIterator?: (iterator: number) => string;
  /** The relation that a held Boolean stands for. */
  readonly nameOfRelation?: (relation: number) => string;
  /** Writes `der(der(x))` for `der(x, 2)`. */
  readonly nestedDerivatives?: boolean;
  /** Other names for functions. */
  readonly nameOfOperator?: (op: Op) => string | undefined;
  /** What is nested deeper prints as `…`; default 200. */
  readonly deepest?: number;
}

/** Long expressions are cut here: a message should stay readable. */
const usualDepth = 200;

export function printExpr(expr: Expr, names: Names): string {
  return new Printer(names).print(expr).text;
}

/** Binding strength, weakest first. Unary minus is a term in Modelica, weaker than a product. */
const strength = {
  if: 0,
  range: 1,
  or: 2,
  and: 3,
  not: 4,
  relation: 5,
  sum: 6,
  product: 7,
  power: 8,
  primary: 9,
} as const;

interface Printed {
  readonly text: string;
  readonly strength: number;
}

const infix: Partial<Record<Apply['op'], { readonly sign: string; readonly strength: number }>> = {
  sub: { sign: ' - ', strength: strength.sum },
  mul: { sign: '*', strength: strength.product },
  div: { sign: '/', strength: strength.product },
  matmul: { sign: '*', strength: strength.product },
  pow: { sign: '^', strength: strength.power },
  lt: { sign: ' < ', strength: strength.relation },
  le: { sign: ' <= ', strength: strength.relation },
  gt: { sign: ' > ', strength: strength.relation },
  ge: { sign: ' >= ', strength: strength.relation },
  eq: { sign: ' == ', strength: strength.relation },
  ne: { sign: ' <> ', strength: strength.relation },
  and: { sign: ' and ', strength: strength.and },
  or: { sign: ' or ', strength: strength.or },
};

/** Names of functions that differ from the operator's. */
const functionNames: Partial<Record<Apply['op'], string>> = {
  idiv: 'div',
  string: 'String',
  minOf: 'min',
  maxOf: 'max',
};

/** Reductions with iterators. */
const reductions: Partial<Record<Apply['op'], string>> = {
  sumOver: 'sum',
  productOver: 'product',
  minOver: 'min',
  maxOver: 'max',
};

class Printer {
  private readonly names: Names;
  private depth = 0;

  constructor(names: Names) {
    this.names = names;
  }

  print(expr: Expr): Printed {
    if (this.depth >= (this.names.deepest ?? usualDepth)) return primary('…');
    this.depth++;
    const printed = this.node(expr);
    this.depth--;
    return printed;
  }

  private node(expr: Expr): Printed {
    switch (expr.kind) {
      case 'const':
        return this.number(expr.value);
      case 'text':
        return primary(quoted(expr.value));
      case 'time':
        return primary('time');
      case 'ref': {
        const name = this.symbol(expr);
        if (expr.order === 0) return primary(name);
        if (this.names.nestedDerivatives)
          return primary('der('.repeat(expr.order) + name + ')'.repeat(expr.order));
        return primary(expr.order === 1 ? `der(${name})` : `der(${name}, ${expr.order})`);
      }
      case 'pre':
        return primary(`pre(${this.symbol(expr)})`);
      case 'held':
        return {
          text: this.names.nameOfRelation?.(expr.relation) ?? `$relation${expr.relation}`,
          strength: strength.relation,
        };
      case 'local': {
        const name = this.names.nameOfLocal?.(expr.index) ?? `$local${expr.index}`;
        return primary(name + this.subscripts(expr.subscripts));
      }
      case 'iter':
        return primary(this.names.nameOfIterator?.(expr.iterator) ?? `i${expr.iterator}`);
      case 'call': {
        const name = this.names.nameOfFunction?.(expr.fn) ?? `$function${expr.fn}`;
        const text = `${name}(${this.list(expr.args)})`;
        return primary(expr.output === 0 ? text : `${text}.${expr.output + 1}`);
      }
      case 'apply':
        return this.apply(expr);
    }
  }

  private symbol({ symbol, subscripts }: Ref | Pre): string {
    const { nameOfElement, nameOfSymbol } = this.names;
    if (subscripts.length === 0 || !nameOfElement) return nameOfSymbol(symbol) + this.subscripts(subscripts);
    return nameOfElement(
      symbol,
      subscripts.map((subscript) => this.print(subscript).text),
    );
  }

  private number(value: number): Printed {
    const text = Number.isFinite(value) ? String(value) : numberText(value);
    return value < 0 ? { text, strength: strength.sum } : primary(text);
  }

  private apply(node: Apply): Printed {
    const [a, b, c] = node.args as [Expr, Expr, Expr];
    switch (node.op) {
      case 'add':
        return this.sum(a, b);
      case 'neg':
        return { text: `-${this.at(a, strength.product)}`, strength: strength.sum };
      case 'not':
        return { text: `not ${this.at(a, strength.relation)}`, strength: strength.not };
      case 'if':
        return this.choice(a, b, c);
      case 'concat':
        return {
          text: node.args.map((arg) => this.at(arg, strength.sum)).join(' + '),
          strength: strength.sum,
        };
      case 'array':
        return primary(`{${this.list(node.args)}}`);
      case 'colon':
        return primary(':');
      case 'range':
        return this.range(a, b, c);
      case 'comprehension':
        return primary(`{${this.iterated(node)}}`);
      case 'subscript':
        return primary(this.at(a, strength.primary) + this.subscripts(node.args.slice(1)));
      default:
        return this.operator(node);
    }
  }

  private operator(node: Apply): Printed {
    const reduction = reductions[node.op];
    if (reduction) return primary(`${reduction}(${this.iterated(node)})`);
    const operator = infix[node.op];
    if (!operator) {
      const name = this.names.nameOfOperator?.(node.op) ?? functionNames[node.op] ?? node.op;
      return primary(`${name}(${this.list(node.args)})`);
    }
    const [a, b] = node.args as [Expr, Expr];
    if (node.op === 'mul' && a === b) {
      return { text: `${this.at(a, strength.primary)}^2`, strength: strength.power };
    }
    if (node.op === 'mul' && a.kind === 'const' && a.value < 0) {
      const rest = `${this.number(-a.value).text}*${this.at(b, strength.product + 1)}`;
      return { text: `-${rest}`, strength: strength.sum };
    }
    // Powers and relations do not associate; sums and products do to the left.
    const tight = node.op === 'pow' || operator.strength === strength.relation;
    const left = this.at(a, operator.strength + (tight ? 1 : 0));
    const right = this.at(b, operator.strength + 1);
    return { text: left + operator.sign + right, strength: operator.strength };
  }

  private sum(a: Expr, b: Expr): Printed {
    const left = this.at(a, strength.sum);
    const text =
      b.kind === 'const' && b.value < 0
        ? `${left} - ${this.number(-b.value).text}`
        : `${left} + ${this.at(b, strength.sum + 1)}`;
    return { text, strength: strength.sum };
  }

  private choice(condition: Expr, holds: Expr, fails: Expr): Printed {
    let text = `if ${this.print(condition).text} then ${this.print(holds).text}`;
    let rest = fails;
    while (rest.kind === 'apply' && rest.op === 'if') {
      text += ` elseif ${this.print(rest.args[0]!).text} then ${this.print(rest.args[1]!).text}`;
      rest = rest.args[2]!;
    }
    return { text: `${text} else ${this.print(rest).text}`, strength: strength.if };
  }

  private range(first: Expr, step: Expr, last: Expr): Printed {
    const parts = step.kind === 'const' && step.value === 1 ? [first, last] : [first, step, last];
    return { text: parts.map((part) => this.at(part, strength.or)).join(':'), strength: strength.range };
  }

  private iterated(node: Apply): string {
    const iterators: string[] = [];
    for (let k = 1; k < node.args.length; k += 2) {
      iterators.push(`${this.print(node.args[k]!).text} in ${this.print(node.args[k + 1]!).text}`);
    }
    return `${this.print(node.args[0]!).text} for ${iterators.join(', ')}`;
  }

  private at(expr: Expr, least: number): string {
    const printed = this.print(expr);
    return printed.strength < least ? `(${printed.text})` : printed.text;
  }

  private list(args: readonly Expr[]): string {
    return args.map((arg) => this.print(arg).text).join(', ');
  }

  private subscripts(subscripts: readonly Expr[]): string {
    return subscripts.length === 0 ? '' : `[${this.list(subscripts)}]`;
  }
}

const primary = (text: string): Printed => ({ text, strength: strength.primary });

/** A text as Modelica writes it (specification 3.6, section 2.3.3); characters without an escape sequence stand for themselves. */
export function quoted(value: string): string {
  const escaped = value
    .replace(/[\\"]/g, (c) => `\\${c}`)
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t');
  return `"${escaped}"`;
}
