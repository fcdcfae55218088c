/**
 * A built-in component while a model runs: its memory, what it declared for the present segment, and its numbers. Everything that the
 * component's own code does is watched (`watch.ts`): what breaks the contract of `builtin/component.ts` becomes a diagnostic.
 */

import type {
  Ahead,
  BuiltIn,
  ComponentEvent,
  ComponentPattern,
  Point,
  PointArrays,
  PointSizes,
  Trouble,
  VariableDeclaration,
} from '../../builtin/component.ts';
import type { Picture } from '../../builtin/picture.ts';
import { withStarts } from '../../builtin/starts.ts';
import { grouped } from '../../collections/groups.ts';
import { concatenated } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import type { Component, ComponentOutput, ComponentParameter } from '../../modes/guarded.ts';
import { bracketed, subscriptsOf, withPath } from '../../names/names.ts';
import type { ComponentCode } from '../../symbolic/function.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { sameTime } from '../ticks.ts';
import { ComputedOutput } from './computed.ts';
import {
  ComponentDeclaration,
  type Declared,
  type DeclaredConstant,
  type DeclaredList,
  declaredName,
  isEqual,
  isSameLayout,
  type Layout,
  noLayout,
} from './declaration.ts';
import { titleOf } from './equations.ts';
import { instanceOf, type Parameter, placesOf } from './instance.ts';
import { Blanks, ComponentWatch } from './watch.ts';

/** Shapes and layouts that are remembered. */
const mostShapes = 8;
const mostLayouts = 64;
/** Relative change of inputs in a difference quotient. */
const difference = 1e-7;

/** What an integrator has to know of a component. */
export interface ComponentShape {
  readonly nominals: Float64Array;
}

const arrayNames = ['x', 'dx', 'u', 'y', 'w', 'z'] as const satisfies readonly (keyof PointArrays)[];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** How a live component looks at the model around it. */
export interface Surroundings {
  readonly time: () => number;
  readonly parameter: (parameter: ComponentParameter) => Parameter;
  /** Start values of an output, where they are given. */
  readonly start: (output: ComponentOutput) => readonly number[] | undefined;
  /** Takes note that the component cannot go on as it is. */
  readonly refuse: (component: FlatComponent) => void;
}

export class LiveComponent {
  readonly path: string;
  readonly builtIn: BuiltIn;
  /** The present segment. The layout is the same object wherever the same is declared. */
  layout: Layout = noLayout;
  private readonly layouts: Layout[] = [];
  constants: readonly DeclaredConstant[] = [];
  /** What was declared in any segment, as it was last. */
  private readonly everDeclared = new Map<string, Declared | DeclaredConstant>();
  readonly lists = new WeakMap<readonly VariableDeclaration[], DeclaredList>();
  readonly listsBefore: WeakMap<readonly VariableDeclaration[], DeclaredList>;
  nominals: Float64Array = empty;
  point: Mutable<Point> = { t: 0, x: empty, dx: empty, u: empty, y: empty, w: empty, z: empty };
  /** What functions have to write; code that was made from arrays of the model does write it. */
  private blanks: AllBlanks | undefined;
  /** Inputs as the component last knew them at an instant. */
  private before = empty;
  /** Names that the class itself declares. */
  private readonly visible: ReadonlySet<string>;
  /** Messages that were given to the user. */
  private readonly told = new Set<string>();
  /** When the component wants the next event. */
  nextTime = Number.POSITIVE_INFINITY;
  /** How many segments have begun, and whether the last did since the component was told of an event. */
  segments = 0;
  private began = false;
  /** The same object wherever an integrator that was made for one segment serves the other. */
  shape: ComponentShape = { nominals: empty };
  private readonly shapes: ComponentShape[] = [];
  private memory: unknown;
  private allocated = false;
  readonly watch: ComponentWatch;
  /** By output: where the inputs lie that act on it directly. */
  private readonly direct: readonly Int32Array[];
  /** By output. */
  private readonly computed: readonly ComputedOutput[];
  /** By output: its change in the direction that was last asked for, and all outputs with the same inputs. */
  private readonly quotients: readonly ComputedOutput[];
  private readonly alike: readonly (readonly number[])[];
  /** Number of the state of the component: as long as it is the same, such an output follows from its inputs. */
  private version = 0;
  /** The function that gave something that is no number, and what. */
  private notFinite: NotFinite | undefined;
  private checkedPattern: ComponentPattern | undefined;
  /** Whether loops gave something that is no number, and nothing but its name could be told: scalars know the equation. */
  unexplained = false;

  constructor(
    readonly component: Component,
    private readonly around: Surroundings,
  ) {
    this.path = component.flat.path;
    this.builtIn = withStarts(component.flat.builtIn, component.flat.path, component.flat.starts);
    this.watch = new ComponentWatch(component.flat, around.time);
    const { direct, alike } = remember(dependencies, component.flat, () => dependenciesOf(component.flat));
    this.direct = direct;
    this.alike = alike;
    this.listsBefore = remember(declaredLists, component.flat, () => new WeakMap());
    this.computed = component.outputs.map(
      ({ length, direct }, output) => new ComputedOutput(this.direct[output]!.length, direct ? length : 0),
    );
    this.quotients = component.outputs.map(
      ({ length, direct }, output) =>
        new ComputedOutput(direct ? 2 * this.direct[output]!.length : 0, direct ? length : 0),
    );
    const { inputs, outputs, parameters } = component.flat;
    this.visible = new Set([...parameters.keys(), ...[...inputs, ...outputs].map(({ name }) => name)]);
  }

  get states(): readonly Declared[] {
    return this.layout.states;
  }

  get variables(): readonly Declared[] {
    return this.layout.variables;
  }

  get title(): string {
    return titleOf(this.component.flat);
  }

  /** Values are known now: what goes wrong from here on belongs to the run. */
  run(): void {
    this.watch.stage = 'simulate';
  }

  // -------------------------------------------------------------- segments

  /** Begins a segment; `anew` where nothing of the segment before counts. */
  begin(anew: boolean): void {
    this.allocate();
    const declaration = new ComponentDeclaration(this, this.around.time(), anew || this.segments === 0);
    this.watch.call('begin', () => this.builtIn.begin(this.memory, declaration));
    const declared = declaration.close();
    this.nextTime = declaration.nextTime;
    this.checkFunctions(declaration);
    const before = this.variables;
    this.layout = this.layoutNow(declared);
    this.constants = declaration.constants;
    for (const own of this.states) this.everDeclared.set(own.name, own);
    if (this.variables !== before) for (const own of this.variables) this.everDeclared.set(own.name, own);
    for (const own of this.constants) this.everDeclared.set(own.item.name, own);
    this.nominals = concatenated(declaration.nominals, Float64Array);
    this.shape = this.shapeNow();
    const sizes = {
      x: declaration.stateCount,
      u: this.component.inputs.length,
      y: this.component.outputs.reduce((sum, { length }) => sum + length, 0),
      w: declaration.variableCount,
      z: declaration.indicatorCount,
    };
    this.makePoint(declaration.time, sizes);
    this.point.x.set(concatenated(declaration.starts, Float64Array));
    if (declaration.first) this.before = empty;
    this.segments++;
    this.began = true;
    this.firstOutputs(declaration.time);
  }

  private allocate(): void {
    if (this.allocated) return;
    const instance = instanceOf(this.component, this.around.parameter, (output) =>
      this.around.start(this.component.outputs[output]!),
    );
    this.memory = this.watch.call('allocate', () => this.builtIn.allocate(instance));
    this.allocated = true;
  }

  private makePoint(t: number, sizes: PointSizes): void {
    this.point = { t, ...this.arrays(sizes) };
    this.blanks = this.component.flat.arrays ? undefined : blanksOf(this.point, this.blanks);
  }

  /** Outputs when a segment begins. Inputs are not known yet: an output that reads one without saying so is no number, and is told. */
  private firstOutputs(time: number): void {
    const { u, y } = this.point;
    u.fill(Number.NaN);
    this.stateOutputs(time);
    if (this.component.flat.arrays) return;
    for (const { start, length, direct } of this.component.outputs) {
      for (let i = start; i < start + length && !direct; i++) {
        if (Number.isFinite(y[i]!)) continue;
        const what = this.nameIn('stateOutputs', i);
        const wrong = this.blanks?.y.has(i)
          ? unwritten(what)
          : `it gives ${what}, which is not a finite number; inputs are not known to it`;
        throw this.watch.broken('stateOutputs', wrong);
      }
    }
  }

  private arrays(sizes: PointSizes): PointArrays {
    const { builtIn } = this;
    if (!builtIn.arrays) {
      // Most of them have the sizes that they had in the segment before.
      const emptied = (own: Float64Array, n: number) =>
        own.length === n ? own.fill(0) : new Float64Array(n);
      const { x, dx, u, y, w, z } = this.point;
      return {
        x: emptied(x, sizes.x),
        dx: emptied(dx, sizes.x),
        u: emptied(u, sizes.u),
        y: emptied(y, sizes.y),
        w: emptied(w, sizes.w),
        z: emptied(z, sizes.z),
      };
    }
    const { x, dx, u, y, w, z } = this.watch.call('arrays', () => builtIn.arrays!(this.memory, sizes));
    const lengths = { ...sizes, dx: sizes.x };
    for (const [name, array] of Object.entries({ x, dx, u, y, w, z })) {
      const expected = lengths[name as keyof PointArrays];
      if (array?.length !== expected)
        throw this.watch.broken(
          'arrays',
          `${name} has ${array?.length ?? 'no'} elements instead of ${expected}`,
        );
      array.fill(0);
    }
    return { x, dx, u, y, w, z };
  }

  /** Layouts return, as shapes do. */
  private layoutNow(declared: Layout): Layout {
    const { layouts } = this;
    const place = layouts.findIndex((layout) => isSameLayout(layout, declared));
    const [known] = place < 0 ? [] : layouts.splice(place, 1);
    const layout = known ?? declared;
    layouts.unshift(layout);
    if (layouts.length > mostLayouts) layouts.pop();
    return layout;
  }

  /** Shapes return: a component may go back and forth between a few. */
  private shapeNow(): ComponentShape {
    const { nominals } = this;
    const known = this.shapes.find((shape) => isEqual(shape.nominals, nominals));
    if (known) return known;
    this.shapes.unshift({ nominals });
    if (this.shapes.length > mostShapes) this.shapes.pop();
    return this.shapes[0]!;
  }

  /** What was declared needs a function that computes it. */
  private checkFunctions({ stateCount, variableCount, indicatorCount }: ComponentDeclaration): void {
    const { builtIn, component } = this;
    const lacks = (fn: keyof BuiltIn, what: string) =>
      this.watch.broken('begin', `it declares ${what}, but has no function \`${fn}\``);
    if (stateCount > 0 && !builtIn.derivatives) throw lacks('derivatives', 'states');
    if (variableCount > 0 && !builtIn.variables) throw lacks('variables', 'variables');
    if (indicatorCount > 0 && !builtIn.indicators) throw lacks('indicators', 'event indicators');
    if (component.outputs.some((o) => !o.direct && o.length > 0) && !builtIn.stateOutputs)
      throw lacks('stateOutputs', 'outputs on which no input acts directly');
    if (component.outputs.some((o) => o.direct) && !builtIn.directOutput)
      throw lacks('directOutput', 'outputs on which inputs act directly');
  }

  /** What it knows of the run, as a value; what was told to the user is no part of it. */
  state() {
    const { builtIn, layout, shapes, point } = this;
    const { constants, nextTime, segments, began, before } = this;
    if (segments === 0) return undefined;
    if (!builtIn.save || !builtIn.load) throw this.keepsToItself();
    const arrays = arrayNames.map((name) => [name, point[name].slice()] as const);
    return {
      own: { constants, nextTime, segments, began, before: before.slice() },
      layout,
      declared: this.everDeclared,
      shapes: shapes.map(({ nominals }) => nominals),
      shape: this.numberOf(this.shape),
      t: point.t,
      arrays: Object.fromEntries(arrays) as unknown as PointArrays,
      memory: this.watch.call('save', () => structuredClone(builtIn.save!(this.memory))),
    };
  }

  resume(state: NonNullable<ReturnType<LiveComponent['state']>>): void {
    const { own, layout, declared, shapes, shape, t, arrays, memory } = state;
    const { builtIn } = this;
    Object.assign(this, { ...own, before: own.before.slice() });
    if (!this.allocated) {
      this.allocate();
      this.layout = this.layoutNow(layout);
      for (const [name, item] of declared) this.everDeclared.set(name, item);
      this.shapes.push(...shapes.map((nominals) => ({ nominals })));
      this.shape = this.shapes[shape]!;
      this.nominals = this.shape.nominals;
      const { x, u, y, w, z } = arrays;
      this.makePoint(t, { x: x.length, u: u.length, y: y.length, w: w.length, z: z.length });
    }
    this.point.t = t;
    this.version++;
    for (const name of arrayNames) this.point[name].set(arrays[name]);
    this.watch.call('load', () => builtIn.load!(this.memory, memory));
    this.run();
  }

  /** The number of a shape in the state; -1: it does not return. */
  numberOf(shape: ComponentShape | undefined): number {
    return shape ? this.shapes.indexOf(shape) : -1;
  }

  numbered(shape: number): ComponentShape | undefined {
    return this.shapes[shape];
  }

  private keepsToItself(): Failure {
    const message = `${this.title} keeps what it remembers to itself: the run has no state that could be given away.`;
    return Failure.of('simulate', 'component', message, {
      span: this.component.flat.origin.span,
      hint: 'Give the component the functions `save` and `load`.',
    });
  }

  /** What it looks like, where it has begun and says so. */
  picture(): Picture | undefined {
    if (!this.allocated || !this.builtIn.picture) return undefined;
    return this.watch.call('picture', () => this.builtIn.picture!(this.memory));
  }

  /** Values of a state or variable of the segment that ends. */
  previous(name: string): Float64Array | undefined {
    const { x, w } = this.point;
    const state = this.states.find((s) => s.name === name);
    const own = state ?? this.variables.find((v) => v.name === name);
    return own && (state ? x : w).slice(own.start, own.start + own.length);
  }

  parameterValues(parameter: ComponentParameter): readonly (number | boolean | string)[] {
    return this.around.parameter(parameter).elements;
  }

  known(name: string): Declared | DeclaredConstant | undefined {
    return this.everDeclared.get(name);
  }

  /** Whether the class itself declares a name. */
  isVisible(name: string): boolean {
    return this.visible.has(name);
  }

  // -------------------------------------------------------------- evaluation

  /** Outputs that states and time give. */
  stateOutputs(t: number): void {
    const { builtIn, point } = this;
    point.t = t;
    this.version++;
    if (!builtIn.stateOutputs) return;
    if (this.blanks)
      for (const { start, length, direct } of this.component.outputs)
        if (!direct) this.blanks.y.fill(start, start + length);
    this.evaluate('stateOutputs');
  }

  derivatives(): void {
    this.blanks?.dx.fill();
    this.evaluate('derivatives');
  }

  /** Without a closure: this happens in every step. */
  private evaluate(fn: Writing, output?: number): void {
    try {
      this.watch.ended(this.builtIn[fn]!(this.memory, this.point, output!));
    } catch (problem) {
      throw this.watch.thrown(fn, problem);
    }
  }

  indicators(): void {
    this.blanks?.z.fill();
    this.evaluate('indicators');
    const { z } = this.point;
    for (let k = 0; k < z.length; k++) {
      if (!Number.isNaN(z[k]!)) continue;
      // Scalars show which relation it is.
      if (this.component.flat.arrays) this.around.refuse(this.component.flat);
      const what = this.nameIn('indicators', k);
      const wrong = this.blanks?.z.has(k) ? unwritten(what) : `it gives ${what}, which is not a number`;
      throw this.watch.broken('indicators', wrong);
    }
  }

  /** Visits the indicators that have a sign whatever their values are. */
  eachSide(visit: (indicator: number, side: -1 | 1) => void): void {
    const { builtIn } = this;
    const { length } = this.point.z;
    if (length === 0 || !builtIn.sides) return;
    const sides = new Int8Array(length);
    this.watch.call('sides', () => builtIn.sides!(this.memory, sides));
    for (let k = 0; k < length; k++) if (sides[k] !== 0) visit(k, sides[k]! > 0 ? 1 : -1);
  }

  /** How far the next step may go, and whether indicators are others from here on; inputs are in place. */
  lookAhead(isSteady: boolean): Ahead | undefined {
    const { builtIn, memory, point } = this;
    return this.watch.call('lookAhead', () => builtIn.lookAhead!(memory, point, isSteady));
  }

  /** Tells of a step that was taken; see `BuiltIn.follow`. */
  follow(from: number, to: number, at: (time: number) => Float64Array): void {
    this.watch.call('follow', () => this.builtIn.follow!(this.memory, from, to, at));
  }

  /** Everything that is stored; inputs are in place. */
  variablesNow(): void {
    const { states, variables, builtIn } = this;
    const isAsked = variables.length > 0 && !builtIn.storesStates;
    if (states.length > 0 && (isAsked || states.some((s) => s.derivative))) this.derivatives();
    if (variables.length === 0) return;
    this.blanks?.w.fill();
    this.evaluate('variables');
  }

  /** One output for the inputs that act on it, or its change in a direction. */
  directOutput(
    { output, derivative }: ComponentCode,
    values: Float64Array,
    inputs: number,
    outputs: number,
  ): void {
    const { start, length } = this.component.outputs[output]!;
    const { y } = this.point;
    if (!derivative) {
      const computed = this.computed[output]!;
      if (this.notFinite?.fn === 'directOutput') this.notFinite = undefined;
      if (computed.isFor(this.version, values, inputs)) {
        computed.write(values, outputs);
        return;
      }
      this.placeDirect(output, values, inputs, 0, 0);
      if (!computed.take(this.version, values, inputs, y, start, outputs)) this.noteDirect(output);
      return;
    }
    const count = this.direct[output]!.length;
    let size = 0;
    let move = 0;
    for (let k = 0; k < count; k++) {
      size = Math.max(size, Math.abs(values[inputs + k]!));
      move = Math.max(move, Math.abs(values[inputs + count + k]!));
    }
    const step = move === 0 ? 0 : (difference * Math.max(size, 1)) / move;
    if (step === 0) {
      values.fill(0, outputs, outputs + length);
      return;
    }
    const quotient = this.quotients[output]!;
    if (!quotient.isFor(this.version, values, inputs))
      this.differ(output, values, inputs, count, step, quotient);
    quotient.write(values, outputs);
  }

  /**
   * The change of an output in a direction, by a difference; with it those of other outputs with the same inputs that were asked for in this state before: to go from one
   * side to the other costs a component more than to compute another output there.
   */
  private differ(
    output: number,
    values: Float64Array,
    inputs: number,
    count: number,
    step: number,
    own: ComputedOutput,
  ): void {
    const { outputs } = this.component;
    const { y } = this.point;
    const others = this.alike[output]!;
    // Another output may have left the inputs on one side: a component that finds itself where it was has less to do.
    const first = this.isPlaced(output, values, inputs, count, -step) ? -step : step;
    for (const side of [first, -first]) {
      const isFirst = side === first;
      for (let k = -1; k < others.length; k++) {
        const at = k < 0 ? output : others[k]!;
        const quotient = k < 0 ? own : this.quotients[at]!;
        if (k >= 0 && (at === output || !quotient.isKnownAt(this.version))) continue;
        const { start } = outputs[at]!;
        this.placeDirect(at, values, inputs, count, side);
        if (isFirst) quotient.begin(y, start);
        else quotient.end(this.version, values, inputs, y, start, 2 * first);
      }
    }
  }

  /** Whether inputs are where `placeDirect` would put them. */
  private isPlaced(
    output: number,
    values: Float64Array,
    inputs: number,
    direction: number,
    step: number,
  ): boolean {
    const { u } = this.point;
    const places = this.direct[output]!;
    for (let k = 0; k < places.length; k++)
      if (u[places[k]!] !== values[inputs + k]! + step * values[inputs + direction + k]!) return false;
    return true;
  }

  /** Takes note of an output that is no number although its inputs are; iterations may pass through such points. */
  private noteDirect(output: number): void {
    const { start, length } = this.component.outputs[output]!;
    const { u, y } = this.point;
    let bad = -1;
    for (let i = start; i < start + length && bad < 0; i++) if (!Number.isFinite(y[i]!)) bad = i;
    if (bad >= 0 && this.direct[output]!.every((place) => Number.isFinite(u[place]!)))
      this.noteNotFinite('directOutput', bad);
  }

  /** Puts inputs, moved by `step` along a direction, where the component looks for them, and lets it compute an output. */
  private placeDirect(
    output: number,
    values: Float64Array,
    inputs: number,
    direction: number,
    step: number,
  ): void {
    const { u } = this.point;
    const places = this.direct[output]!;
    if (step === 0) for (let k = 0; k < places.length; k++) u[places[k]!] = values[inputs + k]!;
    else
      for (let k = 0; k < places.length; k++)
        u[places[k]!] = values[inputs + k]! + step * values[inputs + direction + k]!;
    const { start, length } = this.component.outputs[output]!;
    this.blanks?.y.fill(start, start + length);
    this.evaluate('directOutput', output);
  }

  /** The same object as long as it is the same. */
  pattern(): ComponentPattern {
    if (!this.builtIn.pattern) return unknownPattern;
    const found = this.watch.call('pattern', () => this.builtIn.pattern!(this.memory));
    if (found !== this.checkedPattern) this.checkPattern(found);
    this.checkedPattern = found;
    return found;
  }

  private checkPattern(found: ComponentPattern): void {
    const { x, u, y } = this.point;
    const sizes = [
      ['derivativesByStates', x.length, x.length],
      ['derivativesByInputs', x.length, u.length],
      ['outputsByStates', y.length, x.length],
    ] as const;
    for (const [name, rows, columns] of sizes) {
      const part = found[name];
      if (!part) continue;
      if (part.starts.length !== columns + 1)
        throw this.watch.broken(
          'pattern',
          `${name} has ${part.starts.length - 1} columns instead of ${columns}`,
        );
      if (part.rows.some((row) => !(row >= 0 && row < rows)))
        throw this.watch.broken('pattern', `${name} has a row that is not below ${rows}`);
    }
  }

  // -------------------------------------------------------------- events

  /** Takes note of inputs before an event; they are in place. */
  rememberInputs(): void {
    if (!this.builtIn.event) return;
    const { u } = this.point;
    if (this.before.length === u.length) this.before.set(u);
    else this.before = u.slice();
  }

  /** Lets the component react to an event; inputs are in place. */
  event(crossed: readonly number[], impulses: Float64Array): Reaction {
    const reaction: Reaction = {
      restart: false,
      terminated: undefined,
      changed: false,
      advanced: false,
      impulses: [],
      remarks: [],
    };
    const { builtIn, point, began } = this;
    const time = this.around.time();
    // One that returns was last evaluated before it went.
    point.t = time;
    const due = this.nextTime <= time || sameTime(this.nextTime, time);
    if (due) this.nextTime = Number.POSITIVE_INFINITY;
    this.began = false;
    if (!builtIn.event) return reaction;
    this.version++;
    const states = point.x.slice();
    const event: ComponentEvent = {
      point,
      before: this.before.length === point.u.length ? this.before : point.u.slice(),
      impulses,
      crossed,
      due,
      began,
      nextEvent: (at) => {
        this.nextTime = Math.min(this.nextTime, this.later(at, time, 'event'));
      },
      changed: () => {
        reaction.changed = true;
      },
      advanced: () => {
        reaction.changed = reaction.advanced = true;
      },
      restart: () => {
        reaction.restart = true;
      },
      terminate: (message) => {
        reaction.terminated = String(message);
      },
      impulse: (name, weight, unit) => {
        reaction.impulses.push({ name: withPath(this.path, name), weight, unit });
      },
      tell: (severity, message, options = {}) => {
        if (this.told.has(message)) return;
        this.told.add(message);
        const { span } = this.component.flat.origin;
        reaction.remarks.push(diagnostic(severity, 'component', message, { span, ...options }));
      },
    };
    try {
      this.watch.ended(builtIn.event(this.memory, event));
    } catch (problem) {
      const thrown = this.watch.thrown('event', problem);
      // What an instant means that loops cannot tell, scalars do.
      if (this.component.flat.arrays && thrown !== problem) this.around.refuse(this.component.flat);
      throw thrown;
    }
    const { x } = point;
    for (let i = 0; i < x.length; i++) {
      if (!Number.isFinite(x[i]!))
        throw this.watch.broken('event', `it sets ${this.stateName(i)} to ${x[i]}`);
      if (x[i] !== states[i]) reaction.changed = true;
    }
    this.rememberInputs();
    return reaction;
  }

  /** A time to come, as the component asked for it. */
  later(at: number, time: number, fn: string): number {
    if (!(at > time))
      throw this.watch.broken(fn, `it asks for an event at ${at}, which is not after ${time}`);
    return at;
  }

  // -------------------------------------------------------------- diagnosis

  /** Takes note of element i of what a function gave: it is no number. */
  noteNotFinite(fn: Writing, i: number): false {
    this.notFinite ??= { fn, i, blank: this.blanks?.[written[fn]].has(i) ?? false };
    return false;
  }

  /** What was found to be no number since this was last asked; the message names `time`. */
  takeFault(time = this.around.time()): Diagnostic | undefined {
    const { notFinite } = this;
    this.notFinite = undefined;
    if (!notFinite) return undefined;
    const { fn, i, blank } = notFinite;
    const what = this.nameIn(fn, i);
    const { arrays } = this.component.flat;
    const input = arrays || blank || fn === 'stateOutputs' ? -1 : this.point.u.findIndex(isNoNumber);
    if (input >= 0) return this.badInput(input, time);
    if (!arrays) {
      const explained = blank ? undefined : this.explain({ kind: 'not-finite', time });
      if (explained) return explained;
      const wrong = blank ? unwritten(what) : `it gives ${what}, which is not a finite number`;
      return this.watch.breach(fn, wrong);
    }
    this.unexplained = true;
    const state = fn === 'derivatives' ? this.states.find((own) => i < own.start + own.length) : undefined;
    const span = arrays.variables.find(({ name }) => name === state?.name)?.origin.span;
    return error('bad-evaluation', `The equations give no finite number for ${what} at time ${time}.`, {
      span,
      hint: 'Something divides by zero or leaves its domain there, or the solution grows without bound.',
    });
  }

  /** What the component says of the end of a run. */
  explain(trouble: Trouble): Diagnostic | undefined {
    const { builtIn } = this;
    if (!this.allocated || !builtIn.explain) return undefined;
    const explanation = this.watch.call('explain', () => builtIn.explain!(this.memory, trouble));
    if (!explanation) return undefined;
    const { code, message, ...options } = explanation;
    return error(code, message, { span: this.component.flat.origin.span, ...options });
  }

  /** The model itself gave something that is no number. */
  private badInput(i: number, time: number): Diagnostic {
    const { flat } = this.component;
    let at = 0;
    const port = flat.inputs.find(({ dims }) => {
      at += sizeOf(dims);
      return i < at;
    })!;
    const name = port.name + bracketed(subscriptsOf(port.dims, i - at + sizeOf(port.dims)));
    const message = `\`${withPath(this.path, name)}\` is ${this.point.u[i]} at time ${time}.`;
    return error('bad-evaluation', message, {
      span:
        flat.whole?.parts.find(({ path }) => name.startsWith(`${path}.`))?.origin.span ?? flat.origin.span,
      hint: 'Something divides by zero or leaves its domain there, or the solution grows without bound.',
    });
  }

  /** Element i of what a function writes. */
  private nameIn(fn: Writing, i: number): string {
    switch (fn) {
      case 'stateOutputs':
      case 'directOutput':
        return `the output ${this.outputName(i)}`;
      case 'derivatives':
        return `the derivative of ${this.stateName(i)}`;
      case 'variables':
        return declaredName(this.variables, i);
      case 'indicators':
        return `indicator ${i}`;
    }
  }

  stateName(i: number): string {
    return declaredName(this.states, i);
  }

  private outputName(i: number): string {
    const { flat, outputs } = this.component;
    const k = outputs.findIndex(({ start, length }) => i >= start && i < start + length);
    const { name, dims } = flat.outputs[k]!;
    return name + bracketed(subscriptsOf(dims, i - outputs[k]!.start));
  }
}

/** By output: where the inputs lie that act on it directly, and all outputs with the same ones. They are the same in all runs. */
interface Dependencies {
  readonly direct: readonly Int32Array[];
  readonly alike: readonly (readonly number[])[];
}

const dependencies = new WeakMap<FlatComponent, Dependencies>();

/** What lists that cannot change declared, in this run or in one before. */
const declaredLists = new WeakMap<FlatComponent, WeakMap<readonly VariableDeclaration[], DeclaredList>>();

function dependenciesOf(flat: FlatComponent): Dependencies {
  const direct = directPlaces(flat);
  const acted = [...direct.keys()].filter((output) => direct[output]!.length > 0);
  const alike: (readonly number[])[] = direct.map(() => []);
  for (const group of grouped(acted, (output) => direct[output]!.join()).values())
    for (const output of group) alike[output] = group;
  return { direct, alike };
}

function directPlaces({ inputs, outputs, builtIn }: FlatComponent): Int32Array[] {
  const places = [...placesOf(inputs)];
  return outputs.map(({ name }) => {
    const names = builtIn.outputs?.[name] ?? [];
    const acting = places.filter(([input]) => names.includes(input));
    return Int32Array.from(
      acting.flatMap(([, { start, length }]) => Array.from({ length }, (_, k) => start + k)),
    );
  });
}

/** Functions that write numbers, and where. */
type Writing = keyof typeof written;
const written = {
  stateOutputs: 'y',
  directOutput: 'y',
  derivatives: 'dx',
  variables: 'w',
  indicators: 'z',
} as const;

type AllBlanks = Readonly<Record<(typeof written)[Writing], Blanks>>;

const blanksOf = ({ y, dx, w, z }: Point, known: AllBlanks | undefined): AllBlanks => ({
  y: Blanks.of(y, known?.y),
  dx: Blanks.of(dx, known?.dx),
  w: Blanks.of(w, known?.w),
  z: Blanks.of(z, known?.z),
});

const isNoNumber = (value: number): boolean => !Number.isFinite(value);

const unwritten = (what: string): string =>
  `it gives ${what}, which is not a finite number: it was none before the call, and the call does not write it`;

/** A function that gave something that is no number: which element of what it writes, and whether it left that out. */
interface NotFinite {
  readonly fn: Writing;
  readonly i: number;
  readonly blank: boolean;
}

/** What a component asked for at an event. */
export interface Reaction {
  restart: boolean;
  terminated: string | undefined;
  /** Whether states have new values. */
  changed: boolean;
  /** Whether it gets on, so that this is not one of many rounds that come to no end. */
  advanced: boolean;
  readonly impulses: {
    readonly name: string;
    readonly weight: number;
    readonly unit: string | undefined;
  }[];
  readonly remarks: Diagnostic[];
}

const empty = new Float64Array(0);

const unknownPattern: ComponentPattern = {};
