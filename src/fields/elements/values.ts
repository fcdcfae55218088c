/** Values of parameters, where the structure of the vector part depends on them: sizes, subscripts, what may be divided by. */

import { Failure } from '../../diagnostic/failure.ts';
import type { FlatModel } from '../../flat/flat.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import { Interpreter } from '../../symbolic/functions.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { type Arrays, counter, fitted, isAccess, Unfit } from './affine.ts';
import { ElementWriter } from './element.ts';
import { type ElementValues, eachTurn, evaluateElement } from './evaluate.ts';

export class FieldValues {
  /** Values by symbol; undefined while they are being found, and where they cannot be. */
  private readonly found = new Map<number, Float64Array | undefined>();
  private readonly environment: ElementValues;

  constructor(
    private readonly flat: FlatModel,
    private readonly arrays: Arrays,
    private readonly data: (symbol: number) => Float64Array | undefined,
  ) {
    const { call } = new Interpreter(flat.pool, flat.functions);
    this.environment = {
      call: (node, args) => known(() => Number(call(node, args))),
      time: Number.NaN,
      get: (symbol, _order, element) => this.numbers(symbol)?.[element] ?? Number.NaN,
    };
  }

  /** The value of a scalar parameter that shaped the flat model. */
  structural(symbol: number): number | undefined {
    const variable = this.flat.variables[symbol];
    if (!variable?.structural || variable.dims.length > 0) return undefined;
    return this.numbers(symbol)?.[0];
  }

  /** A number with the sign that a parameter has, all its elements alike; NaN where they differ or are not known. */
  sign({ symbol }: Ref): number {
    const numbers = this.numbers(symbol);
    if (!numbers || numbers.length === 0) return Number.NaN;
    const sign = Math.sign(numbers[0]!);
    return numbers.every((value) => Math.sign(value) === sign) ? sign : Number.NaN;
  }

  /** The number that an expression of parameters is. */
  number(expr: Expr): number | undefined {
    const value = fitted(() => {
      const elements = new ElementWriter(this.arrays, [], new Map());
      if (elements.shape(expr).length > 0) return undefined;
      return evaluateElement(elements.element(expr, []), [], this.environment);
    });
    return value instanceof Unfit || Number.isNaN(value) ? undefined : value;
  }

  private numbers(symbol: number): Float64Array | undefined {
    const known = this.found.get(symbol);
    if (known || this.found.has(symbol)) return known;
    this.found.set(symbol, undefined);
    const values = this.data(symbol) ?? this.evaluated(symbol);
    this.found.set(symbol, values);
    return values;
  }

  private evaluated(symbol: number): Float64Array | undefined {
    const variable = this.flat.variables[symbol];
    const value = variable?.binding ?? variable?.start;
    if (!variable || !value || variable.type === 'String') return undefined;
    if (variable.variability !== 'parameter' && variable.variability !== 'constant') return undefined;
    const { dims } = variable;
    const values = new Float64Array(sizeOf(dims));
    try {
      const at = dims.map((_, k) => counter(k));
      const element = new ElementWriter(this.arrays, dims, new Map()).elementOrScalar(value, at);
      if (isUniform(element)) return values.fill(evaluateElement(element, [], this.environment));
      let next = 0;
      eachTurn(dims, (counts) => {
        values[next++] = evaluateElement(element, counts, this.environment);
      });
    } catch {
      return undefined;
    }
    return values;
  }
}

/** A value, or NaN where a check in a function fails: whoever runs the model is told. */
function known(value: () => number): number {
  try {
    return value();
  } catch (problem) {
    if (problem instanceof Failure) return Number.NaN;
    throw problem;
  }
}

/** Whether an expression of elements is the same in all turns. */
function isUniform(expr: Expr): boolean {
  return nodesOf(expr).every(
    (node) => node.kind !== 'iter' && !(isAccess(node) && node.subscripts.length > 1),
  );
}
