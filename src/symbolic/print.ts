/**
 * Expressions as Modelica text with as few parentheses as its grammar allows (Modelica 3.7, appendix A.2.7). Squares print as
 * powers, added negative constants as subtractions. Depth is limited, because nobody reads a thousand nested parentheses; what lies
 * deeper prints as `…`.
 *
 * Where types are known (`Names.typing`), the text means the same when it is read again: operators on arrays are those of elements where
 * that is meant, 0 and 1 are `false` and `true` where Booleans are wanted, Booleans are numbers where numbers are, and what has no
 * notation in Modelica is said in other words. Without types the text is for messages.
 */
import { sameItems } from '../collections/lists.ts';
import { numberLiteral, stringLiteral } from '../names/literals.ts';
import type { Apply, Call, Expr, Pre, Ref } from './expr.ts';
import type { ValueType } from './function.ts';
import { setOf } from './operators.ts';
import { numberText, usualDigits } from './text.ts';
import type { Typing } from './typing.ts';

/** How the text names things; what is not given is numbered. */
export interface Names {
  readonly nameOfSymbol: (symbol: number) => string;
  /** A symbol with subscripts; where it is not given they stand after the name. */
  readonly nameOfElement?: (symbol: number, subscripts: readonly string[]) => string;
  /** A function, by the output that is asked for; where all outputs have one name, they are numbered. */
  readonly nameOfFunction?: (fn: number, output: number) => string;
  /** Whether calls of a function are written as `pure(…)`. */
  readonly isPurified?: (fn: number) => boolean;
  readonly nameOfLocal?: (index: number) => string;
  readonly nameOfIterator?: (iterator: number) => string;
  /** The relation that a held Boolean stands for. */
  readonly nameOfRelation?: (relation: number) => string;
  /** The name of a value of a symbol whose values have names; only where types are not known. */
  readonly nameOfValue?: (symbol: number, value: number) => string | undefined;
  /** Words for what has some of its own. */
  readonly phrase?: (expr: Expr) => string | undefined;
  /** What is nested deeper prints as `…`; default 200. */
  readonly deepest?: number;
  /** Makes the text one that can be read again. */
  readonly typing?: Typing;
}

/** Long expressions are cut here: a message should stay readable. */
const usualDepth = 200;

/** What a value is to be: of a type, or one of those that a variable can have. */
type Wanted = ValueType | { readonly symbol: number };

/** The text of an expression, which stands where a value of the type `wanted` does. */
export function printExpr(expr: Expr, names: Names, wanted?: Wanted): string {
  return new Printer(names).print(expr, wanted).text;
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
  private readonly typing: Typing | undefined;
  private depth = 0;

  constructor(private readonly names: Names) {
    this.typing = names.typing;
  }

  print(expr: Expr, wanted?: Wanted): Printed {
    if (this.depth >= (this.names.deepest ?? usualDepth)) return primary('…');
    this.depth++;
    const { typing } = this;
    const printed =
      typing && typeof wanted === 'string' ? this.converted(expr, wanted, typing) : this.node(expr, wanted);
    this.depth--;
    return printed;
  }

  /** Between Booleans and numbers, and from Reals to Integers, Modelica converts nothing by itself. */
  private converted(expr: Expr, wanted: ValueType, typing: Typing): Printed {
    if (wanted === 'Boolean') {
      if (expr.kind === 'const') return primary(expr.value === 0 ? 'false' : 'true');
      if (spreads(expr) || typing.isBoolean(expr)) return this.node(expr, wanted);
      return { text: `${this.at(expr, strength.sum)} <> 0`, strength: strength.relation };
    }
    if (wanted !== 'Integer' && wanted !== 'Real') return this.node(expr, wanted);
    if (typing.isBoolean(expr) && typing.rank(expr) === 0)
      return { text: `if ${this.print(expr, 'Boolean').text} then 1 else 0`, strength: strength.if };
    if (wanted === 'Real' || typing.type(expr) !== 'Real' || spreads(expr)) return this.node(expr, wanted);
    if (expr.kind === 'apply' && expr.op === 'floor') return primary(`integer(${this.list(expr.args)})`);
    return primary(`integer(${this.print(expr).text})`);
  }

  private node(expr: Expr, wanted?: Wanted): Printed {
    const phrase = this.names.phrase?.(expr);
    if (phrase !== undefined) return primary(phrase);
    switch (expr.kind) {
      case 'const':
        return this.named(expr.value, wanted) ?? this.number(expr.value);
      case 'text':
        return primary(stringLiteral(expr.value));
      case 'time':
        return primary('time');
      case 'ref': {
        const name = this.symbol(expr);
        if (expr.order === 0) return primary(name);
        if (this.typing) return primary('der('.repeat(expr.order) + name + ')'.repeat(expr.order));
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
      case 'call':
        return this.call(expr);
      case 'apply':
        return this.apply(expr, wanted);
    }
  }

  private call({ fn, output, args }: Call): Printed {
    const nameOf = this.names.nameOfFunction ?? ((k) => `$function${k}`);
    const inputs = this.typing?.inputs(fn) ?? [];
    const name = nameOf(fn, output);
    const plain = `${name}(${args.map((arg, k) => this.print(arg, inputs[k]?.type).text).join(', ')})`;
    const text = this.names.isPurified?.(fn) ? `pure(${plain})` : plain;
    const isNumbered = output > 0 && name === nameOf(fn, 0);
    return primary(isNumbered ? `${text}.${output + 1}` : text);
  }

  private symbol({ symbol, subscripts }: Ref | Pre): string {
    const { nameOfElement, nameOfSymbol } = this.names;
    if (subscripts.length === 0 || !nameOfElement) return nameOfSymbol(symbol) + this.subscripts(subscripts);
    const indices = subscripts.map((subscript) => this.print(subscript, 'Integer').text);
    return nameOfElement(symbol, indices);
  }

  private named(value: number, wanted: Wanted | undefined): Printed | undefined {
    const name = typeof wanted === 'object' ? this.names.nameOfValue?.(wanted.symbol, value) : undefined;
    return name === undefined ? undefined : primary(name);
  }

  private number(value: number): Printed {
    if (!Number.isFinite(value)) return this.noNumber(value);
    const text = numberLiteral(value);
    return text.startsWith('-') ? { text, strength: strength.sum } : primary(text);
  }

  /** What no literal stands for, such as the value of a subscript outside of its array. */
  private noNumber(value: number): Printed {
    if (!this.typing) return primary(numberText(value));
    const text = Number.isNaN(value) ? '0/0' : value > 0 ? '1/0' : '-1/0';
    return { text, strength: value < 0 ? strength.sum : strength.product };
  }

  private apply(node: Apply, wanted: Wanted | undefined): Printed {
    const [a, b, c] = node.args as [Expr, Expr, Expr];
    switch (node.op) {
      case 'add':
        return this.sum(a, b);
      case 'neg':
        return { text: `-${this.at(a, strength.product, this.value())}`, strength: strength.sum };
      case 'not':
        return { text: `not ${this.at(a, strength.relation, 'Boolean')}`, strength: strength.not };
      case 'if':
        return this.choice(a, b, c, this.context(node, wanted));
      case 'concat':
        return {
          text: node.args.map((arg) => this.at(arg, strength.sum)).join(' + '),
          strength: strength.sum,
        };
      case 'string':
      case 'pad':
        return this.stringCall(node.args);
      case 'format':
        return primary(`String(${this.print(a).text}, format = ${this.print(b).text})`);
      case 'exact':
        return this.print(a, this.typing ? 'Integer' : wanted);
      case 'array':
        if (node.args.length === 0) return primary('fill(0, 0)');
        return primary(`{${this.list(node.args, this.context(node, wanted))}}`);
      case 'colon':
        return primary(':');
      case 'range':
        return this.range(a, b, c);
      case 'comprehension':
        return primary(`{${this.iterated(node, wanted)}}`);
      case 'subscript':
        return primary(this.selected(a, wanted) + this.subscripts(node.args.slice(1)));
      case 'promote':
        return this.promoted(a, b, wanted);
      case 'fill':
        return primary(
          `fill(${this.print(a, this.context(node, wanted)).text}, ${this.list(node.args.slice(1))})`,
        );
      case 'cat':
        return primary(
          `cat(${this.print(a).text}, ${this.list(node.args.slice(1), this.context(node, wanted))})`,
        );
      case 'smooth':
        return primary(`smooth(${this.print(a).text}, ${this.print(b, this.context(node, wanted)).text})`);
      default:
        return this.operator(node, wanted);
    }
  }

  /** What is wanted of operands that have the type of the result: at least that they agree. */
  private context(node: Expr, wanted: Wanted | undefined): Wanted | undefined {
    return wanted ?? this.typing?.type(node);
  }

  /** What is wanted of operands of arithmetic. */
  private value(): ValueType | undefined {
    return this.typing && 'Real';
  }

  private operator(node: Apply, wanted: Wanted | undefined): Printed {
    const reduction = reductions[node.op];
    if (reduction) return primary(`${reduction}(${this.iterated(node, this.value())})`);
    const operator = infix[node.op];
    if (!operator) {
      const own = spreads(node) ? this.context(node, wanted) : this.operandType(node);
      return primary(`${functionNames[node.op] ?? node.op}(${this.list(node.args, own)})`);
    }
    const [a, b] = comparedTexts(node) ?? (node.args as [Expr, Expr]);
    if (node.op === 'mul' && a === b && this.isSquare(a)) {
      return { text: `${this.at(a, strength.primary, this.value())}^2`, strength: strength.power };
    }
    if (node.op === 'mul' && a.kind === 'const' && a.value < 0) {
      const rest = `${this.number(-a.value).text}*${this.at(b, strength.product + 1, this.value())}`;
      return { text: `-${rest}`, strength: strength.sum };
    }
    const change = node.op === 'ne' ? this.change(a, b) : undefined;
    if (change) return change;
    // Powers and relations do not associate; sums and products do to the left.
    const tight = node.op === 'pow' || operator.strength === strength.relation;
    const type = this.operandType(node);
    const left = this.at(a, operator.strength + (tight ? 1 : 0), type);
    const right = this.at(b, operator.strength + 1, type);
    return { text: left + this.sign(node, operator.sign) + right, strength: operator.strength };
  }

  /** `x*x` may be written as a power, which is a Real, and of a matrix another product. */
  private isSquare(factor: Expr): boolean {
    return !this.typing || (this.typing.type(factor) === 'Real' && this.typing.rank(factor) === 0);
  }

  /** What the operands of an operator must be. */
  private operandType(node: Apply): Wanted | undefined {
    const { typing } = this;
    const { op, args } = node;
    const isRelation = infix[op]?.strength === strength.relation;
    if (!typing) return isRelation ? variableIn(args) : undefined;
    if (isRelation) {
      const texts = comparedTexts(node) ?? args;
      if (texts.some((arg) => typing.type(arg) === 'String')) return 'String';
      const isNumber = args.some((arg) => !typing.isBoolean(arg) && !isBit(arg));
      return isNumber || !args.some((arg) => typing.isBoolean(arg)) ? 'Real' : 'Boolean';
    }
    switch (op) {
      case 'and':
      case 'or':
      case 'edge':
        return 'Boolean';
      case 'change':
      case 'size':
      case 'ndims':
        return undefined;
      case 'identity':
      case 'initial':
      case 'terminal':
        return 'Integer';
      default:
        return 'Real';
    }
  }

  /** Operators between arrays, or an array and a scalar, are those of elements where they are not those of linear algebra. */
  private sign({ op, args }: Apply, usual: string): string {
    const { typing } = this;
    if (!typing) return usual;
    const [left, right] = args.map((arg) => typing.rank(arg)) as [number, number];
    switch (op) {
      case 'sub':
        return left === right ? usual : ' .- ';
      case 'mul':
        return left > 0 && right > 0 ? ' .* ' : usual;
      case 'div':
        return right > 0 ? ' ./ ' : usual;
      case 'pow':
        return left > 0 || right > 0 ? ' .^ ' : usual;
      default:
        return usual;
    }
  }

  /** `x <> pre(x)`, which Modelica allows of Reals and of arrays only by this name. */
  private change(a: Expr, b: Expr): Printed | undefined {
    if (!this.typing || a.kind !== 'ref' || b.kind !== 'pre' || a.symbol !== b.symbol || a.order > 0)
      return undefined;
    return sameItems(a.subscripts, b.subscripts) ? primary(`change(${this.symbol(a)})`) : undefined;
  }

  private sum(a: Expr, b: Expr): Printed {
    const { typing } = this;
    const dot = typing && typing.rank(a) !== typing.rank(b) ? '.' : '';
    const left = this.at(a, strength.sum, this.value());
    const text =
      b.kind === 'const' && b.value < 0
        ? `${left} ${dot}- ${this.number(-b.value).text}`
        : `${left} ${dot}+ ${this.at(b, strength.sum + 1, this.value())}`;
    return { text, strength: strength.sum };
  }

  private choice(condition: Expr, holds: Expr, fails: Expr, wanted: Wanted | undefined): Printed {
    const test = (expr: Expr): string => this.print(expr, 'Boolean').text;
    const value = (expr: Expr): string => this.print(expr, wanted).text;
    let text = `if ${test(condition)} then ${value(holds)}`;
    let rest = fails;
    while (rest.kind === 'apply' && rest.op === 'if') {
      text += ` elseif ${test(rest.args[0]!)} then ${value(rest.args[1]!)}`;
      rest = rest.args[2]!;
    }
    return { text: `${text} else ${value(rest)}`, strength: strength.if };
  }

  /** The arguments after the first have different places for different types, so they are named. */
  private stringCall([value, ...formats]: readonly Expr[]): Printed {
    const isUsual = formats.every(
      (format, k) => format.kind === 'const' && format.value === [0, 1, usualDigits][k],
    );
    const named = (isUsual ? [] : formats).map((format, k) => {
      return `${stringArguments[k]} = ${this.print(format, k === 1 ? 'Boolean' : 'Integer').text}`;
    });
    return primary(`String(${[this.print(value!).text, ...named].join(', ')})`);
  }

  private range(first: Expr, step: Expr, last: Expr): Printed {
    const parts = step.kind === 'const' && step.value === 1 ? [first, last] : [first, step, last];
    const text = parts.map((part) => this.at(part, strength.or, this.value())).join(':');
    return { text, strength: strength.range };
  }

  private iterated(node: Apply, wanted: Wanted | undefined): string {
    const iterators: string[] = [];
    for (let k = 1; k < node.args.length; k += 2) {
      iterators.push(`${this.print(node.args[k]!).text} in ${this.print(node.args[k + 1]!).text}`);
    }
    return `${this.print(node.args[0]!, wanted).text} for ${iterators.join(', ')}`;
  }

  /** What subscripts can stand behind: a call stands in parentheses. */
  private selected(array: Expr, wanted: Wanted | undefined): string {
    if (!this.typing) return this.at(array, strength.primary);
    const isNamed = array.kind === 'ref' || array.kind === 'local';
    const text = this.print(array, wanted).text;
    return isNamed && array.subscripts.length === 0 ? text : `(${text})`;
  }

  /** More dimensions of size 1 at the end. */
  private promoted(value: Expr, target: Expr, wanted: Wanted | undefined): Printed {
    const own = this.typing?.rank(value);
    if (own === undefined || target.kind !== 'const') {
      return primary(`promote(${this.list([value, target])})`);
    }
    const text = this.print(value, wanted).text;
    const missing = target.value - own;
    if (own === 0) return primary('{'.repeat(missing) + text + '}'.repeat(missing));
    if (target.value === 2) return primary(`matrix(${text})`);
    const indices = Array.from({ length: own }, (_, d) => `'promoted ${d + 1}'`);
    let inner = `${'{'.repeat(missing)}(${text})[${indices.join(', ')}]${'}'.repeat(missing)}`;
    for (let d = own - 1; d >= 0; d--) inner = `{${inner} for ${indices[d]} in 1:size(${text}, ${d + 1})}`;
    return primary(inner);
  }

  private at(expr: Expr, least: number, wanted?: Wanted): string {
    const printed = this.print(expr, wanted);
    return printed.strength < least ? `(${printed.text})` : printed.text;
  }

  private list(args: readonly Expr[], wanted?: Wanted): string {
    return args.map((arg) => this.print(arg, wanted).text).join(', ');
  }

  private subscripts(subscripts: readonly Expr[]): string {
    return subscripts.length === 0 ? '' : `[${this.list(subscripts, 'Integer')}]`;
  }
}

/** What `String` takes beside the value, in the order of expressions. */
const stringArguments = ['minimumLength', 'leftJustified', 'significantDigits'];

/** Operators whose value is one of their operands, or holds them: what is wanted of the whole is wanted of these. */
const spreading = setOf(
  'if array comprehension fill cat promote noEvent smooth homotopy transpose symmetric diagonal scalar vector matrix min max minOf maxOf',
);

const spreads = (expr: Expr): boolean => expr.kind === 'apply' && spreading.has(expr.op);

/** The first variable that is one of the operands, or of what they can be. */
function variableIn(operands: readonly Expr[]): { readonly symbol: number } | undefined {
  for (const operand of operands) {
    if ((operand.kind === 'ref' && operand.order === 0) || operand.kind === 'pre') return operand;
    const found = spreads(operand) ? variableIn((operand as Apply).args.slice(1)) : undefined;
    if (found) return found;
  }
  return undefined;
}

const isBit = (expr: Expr): boolean => expr.kind === 'const' && (expr.value === 0 || expr.value === 1);

const primary = (text: string): Printed => ({ text, strength: strength.primary });

/** The texts that a relation between their order and zero compares. */
function comparedTexts({ args: [order, zero] }: Apply): readonly [Expr, Expr] | undefined {
  if (order?.kind !== 'apply' || order.op !== 'order') return undefined;
  return zero?.kind === 'const' && zero.value === 0 ? (order.args as unknown as [Expr, Expr]) : undefined;
}
