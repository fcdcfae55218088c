/** Records the results of a run: which signals there are, and their rows. */

import { timeSlot } from '../../code/memory.ts';
import { concatenated } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import { type ComponentOutput, isInvariant, type Scalar } from '../../modes/guarded.ts';
import { withPath } from '../../names/names.ts';
import type { ActiveComponent } from '../../program/components/components.ts';
import type { Declared, DeclaredConstant, Layout } from '../../program/components/declaration.ts';
import type { LiveComponent } from '../../program/components/running.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import { TableBuilder } from '../../results/table/builder.ts';
import type { ArrayInfo, SignalInfo, SignalRole, SignalSource } from '../../results/table/signal.ts';
import type { Shelf } from '../../results/table/store.ts';
import type { SignalTable, TableExtras } from '../../results/table/table.ts';
import { eliminateAliases } from '../../structure/alias.ts';
import type { Alias, ScalarVariable } from '../../structure/analysis.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { DataSignals } from './data.ts';

/** A trajectory: a variable or the derivative of one. */
interface Column {
  readonly symbol: number;
  readonly order: number;
  readonly slot: number;
}

/** By element of a component's arrays: its column; -1 where it is not stored. */
interface Columns {
  readonly number: number;
  readonly states: Int32Array;
  readonly derivatives: Int32Array;
  readonly variables: Int32Array;
  /** Whether those of variables follow one another. */
  readonly areTogether: boolean;
}

/** What a component stores in a segment. */
interface Stream {
  readonly part: ActiveComponent;
  readonly columns: Columns;
}

const none = new Int32Array(0);

export class Recorder {
  private readonly builder: TableBuilder;
  private readonly columns: readonly Column[];
  readonly slots: Int32Array;
  private row: Float64Array;
  /** By mode and column: whether it exists. */
  private readonly presence = new WeakMap<CompiledMode, Uint8Array>();
  /** By column: whether it exists in the current segment. */
  present: Uint8Array = new Uint8Array(0);
  private readonly columnsByLayout = new WeakMap<Layout, Columns>();
  private layouts = 0;
  /** Of states, their derivatives and variables, by list and by item: most of them are in all layouts of a component. */
  private readonly columnsByList = new WeakMap<readonly Declared[], Map<StreamKind, Int32Array>>();
  private readonly columnsByItem: Readonly<Record<StreamKind, WeakMap<Declared, Int32Array>>> = {
    state: new WeakMap(),
    derivative: new WeakMap(),
    variable: new WeakMap(),
  };
  /** By mode, and by what its components store: which columns exist. */
  private readonly streamed = new WeakMap<CompiledMode, Map<string, Uint8Array>>();
  /** What components of the current segment store. */
  private streams: readonly Stream[] = [];
  /** Signals that are declared with the first segment. */
  private copies: readonly SignalInfo[];

  /** `all`: also what only an audit looks at. `shelf`: where rows are kept that are too many for memory. */
  constructor(
    private readonly runtime: Runtime,
    all: boolean,
    shelf: Shelf | undefined,
  ) {
    const { columns, copies, parameters, data } = runtime.finding(all ? declareAll : declareModel);
    const { values, components } = runtime;
    this.copies = copies;
    const constants = Array.from(
      parameters,
      ([symbol, signal]) => [signal, values.getVariable(symbol)] as const,
    );
    this.builder = data.table(components.live, constants, shelf, values.known);
    this.columns = columns;
    this.slots = Int32Array.from(columns, (c) => c.slot);
    this.row = new Float64Array(columns.length);
  }

  beginSegment(mode: CompiledMode): void {
    const present = remember(this.presence, mode, () => this.presentIn(mode));
    this.present = present;
    const streams = mode.parts.map((part) => ({ part, columns: this.columnsOf(part) }));
    this.streams = streams;
    this.builder.declare(this.copies);
    this.copies = [];
    const { width } = this.builder;
    if (this.row.length < width) this.row = new Float64Array(width);
    const all = streams.length === 0 ? present : this.withStreams(mode, present);
    this.builder.beginSegment(mode.mode.signature, all);
  }

  /** By column: whether it exists, those of components included; the same list for the same streams. */
  private withStreams(mode: CompiledMode, present: Uint8Array): Uint8Array {
    const key = this.streams.map(({ columns }) => columns.number).join();
    const known = remember(this.streamed, mode, () => new Map());
    return remember(known, key, () => {
      const all = new Uint8Array(this.builder.width);
      all.set(present);
      for (const { columns } of this.streams)
        for (const list of [columns.states, columns.derivatives, columns.variables])
          for (const column of list) if (column >= 0) all[column] = 1;
      return all;
    });
  }

  /** The columns of what a component has in this segment. */
  private columnsOf({ live }: ActiveComponent): Columns {
    return remember(this.columnsByLayout, live.layout, () => {
      const copies = live.component.flat.arrays?.copies();
      for (const constant of live.constants) this.declareConstant(constantInfo(live.path, constant));
      return copies ? this.shared(live, copies) : this.separate(live);
    });
  }

  /** A column for every element. */
  private separate(live: LiveComponent): Columns {
    const { states, variables } = live;
    const hasDerivatives = states.some(({ derivative }) => derivative);
    const ofStates = this.columnsIn(live, states, 'state');
    const derivatives = hasDerivatives ? this.columnsIn(live, states, 'derivative') : none;
    const ofVariables = this.columnsIn(live, variables, 'variable');
    return {
      number: this.layouts++,
      states: ofStates,
      derivatives,
      variables: ofVariables,
      areTogether: ofVariables.every((column, k) => column === ofVariables[0]! + k && column >= 0),
    };
  }

  /** New names become new signals. */
  private columnsIn(live: LiveComponent, list: readonly Declared[], kind: StreamKind): Int32Array {
    const known = remember(this.columnsByList, list, () => new Map());
    return remember(known, kind, () => {
      const first = kind === 'variable' ? this.builder.declareNew(variablesIn(live.path, list)) : undefined;
      if (first !== undefined) return consecutive(first, lengthOf(list));
      return concatenated(
        list.map((item) => this.columnsFor(live, item, kind)),
        Int32Array,
      );
    });
  }

  private columnsFor(live: LiveComponent, item: Declared, kind: StreamKind): Int32Array {
    return remember(this.columnsByItem[kind], item, () =>
      kind === 'derivative' && !item.derivative
        ? new Int32Array(item.length).fill(-1)
        : this.declare(
            live,
            remember(knownInfos[kind], item, () => infos[kind](live.path, item)),
          ),
    );
  }

  /** Elements that equal others share their columns. */
  private shared(live: LiveComponent, copies: Int32Array): Columns {
    const width = live.point.x.length;
    const columns = new Int32Array(copies.length).fill(-1);
    let next = this.builder.reserve(copies.reduce((count, copy) => count + Number(copy === 0), 0));
    for (let k = 0; k < copies.length; k++) if (copies[k] === 0) columns[k] = next++;
    const places = copies.map((copy, k) =>
      copy === 0 ? 1 + columns[k]! : Math.sign(copy) * (1 + columns[Math.abs(copy) - 1]!),
    );
    const share = (item: Declared, info: ArrayInfo, first: number): void =>
      this.builder.declareShared(info, places.subarray(first + item.start, first + item.start + item.length));
    for (const item of live.states) share(item, stateInfo(live.path, item), 0);
    const hasDerivatives = live.states.some(({ derivative }) => derivative);
    const derivatives = hasDerivatives ? this.columnsIn(live, live.states, 'derivative') : none;
    for (const item of live.variables) share(item, variableInfo(live.path, item), width);
    return {
      number: this.layouts++,
      states: columns.subarray(0, width),
      derivatives,
      variables: columns.subarray(width),
      areTogether: false,
    };
  }

  /** Gives the columns of the elements. */
  private declare(live: LiveComponent, info: ArrayInfo): Int32Array {
    const declared = this.builder.declareUnlessClash(info);
    if (typeof declared === 'string')
      throw live.watch.broken('begin', `${declared} is the name of another variable of the model`);
    return declared;
  }

  /** What the model knows by itself is there already. */
  private declareConstant(info: ArrayInfo): void {
    this.builder.declareUnlessClash(info);
  }

  private presentIn(mode: CompiledMode): Uint8Array {
    const { variables, aliases } = mode.sorted;
    /** By symbol, where there are derivatives. */
    const orders = new Map<number, number>();
    for (const { symbol, d } of variables) if (d > 0) orders.set(symbol, d);
    for (const { symbol, target } of aliases) {
      const d = orders.get(target);
      if (d !== undefined) orders.set(symbol, d);
    }
    return Uint8Array.from(this.columns, ({ symbol, order }) => {
      if (!mode.present[symbol]) return 0;
      return order === 0 || (orders.get(symbol) ?? 0) >= order ? 1 : 0;
    });
  }

  /** Time of the last row. */
  get lastTime(): number {
    return this.builder.lastTime;
  }

  /** Appends what the memory holds; false, without a row, where a variable that exists has no finite value. */
  append(): boolean {
    if (!this.read()) return false;
    this.builder.append(this.runtime.values.memory.values[timeSlot]!, this.row);
    return true;
  }

  /** Appends a row of numbers that were read elsewhere, from `slots`. */
  appendRow(time: number, row: Float64Array): void {
    this.row.set(row);
    this.builder.append(time, this.row);
  }

  /** Whether all variables that exist have finite values in the memory: what a row needs. */
  read(): boolean {
    const { values } = this.runtime.values.memory;
    const { slots, row, present } = this;
    let check = 0;
    for (let i = 0; i < slots.length; i++) {
      const value = values[slots[i]!]!;
      row[i] = value;
      if (present[i]) check += value * 0;
    }
    if (check !== 0) return false;
    for (const stream of this.streams) if (!this.readStream(stream)) return false;
    return true;
  }

  private readStream({ part, columns }: Stream): boolean {
    const { live } = part;
    const { states, derivatives, variables, areTogether } = columns;
    part.readInputs();
    live.variablesNow();
    const { x, dx, w } = live.point;
    this.scatter(x, states);
    this.scatter(dx, derivatives);
    const bad = areTogether ? this.place(w, variables) : this.scatter(w, variables);
    return bad < 0 || live.noteNotFinite('variables', bad);
  }

  /** As `scatter`, into columns that follow one another. */
  private place(values: Float64Array, columns: Int32Array): number {
    if (columns.length > 0) this.row.set(values, columns[0]!);
    let check = 0;
    for (let k = 0; k < values.length; k++) check += values[k]! * 0;
    return check === 0 ? -1 : values.findIndex((value) => !Number.isFinite(value));
  }

  /** Puts values into their columns; gives the first that is no number, or -1. */
  private scatter(values: Float64Array, columns: Int32Array): number {
    const { row } = this;
    let check = 0;
    for (let k = 0; k < columns.length; k++) {
      const column = columns[k]!;
      if (column < 0) continue;
      const value = values[k]!;
      row[column] = value;
      check += value * 0;
    }
    return check === 0 ? -1 : columns.findIndex((column, k) => column >= 0 && !Number.isFinite(values[k]!));
  }

  /** What has been recorded, while the run goes on. */
  soFar(extras: TableExtras): SignalTable {
    return this.builder.soFar(extras);
  }

  finish(extras: TableExtras): SignalTable {
    const texts = textsOf(this.runtime);
    const attributes = { ...extras.attributes, ...(Object.keys(texts).length > 0 && { texts }) };
    return this.builder.finish({ ...extras, attributes });
  }
}

/** What is recorded of a model, in all runs. */
interface Declaration {
  /** Signals of the model, and with them those of a run. */
  readonly data: DataSignals;
  /** Aliases of elements of the vector part, which declares these when it begins. */
  readonly copies: readonly SignalInfo[];
  /** By parameter: its signal, whose value is that of a run. */
  readonly parameters: ReadonlyMap<number, number>;
  readonly columns: readonly Column[];
}

/** What a component declared, as a signal. */
function signalInfo(path: string, item: Declared): Omit<ArrayInfo, 'source' | 'type'> {
  const { dims, unit, displayUnit, description, hidden } = item;
  const name = withPath(path, item.name);
  const before = name.length - item.name.length;
  const places = dims.map((_, d) => before + (item.places[d] ?? item.name.length));
  return { name, dims, places, names: shifted(item.names, before), unit, displayUnit, description, hidden };
}

/** Names of elements in a name that got something before it. */
function shifted(names: Declared['names'], by: number): Declared['names'] {
  return by === 0 ? names : names.map((own) => own && { ...own, from: own.from + by });
}

function stateInfo(path: string, item: Declared): ArrayInfo {
  return { ...signalInfo(path, item), type: 'Real', role: 'state', source: { kind: 'trajectory' } };
}

function variableInfo(path: string, item: Declared): ArrayInfo {
  const role = item.output ? 'output' : item.state ? 'state' : 'local';
  return { ...signalInfo(path, item), type: 'Real', role, source: { kind: 'trajectory' } };
}

function derivativeInfo(path: string, item: Declared): ArrayInfo {
  const { name, places, names, ...state } = stateInfo(path, item);
  return {
    ...state,
    name: `der(${name})`,
    places: places!.map((place) => 'der('.length + place),
    names: shifted(names!, 'der('.length),
    unit: derivativeUnit(item.unit),
    displayUnit: '',
    description: '',
    role: 'derivative',
  };
}

/** Signals of what a component declares, by what it is. */
const infos = { state: stateInfo, derivative: derivativeInfo, variable: variableInfo } as const;
type StreamKind = keyof typeof infos;

/** Signals of a list of variables: components declare the same in many runs. */
const variablesOf = new WeakMap<readonly Declared[], readonly ArrayInfo[]>();

const variablesIn = (path: string, list: readonly Declared[]): readonly ArrayInfo[] =>
  remember(variablesOf, list, () =>
    list.map((item) => remember(knownInfos.variable, item, () => variableInfo(path, item))),
  );

const lengthOf = (list: readonly Declared[]): number => list.reduce((sum, { length }) => sum + length, 0);

const consecutive = (first: number, count: number): Int32Array => {
  const numbers = new Int32Array(count);
  for (let k = 0; k < count; k++) numbers[k] = first + k;
  return numbers;
};

/** By what was declared: components declare the same in many runs. */
const knownInfos: Readonly<Record<StreamKind, WeakMap<Declared, ArrayInfo>>> = {
  state: new WeakMap(),
  derivative: new WeakMap(),
  variable: new WeakMap(),
};

function constantInfo(path: string, { item, type, values }: DeclaredConstant): ArrayInfo {
  return { ...signalInfo(path, item), type, role: 'parameter', source: { kind: 'constant', values } };
}

/** Parameters that are texts: they are no signals, but belong to the results. */
function textsOf(runtime: Runtime): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const symbol of runtime.finding(textSymbols))
    texts[runtime.model.scalars[symbol]!.name] = runtime.values.text(runtime.values.pool.ref(symbol));
  return texts;
}

const textSymbols = ({ model }: Runtime): readonly number[] =>
  model.scalars.flatMap(({ kind, variable }, symbol) =>
    kind === 'parameter' && variable?.type === 'String' && !variable.hidden ? [symbol] : [],
  );

/** With variables that join parts of built-in components: equations speak of them, but no user asks for them. */
const declareAll = (runtime: Runtime): Declaration => declareModel(runtime, joiningSymbols(runtime));

function joiningSymbols({ model }: Runtime): Set<number> {
  const outputs = model.components.flatMap(({ flat, outputs: all }) =>
    flat.outputs.flatMap(({ value }, k) =>
      value.kind === 'ref' && flat.whole?.symbols.has(value.symbol) ? [all[k]!] : [],
    ),
  );
  return new Set(outputs.flatMap((output) => outputSymbols(model, output)));
}

/** Signals and the columns of their trajectories: parameters, variables, derivatives of what appears differentiated. */
function declareModel(runtime: Runtime, joining: ReadonlySet<number> = new Set()): Declaration {
  const signals: SignalInfo[] = [];
  const copies: SignalInfo[] = [];
  const parameters = new Map<number, number>();
  const columns: Column[] = [];
  const { pool, model } = runtime.values;
  const differentiated = differentiatedSymbols(runtime);
  const aliases = lastingAliases(runtime, new Set(differentiated.keys()));
  const coordinates = new Set(
    coordinateSymbols(runtime).map((symbol) => aliases.get(symbol)?.target ?? symbol),
  );
  for (const [symbol, scalar] of model.scalars.entries()) {
    if (!scalar.variable || scalar.variable.type === 'String') continue;
    if (scalar.variable.copy && !joining.has(symbol)) continue;
    if (scalar.kind === 'parameter') {
      parameters.set(symbol, signals.length);
      const role = isInvariant(scalar) ? scalar.variable.causality : 'parameter';
      signals.push(signalOf(scalar, role, { kind: 'constant', value: Number.NaN }));
      continue;
    }
    const role = differentiated.has(symbol) ? 'state' : scalar.variable.causality;
    const alias = aliases.get(symbol);
    if (alias && role !== 'state') {
      const { name: of, variable } = model.scalars[alias.target]!;
      const list = variable!.copy ? copies : signals;
      list.push(signalOf(scalar, role, { kind: 'alias', of, sign: alias.sign }));
      continue;
    }
    const shown = coordinates.has(symbol) ? 'state' : role;
    signals.push(signalOf(scalar, shown, ownTrajectory));
    columns.push({ symbol, order: 0, slot: runtime.values.slot(pool.ref(symbol)) });
    let { name } = scalar;
    let { unit } = scalar.variable;
    for (let order = 1; order <= (differentiated.get(symbol) ?? 0); order++) {
      name = `der(${name})`;
      unit = derivativeUnit(unit);
      const info = signalOf(scalar, 'derivative', ownTrajectory);
      signals.push({ ...info, name, unit, displayUnit: '', description: '' });
      columns.push({ symbol, order, slot: runtime.values.slot(pool.ref(symbol, order)) });
    }
  }
  return { data: new DataSignals(new TableBuilder(signals)), copies, parameters, columns };
}

/** Outputs of components that show what hidden states are. */
function coordinateSymbols({ model }: Runtime): number[] {
  return model.components.flatMap(({ flat, outputs }) => {
    const names = new Set(flat.builtIn.coordinates);
    return flat.outputs.flatMap(({ name }, k) => {
      const { firstEquation, length } = outputs[k]!;
      const equations = names.has(name) ? model.equations.slice(firstEquation, firstEquation + length) : [];
      return equations.flatMap(({ left }) => (left.kind === 'ref' ? [left.symbol] : []));
    });
  });
}

/** Variables that are equal to others, or to their negatives, in all modes; by symbol. */
function lastingAliases(runtime: Runtime, differentiated: ReadonlySet<number>): Map<number, Alias> {
  const { pool, model } = runtime.values;
  const equations = model.equations.flatMap(({ guard, left, right, assigns }, index) =>
    guard.length === 0 && assigns === undefined ? [{ left, right, assigns, index }] : [],
  );
  const elements = elementsOutside(runtime);
  const variables = model.scalars.flatMap(({ name, kind, variable, start }, symbol): ScalarVariable[] => {
    if (kind !== 'continuous' || !variable || (variable.copy && !elements.has(symbol))) return [];
    const own = variable.causality === 'local' ? (start ? 1 : 0) : 2;
    // Of what is equal otherwise, people look at what stands at the top of the model.
    const weight = variable.copy ? 3 : own + (name.includes('.') ? 0 : 0.5);
    return [{ symbol, stateSelect: 'default', discrete: false, weight }];
  });
  const { aliases } = eliminateAliases(pool, equations, variables, differentiated);
  return new Map(aliases.map((alias) => [alias.symbol, alias]));
}

/** Scalars that stand for elements of the vector part. */
function elementsOutside({ model }: Runtime): Set<number> {
  const vectorParts = model.components.filter(({ flat }) => flat.arrays);
  return new Set(
    vectorParts.flatMap(({ outputs }) => outputs.flatMap((output) => outputSymbols(model, output))),
  );
}

/** The scalars that an output determines. */
function outputSymbols(
  { equations }: Runtime['model'],
  { firstEquation, length }: ComponentOutput,
): number[] {
  return equations
    .slice(firstEquation, firstEquation + length)
    .flatMap(({ left }) => (left.kind === 'ref' ? [left.symbol] : []));
}

const ownTrajectory: SignalSource = { kind: 'trajectory' };

/** One literal, as there are many: objects that are put together from others have a layout each in V8, of 500 bytes. */
function signalOf(scalar: Scalar, role: SignalRole, source: SignalSource): SignalInfo {
  const { unit, displayUnit, description, literals, hidden, copy } = scalar.variable!;
  return {
    name: scalar.name,
    unit,
    displayUnit,
    description,
    type: scalar.type,
    literals,
    hidden: hidden || copy === true,
    source,
    role,
  };
}

/** By symbol that is differentiated: the highest order of its derivatives. */
function differentiatedSymbols(runtime: Runtime): Map<number, number> {
  const orders = new Map<number, number>();
  for (const { left, right } of runtime.model.equations)
    for (const side of [left, right])
      for (const leaf of leaves(side)) {
        if (leaf.kind !== 'ref' || leaf.order === 0) continue;
        orders.set(leaf.symbol, Math.max(leaf.order, orders.get(leaf.symbol) ?? 0));
      }
  return orders;
}

function derivativeUnit(unit: string): string {
  if (unit === '') return '';
  if (unit === '1') return '1/s';
  const match = /^(.*)\/s(\d*)$/.exec(unit);
  if (match) return `${match[1]}/s${Number(match[2] || '1') + 1}`;
  return unit.includes('/') ? `(${unit})/s` : `${unit}/s`;
}
