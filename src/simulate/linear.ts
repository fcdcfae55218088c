/**
 * Linear models: a run comes to the operating point, its mode is differentiated there, and the matrices get names. Derivatives by inputs are taken by what `flat/open.ts`
 * adds to them.
 */
import { type Diagnostic, diagnostic, error, warning } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { didYouMean, nearest } from '../diagnostic/nearest.ts';
import { listed } from '../diagnostic/words.ts';
import { eigenvalues } from '../externals/lapack/eigen.ts';
import { elementNames } from '../flat/core/families.ts';
import type { OpenModel } from '../flat/open.ts';
import type { Scalar } from '../modes/guarded.ts';
import type { CompiledMode } from '../program/mode/compiled.ts';
import { isExact, type ModeDerivatives, modeDerivatives } from '../program/mode/linear.ts';
import type { Runtime } from '../program/runtime.ts';
import type { LinearModel, LinearVariable, Pole } from '../results/files/linear.ts';
import { nameMatches } from '../results/table/glob.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Engine } from './run/engine.ts';

/** Numbers of a matrix that are worth storing, and states whose poles are worth waiting for. */
const mostEntries = 25_000_000;
const mostPoles = 500;
/** A difference so small beside the largest of its row stands for nothing. */
const noise = 1e-7;
/** So many names are listed. */
const mostNames = 5;

export interface Linearised {
  readonly linear: LinearModel;
  readonly diagnostics: readonly Diagnostic[];
}

/** An output: an expression, or a state of a built-in component by its number. */
interface Output extends Pick<LinearVariable, 'name' | 'unit'> {
  readonly value: Expr | number;
}

/** An input with the leaves that move it, and the one whose derivatives tell of its rate. */
interface Input extends LinearVariable {
  readonly move: Ref;
  readonly rate: Ref;
}

/** The linear model where a run has come to; `names` are those of outputs, or globs, in place of the outputs of the model. */
export function linearised(
  engine: Engine,
  runtime: Runtime,
  open: OpenModel,
  names: readonly string[] | undefined,
): Linearised {
  const { mode, time } = engine;
  const { values } = runtime;
  const y = engine.evaluate();
  const choice = names ? chosenOutputs(runtime, mode, names) : declaredOutputs(runtime, mode);
  const inputs = inputsOf(runtime, open);
  checkSize(mode, inputs.length, choice.outputs.length);
  values.setVariable(symbolsByName(runtime).get(open.flat.variables[open.instant]!.name)!, time);
  const question = {
    time,
    states: y,
    inputs: [...inputs.map(({ move }) => move), ...inputs.map(({ rate }) => rate)],
    outputs: choice.outputs.flatMap(({ value }) => (typeof value === 'number' ? [] : [value])),
  };
  const found = modeDerivatives(runtime, mode, question);
  if (!found) throw Failure.of('simulate', 'not-linearisable', singular(time));
  const rows = withStates(found, mode.size, choice.outputs);
  const states = stateVariables(runtime, mode, y);
  checkRates(mode.size, rows, inputs, [...states, ...choice.outputs], isExact(mode));
  const rates = new Float64Array(mode.size);
  mode.derivatives(time, y, rates);
  const outputs = outputVariables(engine, runtime, choice.outputs, y);
  const ofInputs = (row: Float64Array): number[] => Array.from(row.subarray(0, inputs.length), plain);
  const n = mode.size;
  const A = rows.byStates.slice(0, n).map((row) => Array.from(row, plain));
  const linear: LinearModel = {
    model: open.flat.name,
    time,
    mode: mode.mode.signature,
    states,
    inputs: inputs.map(({ name, unit, value }) => ({ name, unit, value })),
    outputs,
    rates: Array.from(rates, plain),
    A,
    B: rows.byInputs.slice(0, n).map(ofInputs),
    C: rows.byStates.slice(n).map((row) => Array.from(row, plain)),
    D: rows.byInputs.slice(n).map(ofInputs),
    poles: n <= mostPoles ? polesOf(A) : undefined,
    exact: isExact(mode),
  };
  return { linear, diagnostics: [...choice.diagnostics, ...notesOf(mode)] };
}

/** Zero has no sign. */
const plain = (value: number): number => value + 0;

const singular = (time: number): string =>
  `There is no linear model at time ${time}: a system of equations is singular there, or has no values around that point.`;

function checkSize({ size }: CompiledMode, inputs: number, outputs: number): void {
  const entries = (size + outputs) * (size + inputs);
  if (entries <= mostEntries) return;
  const message = `The linear model of ${size} states, ${inputs} inputs and ${outputs} outputs would have ${entries} numbers, of at most ${mostEntries}.`;
  throw Failure.of('simulate', 'limit-exceeded', message);
}

// ---------------------------------------------------------------- variables

function symbolsByName({ model }: Runtime): Map<string, number> {
  return new Map(model.scalars.map(({ name }, symbol) => [name, symbol]));
}

function inputsOf(runtime: Runtime, { inputs, flat }: OpenModel): Input[] {
  const { values } = runtime;
  const symbols = symbolsByName(runtime);
  return inputs.flatMap(({ variable, move, rate }) => {
    const [moves, rates] = [move, rate].map((symbol) => elementNames(flat.variables[symbol]!));
    return elementNames(variable).map((name, k) => ({
      name,
      unit: variable.unit,
      value: values.getVariable(symbols.get(name)!),
      move: values.pool.ref(symbols.get(moves![k]!)!),
      rate: values.pool.ref(symbols.get(rates![k]!)!),
    }));
  });
}

function stateVariables({ model }: Runtime, mode: CompiledMode, y: Float64Array): LinearVariable[] {
  const names = mode.allStateNames()();
  const hidden = mode.parts.flatMap(({ live: { states } }) =>
    states.flatMap(({ unit, length }) => new Array<string>(length).fill(unit)),
  );
  return names.map((name, i) => {
    const state = mode.states[i];
    const own = state && model.scalars[state.symbol]?.variable?.unit;
    const unit = state ? (state.order === 0 ? (own ?? '') : '') : (hidden[i - mode.states.length] ?? '');
    return { name, unit, value: plain(y[i]!) };
  });
}

function outputVariables(
  engine: Engine,
  { values }: Runtime,
  outputs: readonly Output[],
  y: Float64Array,
): LinearVariable[] {
  engine.evaluate();
  const { resolve } = engine.mode;
  return outputs.map(({ name, unit, value }) => ({
    name,
    unit,
    value: plain(typeof value === 'number' ? y[value]! : values.evaluate(resolve(value))),
  }));
}

interface Choice {
  readonly outputs: readonly Output[];
  readonly diagnostics: readonly Diagnostic[];
}

const isReal = ({ type, kind, variable }: Scalar): boolean =>
  type === 'Real' &&
  variable !== undefined &&
  !variable.copy &&
  (kind === 'continuous' || kind === 'discrete' || kind === 'external');

/** The outputs of the model that are Real and exist. */
function declaredOutputs({ model, values }: Runtime, mode: CompiledMode): Choice {
  const outputs: Output[] = [];
  const others = new Set<string>();
  for (const [symbol, scalar] of model.scalars.entries()) {
    if (scalar.variable?.causality !== 'output' || scalar.kind === 'parameter') continue;
    if (!isReal(scalar) || mode.present[symbol] === 0) others.add(scalar.name);
    else outputs.push({ name: scalar.name, unit: scalar.variable.unit, value: values.pool.ref(symbol) });
  }
  if (others.size === 0) return { outputs, diagnostics: [] };
  const message = `Outputs that are not Real, or do not exist in this mode, are left out: ${quoted([...others])}.`;
  return { outputs, diagnostics: [diagnostic('info', 'not-linearisable', message)] };
}

const quoted = (names: readonly string[]): string =>
  listed(
    names.map((name) => `\`${name}\``),
    mostNames,
  );

/** Variables by their names, or by globs. */
function chosenOutputs(runtime: Runtime, mode: CompiledMode, globs: readonly string[]): Choice {
  const known = knownOutputs(runtime, mode);
  const wrong: Diagnostic[] = [];
  const chosen = new Map<string, Output>();
  for (const glob of globs) {
    const exact = known.get(glob);
    const found = exact ? [exact] : [...known.values()].filter(({ name }) => nameMatches(glob, name));
    if (found.length === 0) wrong.push(noOutput(runtime, glob, known));
    for (const output of found) chosen.set(output.name, output);
  }
  if (wrong.length > 0) throw new Failure('simulate', wrong);
  return { outputs: [...chosen.values()], diagnostics: [] };
}

function noOutput({ model }: Runtime, name: string, known: ReadonlyMap<string, Output>): Diagnostic {
  const scalar = model.scalars.find((one) => one.name === name && one.variable);
  if (!scalar) {
    const hint = didYouMean(nearest(name, known.keys()));
    return error('bad-option', `No variable of the model matches the output \`${name}\`.`, { hint });
  }
  const why =
    scalar.kind === 'parameter'
      ? 'a parameter'
      : scalar.type !== 'Real'
        ? `of type ${scalar.type}`
        : scalar.kind === 'input'
          ? 'an input'
          : 'not there in this mode';
  return error('bad-option', `\`${name}\` cannot be an output of a linear model: it is ${why}.`);
}

/** What can be an output, by name: Real variables, their derivatives, and states of built-in components. */
function knownOutputs({ model, values, wording }: Runtime, mode: CompiledMode): Map<string, Output> {
  const known = new Map<string, Output>();
  const add = (output: Output): void => {
    if (!known.has(output.name)) known.set(output.name, output);
  };
  const orders = new Map(mode.sorted.variables.map(({ symbol, d }) => [symbol, d]));
  for (const { symbol, target } of mode.sorted.aliases) orders.set(symbol, orders.get(target) ?? 0);
  for (const [symbol, scalar] of model.scalars.entries()) {
    if (!isReal(scalar) || mode.present[symbol] === 0) continue;
    for (let order = 0; order <= (orders.get(symbol) ?? 0); order++) {
      const value = values.pool.ref(symbol, order);
      add({ name: wording.nameOfRef(value), unit: order === 0 ? scalar.variable!.unit : '', value });
    }
  }
  for (const [i, name] of mode.allStateNames()().entries())
    if (i >= mode.states.length) add({ name, unit: '', value: i });
  return known;
}

// ---------------------------------------------------------------- matrices

/** Rows for all outputs: a state of a component is itself. */
function withStates(found: ModeDerivatives, states: number, outputs: readonly Output[]): ModeDerivatives {
  if (outputs.every(({ value }) => typeof value !== 'number')) return found;
  const byStates = found.byStates.slice(0, states);
  const byInputs = found.byInputs.slice(0, states);
  const inputs = found.byInputs[0]?.length ?? 0;
  let next = states;
  for (const { value } of outputs) {
    const unit = new Float64Array(states);
    if (typeof value === 'number') unit[value] = 1;
    byStates.push(typeof value === 'number' ? unit : found.byStates[next]!);
    byInputs.push(typeof value === 'number' ? new Float64Array(inputs) : found.byInputs[next++]!);
  }
  return { byStates, byInputs };
}

/** Refuses what depends on how fast an input changes: no matrices can say that. */
function checkRates(
  states: number,
  { byInputs }: ModeDerivatives,
  inputs: readonly Input[],
  rows: readonly { readonly name: string }[],
  exact: boolean,
): void {
  const count = inputs.length;
  const wrong = inputs.flatMap(({ name }, k) => {
    const acted = rows.filter((_, i) => {
      const row = byInputs[i]!;
      const size = exact ? 0 : noise * row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      return Math.abs(row[count + k]!) > size;
    });
    if (acted.length === 0) return [];
    const names = acted.map((row) => (rows.indexOf(row) < states ? `der(${row.name})` : row.name));
    const message = `The derivative of the input \`${name}\` by time acts on ${quoted(names)}: no matrices A, B, C, D can describe that.`;
    const hint = 'Let the input pass through a first-order filter, or choose other outputs.';
    return [error('not-linearisable', message, { hint })];
  });
  if (wrong.length > 0) throw new Failure('simulate', wrong);
}

/** Eigenvalues, the slowest first. */
function polesOf(A: readonly (readonly number[])[]): Pole[] | undefined {
  const found = eigenvalues(A);
  const size = ({ re, im }: Pole): number => Math.hypot(re, im);
  return found
    ?.map(({ re, im }) => ({ re: plain(re), im: plain(im) }))
    .sort((p, q) => size(p) - size(q) || q.im - p.im);
}

/** What the linear model lacks, or has by differences alone. */
function notesOf(mode: CompiledMode): Diagnostic[] {
  const late = mode.parts.filter(({ live }) => live.builtIn.follow);
  const notes: Diagnostic[] = late.map(({ live }) => {
    const message = `${live.title} remembers what was: in the linear model its outputs stay what they are.`;
    return warning('not-linearisable', message, {
      span: live.component.flat.origin.span,
      hint: 'Put an approximation with states in its place, such as that of Padé.',
    });
  });
  if (isExact(mode)) return notes;
  const parts = mode.parts.filter(({ size }) => size > 0).map(({ live }) => live.title);
  const message = `Derivatives are found by differences, because there are states in ${listed(parts, mostNames)}.`;
  return [...notes, diagnostic('info', 'not-linearisable', message)];
}
