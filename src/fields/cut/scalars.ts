/** The scalar part of a model while it is being made: what remains, with scalars in place of elements of the vector part. */
import { remember } from '../../collections/memo.ts';
import { blank } from '../../flat/core/blank.ts';
import { elementName } from '../../flat/core/families.ts';
import type { FlatAction, FlatEquation, FlatModel, FlatVariable, FlatWhen } from '../../flat/flat.ts';
import { substitute } from '../../symbolic/analyse.ts';
import type { Expr, Pre, Ref } from '../../symbolic/expr.ts';
import { flatIndex } from '../../symbolic/shape.ts';
import type { FieldOutput, FieldReset } from '../field.ts';
import { isElement, mapEquation, orderOf } from './references.ts';

export class ScalarPart {
  readonly variables: FlatVariable[];
  readonly outputs: FieldOutput[] = [];
  readonly resets: FieldReset[] = [];
  /** Variables of the field that are used otherwise than by single elements. */
  readonly whole = new Set<number>();
  private readonly memo = new Map<Expr, Expr>();
  private readonly copies = new Map<string, number>();

  constructor(
    private readonly flat: FlatModel,
    private readonly inside: ReadonlySet<number>,
    private readonly isState: (symbol: number) => boolean,
  ) {
    this.variables = [...flat.variables];
  }

  equation(equation: FlatEquation): FlatEquation {
    const own = equation.kind === 'when' ? this.withResets(equation) : equation;
    return mapEquation(own, (expr) => this.expr(expr));
  }

  /** New values of elements of states are handed over to the field. */
  private withResets(equation: FlatWhen): FlatWhen {
    const branches = equation.branches.map(({ condition, body }) => ({
      condition,
      body: body.flatMap((action) => {
        if (action.kind !== 'reinit' || action.target.kind !== 'ref') return [action];
        const { symbol } = action.target;
        const element =
          this.inside.has(symbol) && this.isState(symbol) ? this.elementOf(action.target) : undefined;
        if (element === undefined) return [action];
        return this.resetActions(symbol, element, action);
      }),
    }));
    return { ...equation, branches };
  }

  /** The actions in place of a reinit of an element; adds the variables that they assign. */
  private resetActions(
    symbol: number,
    element: number,
    { value: expr, when, origin }: FlatAction & { kind: 'reinit' },
  ): FlatAction[] {
    const { pool } = this.flat;
    const number = this.resets.length + 1;
    const added = {
      ...blank,
      variability: 'discrete',
      copy: true,
      start: pool.zero,
      fixed: true,
      origin,
    } as const;
    const value = this.variables.push({ ...added, name: `$value${number}` }) - 1;
    const count = this.variables.push({ ...added, name: `$count${number}`, type: 'Integer' }) - 1;
    this.resets.push({ symbol, element, value, count });
    const assigned = (target: number, own: Expr): FlatAction => ({
      kind: 'assign',
      target: pool.ref(target),
      value: when ? pool.if(when, own, pool.pre(target)) : own,
      origin,
    });
    return [assigned(value, expr), assigned(count, pool.add(pool.pre(count), pool.one))];
  }

  expr(expr: Expr): Expr {
    const { pool } = this.flat;
    return substitute(
      pool,
      expr,
      (node, below) => {
        if (node.kind === 'ref' || node.kind === 'pre')
          return this.inside.has(node.symbol) ? this.copy(node) : undefined;
        // Operators on arrays are not simplified as scalars are.
        return node.kind === 'apply' && below !== node.args ? pool.raw(node.op, below) : undefined;
      },
      this.memo,
    );
  }

  /** The scalar that stands for an element. */
  private copy(ref: Ref | Pre): Expr {
    const { pool } = this.flat;
    const element = this.elementOf(ref);
    if (element === undefined) {
      this.whole.add(ref.symbol);
      return ref;
    }
    const copy = this.copyOf(ref.symbol, orderOf(ref), element);
    return ref.kind === 'ref' ? pool.ref(copy) : pool.pre(copy);
  }

  private copyOf(symbol: number, order: number, element: number): number {
    return remember(this.copies, `${symbol} ${order} ${element}`, () => {
      const variable = this.flat.variables[symbol]!;
      const own = elementName(variable, element);
      const name = order === 0 ? own : `der(${own})`;
      const { origin, unit } = variable;
      const copy = this.variables.push({ ...blank, name, unit, origin, copy: true }) - 1;
      this.outputs.push({ symbol, order, element, copy, name });
      return copy;
    });
  }

  /** The number of the element that a reference is, row-major from 0; undefined where it is none. */
  private elementOf(ref: Ref | Pre): number | undefined {
    const { dims } = this.flat.variables[ref.symbol]!;
    if (!isElement(ref, dims)) return undefined;
    const indices = ref.subscripts.map((s) => (s as { value: number }).value);
    return flatIndex(dims, indices);
  }
}

/** A variable of the field as the scalar part has it: without elements. */
export function emptied(variable: FlatVariable): FlatVariable {
  const none = { start: undefined, min: undefined, max: undefined, nominal: undefined, binding: undefined };
  return { ...variable, ...none, fixed: undefined, dims: [0] };
}
