/**
 * Runs that begin with what a result has at one of its times: states and discrete variables have the values of that row, all others begin their iterations there, and
 * initial equations and `when initial()` say nothing, since this is no beginning. What a result does not hold is said: variables that are missing in it,
 * and parameters that have other values in the model.
 */
import { type Diagnostic, diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { shown } from '../../diagnostic/options.ts';
import { listed } from '../../diagnostic/words.ts';
import { type Experiment, type FlatVariable, isObject } from '../../flat/flat.ts';
import type { Machine } from '../../modes/guarded.ts';
import { withPath } from '../../names/names.ts';
import type { LiveComponent } from '../../program/components/running.ts';
import type { Machines } from '../../program/machines/machines.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import { sameTime } from '../../program/ticks.ts';
import { SignalTable } from '../../results/table/table.ts';
import type { SimulateOptions } from '../settings.ts';

/** So many names are listed. */
const mostNames = 8;
/** Parameters that differ by less are the same: files may hold fewer digits. */
const sameValue = 1e-9;

/** A row of a result that a run begins with. */
export interface Beginning {
  readonly table: SignalTable;
  readonly row: number;
  /** Of the row, and of the first one: clocks tick since then. */
  readonly time: number;
  readonly since: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The row for a time, or the last one; throws a `Failure` where there is none. */
export function beginningOf(table: unknown, at: number | undefined): Beginning {
  const wrong = (message: string, hint?: string): Failure =>
    Failure.of('initialise', 'bad-start', message, { hint });
  if (!(table instanceof SignalTable))
    throw wrong(
      `A run can begin with a \`SignalTable\`, not with ${shown(table)}.`,
      Object(table).table instanceof SignalTable ? 'Write `result.table`.' : undefined,
    );
  const { time, independents } = table;
  if (independents[0]!.name !== 'time')
    throw wrong(`The rows of the result count \`${independents[0]!.name}\`, not \`time\`.`);
  if (time.length === 0) throw wrong('The result has no rows, so that no run can begin with it.');
  const [since, last] = [time[0]!, time[time.length - 1]!];
  if (at === undefined) return { table, row: time.length - 1, time: last, since, diagnostics: [] };
  const isUpTo = (k: number): boolean => time[k]! <= at || sameTime(time[k]!, at);
  if (!isUpTo(0) || (at > last && !sameTime(at, last)))
    throw wrong(
      `The result has no values at ${at} s: it goes from ${since} s to ${last} s.`,
      'Choose a time in between.',
    );
  let row = time.length - 1;
  while (!isUpTo(row)) row--;
  const found = time[row]!;
  const message = `The result has no row at ${at} s; the run begins with the one before it, at ${found} s.`;
  const diagnostics = sameTime(found, at) ? [] : [diagnostic('info', 'bad-start', message)];
  return { table, row, time: found, since, diagnostics };
}

/** A run that goes on from a result begins where that ends, and takes as long as the experiment where nothing else is said. */
export function withTimes(
  { startTime: first = 0, stopTime: last }: Experiment,
  options: SimulateOptions,
  beginning: { readonly time: number } | undefined,
): SimulateOptions {
  if (!beginning) return options;
  const { startTime = beginning.time } = options;
  const usual = last === undefined || last > startTime ? last : startTime + (last - first);
  const { stopTime = usual } = options;
  return { ...options, startTime, ...(stopTime !== undefined && { stopTime }) };
}

/** Puts a row into the memory of a run. */
export class Recollection {
  /** Symbols whose values the row has, and names of hidden states that it lacks. */
  readonly known = new Set<number>();
  private readonly lacking: string[] = [];
  private readonly anew: string[] = [];

  constructor(
    private readonly runtime: Runtime,
    private readonly beginning: Beginning,
  ) {}

  /** Values of variables and machines. Throws a `Failure` where the result is that of another model. */
  load(machines: Machines): void {
    const { values, model, facts } = this.runtime;
    const remembered = new Set(model.remembered);
    const wrong: Diagnostic[] = [];
    for (const [symbol, scalar] of model.scalars.entries()) {
      const { kind, name, variable } = scalar;
      if (!variable || variable.type === 'String' || kind === 'flag' || kind === 'external') continue;
      if (kind === 'parameter' && !facts.open.has(symbol)) continue;
      const value = this.valueOf(name);
      if (value === undefined) continue;
      const { unit } = this.beginning.table.info(name)!;
      if (unit !== '' && variable.unit !== '' && unit !== variable.unit)
        wrong.push(
          error('bad-start', `The result has \`${name}\` in ${unit}, the model in ${variable.unit}.`),
        );
      if (remembered.has(symbol) && !isPossible(variable, value))
        wrong.push(
          error('bad-start', `The result has ${value} for \`${name}\`, which is ${typeText(variable)}.`, {
            hint: 'A run can begin with rows that a run has written; between them such variables have no other values.',
          }),
        );
      this.known.add(symbol);
      if (remembered.has(symbol)) values.setBoth(symbol, value);
      else values.setVariable(symbol, value);
      const slope = this.valueOf(`der(${name})`);
      if (slope !== undefined) values.set(values.pool.ref(symbol, 1), slope);
    }
    if (wrong.length > 0) throw new Failure('initialise', wrong);
    for (const machine of model.machines) this.loadMachine(machine, machines);
  }

  /** The value of the row; of a variable that does not exist there, the last one that it had. */
  private valueOf(name: string): number | undefined {
    const { table, row } = this.beginning;
    if (!table.has(name)) return undefined;
    for (let k = row; k >= 0; k--) {
      const value = table.at(name, k);
      if (Number.isFinite(value)) return value;
      if (table.isConstant(name)) break;
    }
    return undefined;
  }

  /** The state of a machine that was active last, and since when; states that were active before can be returned to. */
  private loadMachine({ states }: Machine, machines: Machines): void {
    const { table, row, time } = this.beginning;
    const columns = states.map(({ active }) => {
      const { name } = this.runtime.model.scalars[active]!;
      return table.has(name) ? table.get(name) : undefined;
    });
    const isActive = (state: number, k: number): boolean => columns[state]?.[k] === 1;
    let k = row;
    while (k >= 0 && !states.some((_, state) => isActive(state, k))) k--;
    const active = states.findIndex((_, state) => isActive(state, k));
    if (active < 0) {
      if (columns.some((column) => !column)) this.lacking.push(`${states[0]!.name}.active`);
      return;
    }
    let first = k;
    while (first > 0 && isActive(active, first - 1)) first--;
    const visited = states.filter((_, state) => columns[state]?.subarray(0, row + 1).includes(1));
    machines.recall(states, states[active]!, table.time[first] ?? time, visited);
    for (const { entered } of states) {
      const since = this.valueOf(this.runtime.model.scalars[entered]!.name);
      if (since !== undefined) this.runtime.values.setVariable(entered, since);
    }
  }

  /** States of components that exist. What components remember besides is in no result: with such ones no run goes on. */
  loadComponents(): void {
    for (const live of this.runtime.components.live) {
      if (live.segments === 0) continue;
      const { arrays } = live.component.flat;
      if (!arrays && hasMemory(live)) throw forgetful(live);
      const { x } = live.point;
      const names = Array.from({ length: x.length }, (_, i) => withPath(live.path, live.stateName(i)));
      const values = names.map((name) => this.valueOf(name));
      for (const [i, value] of values.entries())
        if (value === undefined) this.lacking.push(names[i]!);
        else x[i] = value;
      if (!arrays) this.anew.push(live.title);
    }
  }

  /** Takes values that the row has under other names. */
  loadAliases({ sorted: { aliases }, states }: CompiledMode): void {
    const { values } = this.runtime;
    const wanted = new Set(states.map(({ symbol }) => symbol).filter((symbol) => !this.known.has(symbol)));
    for (const { symbol, target, sign } of aliases) {
      if (!wanted.has(target) || !this.known.has(symbol)) continue;
      values.setVariable(target, sign * values.getVariable(symbol));
      this.known.add(target);
      wanted.delete(target);
    }
  }

  /** What the result lacks, and what it has otherwise; throws a `Failure` where it has nothing of what a run begins with. */
  report(mode: CompiledMode): Diagnostic[] {
    const { model, wording } = this.runtime;
    const states = mode.states.filter(({ symbol }) => !this.known.has(symbol));
    const discrete = model.remembered.filter((symbol) => {
      const { variable, kind } = model.scalars[symbol]!;
      const isDeclared = variable !== undefined && !variable.copy && !variable.engine;
      return isDeclared && kind === 'discrete' && mode.present[symbol] === 1 && !this.known.has(symbol);
    });
    const missing = [
      ...states.map((state) => wording.nameOfRef(state)),
      ...discrete.map((symbol) => wording.nameOf(symbol)),
      ...this.lacking,
    ];
    if (missing.length > 0 && this.known.size === 0) throw this.stranger(missing);
    const { diagnostics } = this.beginning;
    return [...diagnostics, ...missingNote(missing), ...anewNote(this.anew), ...this.differing()];
  }

  private stranger(missing: readonly string[]): Failure {
    const { table } = this.beginning;
    const near = missing.flatMap((name) => nearest(name, table.names) ?? [])[0];
    const of = table.model === '' ? '' : `; it is one of \`${table.model}\``;
    const message = `The result has no variable of the model${of}.`;
    return Failure.of('initialise', 'bad-start', message, {
      hint: near
        ? `Is \`${near}\` of the result the same as \`${missing[0]}\`?`
        : `It should have ${quoted(missing)}.`,
    });
  }

  /** Parameters with other values than in the result. */
  private differing(): Diagnostic[] {
    const { values, model, facts } = this.runtime;
    const { table } = this.beginning;
    const texts = model.scalars.flatMap(({ kind, name, variable }, symbol) => {
      if (kind !== 'parameter' || !variable || variable.type === 'String' || facts.open.has(symbol))
        return [];
      if (!table.has(name) || !table.isConstant(name)) return [];
      const [own, other] = [values.getVariable(symbol), table.at(name, 0)];
      const isSame = Math.abs(own - other) <= sameValue * Math.max(Math.abs(own), Math.abs(other));
      return isSame || !Number.isFinite(other) ? [] : [`${name} = ${own} (in the result ${other})`];
    });
    if (texts.length === 0) return [];
    const message = `Parameters are others than in the result: ${listed(texts, mostNames)}.`;
    return [diagnostic('info', 'bad-start', message)];
  }
}

/** Whether a variable of its type can have a value. */
function isPossible({ type, literals }: FlatVariable, value: number): boolean {
  if (literals && !isObject({ literals }))
    return Number.isInteger(value) && value >= 1 && value <= literals.length;
  if (type === 'Boolean') return value === 0 || value === 1;
  return type !== 'Integer' || Number.isInteger(value);
}

const typeText = ({ type, literals }: FlatVariable): string =>
  literals
    ? `an enumeration with ${literals.length} literals`
    : type === 'Integer'
      ? 'an Integer'
      : `a ${type}`;

/** Whether a component knows more than its states. */
const hasMemory = ({ builtIn }: LiveComponent): boolean =>
  builtIn.follow !== undefined || builtIn.save !== undefined;

function forgetful({ title, component }: LiveComponent): Failure {
  const message = `${title} remembers more than a result holds: no run can begin with one.`;
  return Failure.of('initialise', 'bad-start', message, {
    span: component.flat.origin.span,
    hint: 'A program can go on from all that a run knew: with `resumable: true` a run gives its `state`, and `{ resume: state, stopTime: … }` begins with that.',
  });
}

const quoted = (names: readonly string[]): string =>
  listed(
    names.map((name) => `\`${name}\``),
    mostNames,
  );

function missingNote(names: readonly string[]): Diagnostic[] {
  if (names.length === 0) return [];
  const message = `The result does not have ${quoted(names)}; start values are used.`;
  return [
    warning('bad-start', message, {
      hint: 'Variables that are protected are in the table of a run, and in files where they are asked for.',
      commandHint: "Write the result with --variables '*', which includes protected variables.",
    }),
  ];
}

function anewNote(titles: readonly string[]): Diagnostic[] {
  if (titles.length === 0) return [];
  const isOne = titles.length === 1;
  const message = `${listed(titles, mostNames)} ${isOne ? 'has its' : 'have their'} states from the result; what ${isOne ? 'it remembers' : 'they remember'} besides begins anew.`;
  return [diagnostic('info', 'bad-start', message)];
}
