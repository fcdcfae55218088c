/**
 * The linear model of a mode at a point: how derivatives of the states and chosen expressions change with states and inputs, while time and
 * discrete values stay. Derivatives are exact where the mode consists of equations: they are carried forwards through what is computed, systems
 * take part through their own Jacobians. The states of built-in components are known by their values alone: where there are some, differences take the place of
 * derivatives, extrapolated to a step of zero (C. J. F. Ridders, Advances in Engineering Software 4, 1982).
 */
import { neededItems, planDerivatives } from '../../code/jacobian.ts';
import type { Differentiated } from '../../code/plan.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Runtime } from '../runtime.ts';
import type { CompiledMode } from './compiled.ts';
import { derivativeEntries } from './jacobian.ts';

/** Matrices by rows: `byStates` and `byInputs` have a row for every state and then one for every output. */
export interface ModeDerivatives {
  readonly byStates: readonly Float64Array[];
  readonly byInputs: readonly Float64Array[];
}

/** What is asked of a mode: inputs are leaves that no equation of it determines. */
export interface LinearQuestion {
  readonly time: number;
  readonly states: Float64Array;
  readonly inputs: readonly Ref[];
  readonly outputs: readonly Expr[];
}

/** Whether all states of a mode are those of equations. */
export const isExact = (mode: CompiledMode): boolean => mode.size === mode.states.length;

/** The derivatives; undefined where a system of equations is singular at the point, or has no values around it. */
export function modeDerivatives(
  runtime: Runtime,
  mode: CompiledMode,
  question: LinearQuestion,
): ModeDerivatives | undefined {
  return isExact(mode) ? exactly(runtime, mode, question) : byDifferences(runtime, mode, question);
}

/** Whether the mode could be evaluated at the point; the memory holds all continuous values. */
function evaluate(mode: CompiledMode, time: number, states: Float64Array, rates: Float64Array): boolean {
  return mode.derivatives(time, states, rates) && mode.evaluateOutputs();
}

// ---------------------------------------------------------------- exact derivatives

function exactly(
  { code, values: { pool } }: Runtime,
  mode: CompiledMode,
  { time, states, inputs, outputs }: LinearQuestion,
): ModeDerivatives | undefined {
  const differentiated = questionOf(mode, inputs, [
    ...mode.states.map((state) => pool.ref(state.symbol, state.order + 1)),
    ...outputs.map(mode.resolve),
  ]);
  const plan = planDerivatives(code, differentiated);
  const entriesAt = derivativeEntries(code, mode, plan);
  mode.activate();
  const entries = new Float64Array(plan.rows.length);
  if (!evaluate(mode, time, states, new Float64Array(mode.size)) || !entriesAt(entries)) return undefined;
  const matrices = emptyMatrices(mode.size, inputs.length, outputs.length);
  for (let j = 0; j < mode.size + inputs.length; j++)
    for (let k = plan.starts[j]!; k < plan.starts[j + 1]!; k++)
      put(matrices, mode.size, plan.rows[k]!, j, entries[k]!);
  return matrices;
}

/** What has to be differentiated for some targets: all that they depend on. */
export function questionOf(
  mode: CompiledMode,
  inputs: readonly Ref[],
  targets: readonly Expr[],
): Differentiated {
  const { items, watchItems, outputItems, systems } = mode.plan;
  const all: Differentiated = {
    items: [...items, ...watchItems, ...outputItems],
    systems,
    sources: [...mode.states, ...inputs],
    targets,
  };
  return { ...all, items: neededItems(all) };
}

function emptyMatrices(states: number, inputs: number, outputs: number): ModeDerivatives {
  const rows = (width: number) => Array.from({ length: states + outputs }, () => new Float64Array(width));
  return { byStates: rows(states), byInputs: rows(inputs) };
}

/** Column j counts states first, then inputs. */
function put(
  { byStates, byInputs }: ModeDerivatives,
  states: number,
  row: number,
  j: number,
  value: number,
): void {
  if (j < states) byStates[row]![j] = value;
  else byInputs[row]![j - states] = value;
}

// ---------------------------------------------------------------- differences

/** The first step as a share of the size of what is moved, how the steps shrink, and how many there are. */
const firstStep = 1e-2;
const shrinking = 1.6;
const mostSteps = 16;

function byDifferences(
  { values }: Runtime,
  mode: CompiledMode,
  { time, states, inputs, outputs }: LinearQuestion,
): ModeDerivatives | undefined {
  const { memory } = values;
  const n = mode.size;
  const rates = new Float64Array(n);
  const resolved = outputs.map(mode.resolve);
  const point = Float64Array.from([...states, ...inputs.map((input) => values.get(input))]);
  const at = (moved: Float64Array): Float64Array | undefined => {
    for (const [k, input] of inputs.entries()) memory.values[values.slot(input)] = moved[n + k]!;
    if (!evaluate(mode, time, moved.slice(0, n), rates)) return undefined;
    return Float64Array.from([...rates, ...resolved.map((output) => values.evaluate(output))]);
  };
  const matrices = emptyMatrices(n, inputs.length, outputs.length);
  const sizes = sizesOf(values, mode, inputs);
  for (let j = 0; j < point.length; j++) {
    const column = extrapolated(at, point, j, Math.max(Math.abs(point[j]!), sizes[j]!));
    if (!column) return undefined;
    for (let i = 0; i < column.length; i++) put(matrices, n, i, j, column[i]!);
  }
  at(point);
  return matrices;
}

function sizesOf(values: Runtime['values'], mode: CompiledMode, inputs: readonly Ref[]): Float64Array {
  const sizes = new Float64Array(mode.size + inputs.length).fill(1);
  for (const [i, { symbol }] of mode.states.entries()) sizes[i] = values.nominalOf(symbol);
  for (const { live, offset } of mode.parts) sizes.set(live.nominals, offset);
  return sizes;
}

/** The derivatives of a function of several variables by one of them, each with the step that suits it best. */
function extrapolated(
  at: (point: Float64Array) => Float64Array | undefined,
  point: Float64Array,
  j: number,
  size: number,
): Float64Array | undefined {
  const moved = point.slice();
  const quotient = (step: number): Float64Array | undefined => {
    moved[j] = point[j]! + step;
    const above = at(moved);
    const right = moved[j]!;
    moved[j] = point[j]! - step;
    const below = at(moved);
    if (!above || !below) return undefined;
    return below.map((value, i) => (above[i]! - value) / (right - moved[j]!));
  };
  let best: Float64Array | undefined;
  let errors: Float64Array | undefined;
  let before: Float64Array[] = [];
  for (let k = 0, step = firstStep * size; k < mostSteps; k++, step /= shrinking) {
    const found = quotient(step);
    if (!found) {
      // A step that leaves what the equations allow says nothing; smaller ones may.
      before = [];
      continue;
    }
    const row: Float64Array[] = [found];
    best ??= found.slice();
    errors ??= new Float64Array(found.length).fill(Number.POSITIVE_INFINITY);
    for (let m = 1; m <= before.length; m++) {
      const factor = shrinking ** (2 * m);
      const [coarse, fine] = [before[m - 1]!, row[m - 1]!];
      const next = fine.map((value, i) => (factor * value - coarse[i]!) / (factor - 1));
      row.push(next);
      for (let i = 0; i < next.length; i++) {
        const error = Math.max(Math.abs(next[i]! - fine[i]!), Math.abs(next[i]! - coarse[i]!));
        if (error > errors[i]!) continue;
        errors[i] = error;
        best[i] = next[i]!;
      }
    }
    before = row;
  }
  return best;
}
