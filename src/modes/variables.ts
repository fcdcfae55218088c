/** Flat variables as scalars: an array is one scalar for each of its elements, in row-major order. */
import type { FlatEquation, FlatModel, FlatVariable } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { sizeOf } from '../symbolic/shape.ts';
import type { Scalar, ScalarKind } from './guarded.ts';

/** The scalars of a variable, without the attributes that are expressions. */
export function* scalarsOf(variable: FlatVariable, isAssignedInWhen: boolean): Generator<Scalar> {
  const kind = kindOf(variable, isAssignedInWhen);
  const size = sizeOf(variable.dims);
  for (let element = 0; element < size; element++) {
    yield {
      name: elementName(variable, element),
      kind,
      type: variable.type === 'String' ? 'Real' : variable.type,
      variable,
      element,
      start: undefined,
      startSymbol: undefined,
      fixed: Array.isArray(variable.fixed) ? variable.fixed[element] === true : variable.fixed === true,
      binding: undefined,
      nominal: undefined,
      min: undefined,
      max: undefined,
    };
  }
}

/** The start value of a scalar as code reads it; zero where none is declared. */
export function startValue(pool: Pool, { start, startSymbol }: Scalar): Expr {
  return startSymbol === undefined ? (start ?? pool.zero) : pool.ref(startSymbol);
}

/** Variables that when-equations assign are discrete, whatever their type. */
export function assignedInWhen(flat: FlatModel): Set<number> {
  const symbols = new Set<number>();
  const visit = (equation: FlatEquation): void => {
    if (equation.kind === 'for') equation.body.forEach(visit);
    if (equation.kind === 'if') for (const branch of equation.branches) branch.body.forEach(visit);
    if (equation.kind !== 'when') return;
    for (const branch of equation.branches) {
      for (const action of branch.body) {
        if (action.kind === 'assign' && action.target.kind === 'ref') symbols.add(action.target.symbol);
      }
    }
  };
  flat.equations.forEach(visit);
  return symbols;
}

function kindOf(variable: FlatVariable, assignedInWhen: boolean): ScalarKind {
  if (variable.variability === 'parameter' || variable.variability === 'constant') return 'parameter';
  if (variable.engine) return 'flag';
  if (variable.causality === 'input') return 'input';
  if (assignedInWhen || variable.variability === 'discrete' || variable.type !== 'Real') return 'discrete';
  return 'continuous';
}

/** `T[2,1]`, by the row-major position of the element. */
export function elementName(variable: FlatVariable, element: number): string {
  if (variable.dims.length === 0) return variable.name;
  const subscripts: number[] = [];
  let rest = element;
  for (let k = variable.dims.length - 1; k >= 0; k--) {
    const size = variable.dims[k]!;
    subscripts.unshift((rest % size) + 1);
    rest = Math.floor(rest / size);
  }
  return `${variable.name}[${subscripts.join(',')}]`;
}
