/**
 * A flat model whose inputs can be moved while nothing else changes, for derivatives by them:
 *
 *     u = v + move + rate*wave(time - instant)
 *
 * `v` is what determines the input so far: its start value, its declaration or a table. `move` and `rate` are zero, so that every run is the same; derivatives by
 * `move` are those by the input, and derivatives by `rate` tell whether derivatives of the input by time matter: `wave` is zero at the instant, and
 * its derivatives are c, c², -c³, -c⁴ …, which no sum of theirs with coefficients from a model cancels.
 */
import type { Expr } from '../symbolic/expr.ts';
import { blank } from './core/blank.ts';
import type { FlatModel, FlatVariable } from './flat.ts';

/** An input with the symbols of what moves it, of the same sizes. */
export interface OpenInput {
  readonly variable: FlatVariable;
  readonly move: number;
  readonly rate: number;
}

export interface OpenModel {
  readonly flat: FlatModel;
  readonly inputs: readonly OpenInput[];
  /** The symbol of the instant at which derivatives are asked for. */
  readonly instant: number;
}

const frequency = 0.7390851332151607;

/** Inputs by which there are derivatives. */
const isMovable = ({ causality, valued, type, variability }: FlatVariable): boolean =>
  (causality === 'input' || valued === true) && type === 'Real' && variability === 'continuous';

export function openModel(flat: FlatModel): OpenModel {
  const { pool } = flat;
  const variables = [...flat.variables];
  const equations = [...flat.equations];
  const add = (declared: Partial<FlatVariable>): number =>
    variables.push({ ...blank, causality: 'input', start: pool.zero, copy: true, ...declared }) - 1;
  const instant = add({ name: '$instant.moved' });
  const angle = pool.mul(pool.const(frequency), pool.sub(pool.time, pool.ref(instant)));
  const wave = pool.add(pool.apply('sin', angle), pool.sub(pool.one, pool.apply('cos', angle)));
  const inputs = flat.variables.flatMap((variable, symbol): OpenInput[] => {
    if (!isMovable(variable)) return [];
    const { name, dims, driven, valued, start = pool.zero, origin } = variable;
    const isGiven = driven === true || valued === true;
    const rate = add({ name: `$rate.${name}`, dims });
    const move = add({ name: `$move.${name}`, dims, ...(!isGiven && { start }) });
    const moved = (value?: Expr): Expr => {
      const by = pool.add(pool.ref(move), pool.mul(pool.ref(rate), wave));
      return value ? pool.add(value, by) : by;
    };
    if (!isGiven) {
      variables[symbol] = { ...variable, driven: true, fixed: undefined };
      equations.push({ kind: 'equal', left: pool.ref(symbol), right: moved(), dims, origin });
      return [{ variable: variables[symbol]!, move, rate }];
    }
    const own = equations.findIndex((e) => e.kind === 'equal' && e.left === pool.ref(symbol));
    const equation = equations[own];
    if (equation?.kind !== 'equal') return [];
    equations[own] = { ...equation, right: moved(equation.right) };
    return [{ variable, move, rate }];
  });
  return { flat: { ...flat, variables, equations }, inputs, instant };
}
