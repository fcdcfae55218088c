/**
 * Strings that change while a model runs. They are no numbers, so they are not among the unknowns: a String with one equation of its own
 * stands for the other side of it wherever a message uses it. Others cannot be.
 */
import { Failure } from '../diagnostic/failure.ts';
import type { FlatEquation, FlatModel, FlatVariable } from '../flat/flat.ts';
import { expressionsOf, mapExprs } from '../flat/walk.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';

/** The model without such Strings. Throws a `Failure` where they are more than the words of messages. */
export function withoutTexts(flat: FlatModel): FlatModel {
  const changing = new Set<number>();
  for (const [symbol, variable] of flat.variables.entries()) if (changes(variable)) changing.add(symbol);
  if (changing.size === 0) return flat;
  const definitions = new Map<number, Expr>();
  const equations = flat.equations.filter((equation) => {
    const own = definitionIn(equation, changing);
    if (!own || definitions.has(own.symbol)) return true;
    definitions.set(own.symbol, own.value);
    return false;
  });
  for (const symbol of changing) if (!definitions.has(symbol)) throw unsupported(flat.variables[symbol]!);
  const texts = new Texts(flat, definitions);
  const rest = equations.map((equation) => texts.equation(equation));
  for (const equation of [...rest, ...flat.initialEquations])
    for (const expr of expressionsOf(flat, equation))
      for (const leaf of leaves(expr))
        if ((leaf.kind === 'ref' || leaf.kind === 'pre') && changing.has(leaf.symbol))
          throw unsupported(flat.variables[leaf.symbol]!);
  return {
    ...flat,
    equations: rest,
    variables: flat.variables.map((v) => (changes(v) ? constant(flat, v) : v)),
  };
}

const changes = ({ type, variability }: FlatVariable): boolean =>
  type === 'String' && variability !== 'parameter' && variability !== 'constant';

/** What is left of the variable: nothing reads it, and results do not have it. */
const constant = ({ pool }: FlatModel, variable: FlatVariable): FlatVariable => ({
  ...variable,
  variability: 'constant',
  binding: pool.text(''),
  hidden: true,
  copy: true,
});

function definitionIn(
  equation: FlatEquation,
  changing: ReadonlySet<number>,
): { readonly symbol: number; readonly value: Expr } | undefined {
  if (equation.kind !== 'equal') return undefined;
  for (const [side, value] of [
    [equation.left, equation.right],
    [equation.right, equation.left],
  ] as const)
    if (side.kind === 'ref' && side.subscripts.length === 0 && changing.has(side.symbol))
      return { symbol: side.symbol, value };
  return undefined;
}

const unsupported = ({ name, origin }: FlatVariable): Failure =>
  Failure.of(
    'translate',
    'unsupported',
    `The String ${name} changes while the model runs, and not by an equation of its own.`,
    {
      span: origin.span,
      hint: 'A String that changes needs one equation `s = …`, outside of `if`, `when` and algorithms, and can be used in messages only.',
    },
  );

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
