/** The scalar part of a model while it is being made: what remains, with scalars in place of elements of the vector part. */
import { blank } from '../flat/blank.ts';
import { elementName } from '../flat/families.ts';
import type { FlatEquation, FlatModel, FlatVariable } from '../flat/flat.ts';
import { substitute } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { flatIndex } from '../symbolic/shape.ts';
import { isElement, mapEquation } from './equations.ts';
import type { FieldOutput } from './field.ts';

export class ScalarPart {
  readonly variables: FlatVariable[];
  readonly outputs: FieldOutput[] = [];
  /** Variables of the field that are used otherwise than by single elements. */
  readonly whole = new Set<number>();
  private readonly flat: FlatModel;
  private readonly inside: ReadonlySet<number>;
  private readonly memo = new Map<Expr, Expr>();
  private readonly copies = new Map<Expr, number>();

  constructor(flat: FlatModel, inside: ReadonlySet<number>) {
    this.flat = flat;
    this.variables = [...flat.variables];
    this.inside = inside;
  }

  equation(equation: FlatEquation): FlatEquation {
    return mapEquation(equation, (expr) => this.expr(expr));
  }

  expr(expr: Expr): Expr {
    const { pool } = this.flat;
    return substitute(
      pool,
      expr,
      (node, below) => {
        if (node.kind === 'ref') return this.inside.has(node.symbol) ? this.copy(node) : undefined;
        // Operators on arrays are not simplified as scalars are.
        return node.kind === 'apply' && below !== node.args ? pool.raw(node.op, below) : undefined;
      },
      this.memo,
    );
  }

  /** The scalar that stands for an element. */
  private copy(ref: Ref): Expr {
    const { pool, variables } = this.flat;
    const variable = variables[ref.symbol]!;
    if (!isElement(ref, variable.dims)) {
      this.whole.add(ref.symbol);
      return ref;
    }
    let copy = this.copies.get(ref);
    if (copy === undefined) {
      const element = flatIndex(
        variable.dims,
        ref.subscripts.map((s) => (s as { value: number }).value),
      );
      const own = elementName(variable, element);
      const name = ref.order === 0 ? own : `der(${own})`;
      const { origin, unit } = variable;
      copy = this.variables.push({ ...blank, name, unit, origin, copy: true }) - 1;
      this.copies.set(ref, copy);
      this.outputs.push({ symbol: ref.symbol, order: ref.order, element, copy, name });
    }
    return pool.ref(copy);
  }
}

/** A variable of the field as the scalar part has it: without elements. */
export function emptied(variable: FlatVariable): FlatVariable {
  const none = { start: undefined, min: undefined, max: undefined, nominal: undefined, binding: undefined };
  return { ...variable, ...none, fixed: undefined, dims: [0] };
}
