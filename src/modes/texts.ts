/**
 * Strings that change while a model runs. They change at events, like Integers, and are discrete variables whose values are numbers that
 * stand for texts (`symbolic/strings.ts`). A String whose equation makes it change continuously, `s = String(x)`, cannot be one: it stands for the
 * other side of this equation wherever a message uses it, and cannot be used elsewhere.
 */
import { Failure } from '../diagnostic/failure.ts';
import type { FlatEquation, FlatModel, FlatVariable } from '../flat/flat.ts';
import { expressionsOf, mapExprs } from '../flat/walk.ts';
import { children, fold, leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import { isPiecewiseConstant } from '../symbolic/operators.ts';

/** The model without Strings that change continuously. Throws a `Failure` where they are more than the words of messages. */
export function withoutTexts(flat: FlatModel): FlatModel {
  const definitions = continuousTexts(flat);
  if (definitions.size === 0) return flat;
  const texts = new Texts(flat, definitions);
  const equations = flat.equations
    .filter((equation) => {
      const own = definitionIn(flat, equation);
      return !own || definitions.get(own.symbol) !== own.value;
    })
    .map((equation) => texts.equation(equation));
  for (const equation of [...equations, ...flat.initialEquations])
    for (const expr of expressionsOf(flat, equation))
      for (const leaf of leaves(expr))
        if ((leaf.kind === 'ref' || leaf.kind === 'pre') && definitions.has(leaf.symbol))
          throw usedElsewhere(flat.variables[leaf.symbol]!);
  const variables = flat.variables.map((v, symbol) => (definitions.has(symbol) ? constant(flat, v) : v));
  return { ...flat, equations, variables };
}

/** What is left of the variable: nothing reads it, and results do not have it. */
const constant = ({ pool }: FlatModel, variable: FlatVariable): FlatVariable => ({
  ...variable,
  variability: 'constant',
  binding: pool.text(''),
  hidden: true,
  copy: true,
});

/** The Strings that change continuously, with what they are; those that are made of them, too. */
function continuousTexts(flat: FlatModel): Map<number, Expr> {
  const open = new Map<number, Expr>();
  for (const equation of flat.equations) {
    const own = definitionIn(flat, equation);
    if (own && !open.has(own.symbol)) open.set(own.symbol, own.value);
  }
  const found = new Map<number, Expr>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    const memo = new Map<Expr, boolean>();
    for (const [symbol, value] of open)
      if (!found.has(symbol) && isContinuous(flat, value, found, memo)) found.set(symbol, value);
  }
  return found;
}

/** Whether a value changes between events. */
function isContinuous(
  { variables }: FlatModel,
  root: Expr,
  texts: ReadonlyMap<number, Expr>,
  memo: Map<Expr, boolean>,
): boolean {
  return fold(root, memo, (node) => {
    if (node.kind === 'time') return true;
    if (node.kind === 'ref') {
      const { type, variability } = variables[node.symbol]!;
      return texts.has(node.symbol) || (type === 'Real' && variability === 'continuous');
    }
    if (node.kind === 'apply' && isPiecewiseConstant(node.op)) return false;
    return children(node).some((child) => memo.get(child)!);
  });
}

/** A String that changes, with the other side of its own equation. */
function definitionIn(
  { variables }: FlatModel,
  equation: FlatEquation,
): { readonly symbol: number; readonly value: Expr } | undefined {
  if (equation.kind !== 'equal') return undefined;
  for (const [side, value] of [
    [equation.left, equation.right],
    [equation.right, equation.left],
  ] as const)
    if (side.kind === 'ref' && side.subscripts.length === 0 && changes(variables[side.symbol]!))
      return { symbol: side.symbol, value };
  return undefined;
}

const changes = ({ type, variability }: FlatVariable): boolean =>
  type === 'String' && variability !== 'parameter' && variability !== 'constant';

const usedElsewhere = ({ name, origin }: FlatVariable): Failure => {
  const message = `The String ${name} changes continuously, and is used outside of messages.`;
  const hint = 'Assign it in a `when`, or compare the numbers that it is made of.';
  return Failure.of('translate', 'variability', message, { span: origin.span, hint });
};

/** Puts definitions in the place of Strings, in messages. */
class Texts {
  private readonly known = new Map<number, Expr | 'open'>();

  constructor(
    private readonly flat: FlatModel,
    private readonly definitions: ReadonlyMap<number, Expr>,
  ) {}

  equation(equation: FlatEquation): FlatEquation {
    return mapExprs(equation, (expr, isMessage) => (isMessage ? this.text(expr) : expr));
  }

  private text(message: Expr): Expr {
    return substitute(this.flat.pool, message, (node) => {
      const meaning = node.kind === 'ref' ? this.definitions.get(node.symbol) : undefined;
      return node.kind === 'ref' && meaning ? this.definition(node.symbol, meaning) : undefined;
    });
  }

  /** What a String stands for, in terms of what is no such String. */
  private definition(symbol: number, meaning: Expr): Expr {
    const known = this.known.get(symbol);
    if (known === 'open') throw cyclic(this.flat.variables[symbol]!);
    if (known) return known;
    this.known.set(symbol, 'open');
    const text = this.text(meaning);
    this.known.set(symbol, text);
    return text;
  }
}

const cyclic = ({ name, origin }: FlatVariable): Failure =>
  Failure.of('translate', 'cyclic-definition', `The String ${name} is defined in terms of itself.`, {
    span: origin.span,
  });
