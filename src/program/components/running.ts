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
import { concatenated } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import type { Component, ComponentOutput, ComponentParameter } from '../../modes/guarded.ts';
import type { ComponentCode } from '../../symbolic/function.ts';
import { sameTime } from '../ticks.ts';
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
import { DirectOutputs } from './direct.ts';
import { titleOf } from './equations.ts';
import {
  type AllBlanks,
  badEquation,
  badInput,
  blanksOf,
  type NotFinite,
  nameIn,
  unwritten,
  type Writing,
  written,
} from './faults.ts';
import { instanceOf, type Parameter } from './instance.ts';
import { Reaction } from './reaction.ts';
import { ComponentWatch } from './watch.ts';

/** Shapes and layouts that are remembered. */
const mostShapes = 8;
const mostLayouts = 64;

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
  /** The same object in runs with the same parameters and start values. */
  readonly values: () => object | undefined;
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
  private hasEnded = false;
  readonly watch: ComponentWatch;
  private readonly direct: DirectOutputs;
  /** Where outputs lie that states and time give. */
  private readonly ofStates: readonly { readonly start: number; readonly end: number }[];
  /** Number of the state of the component: as long as it is the same, outputs follow from their inputs. */
  version = 0;
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
    this.direct = new DirectOutputs(component, this);
    this.ofStates = component.outputs.flatMap(({ start, length, direct }) =>
      direct ? [] : [{ start, end: start + length }],
    );
    this.listsBefore = remember(declaredLists, component.flat, () => new WeakMap());
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
    const { parameter, start, values } = this.around;
    const startOf = (output: number) => start(this.component.outputs[output]!);
    const instance = instanceOf(this.component, parameter, startOf, values());
    this.memory = this.watch.call('allocate', () => this.builtIn.allocate(instance));
    this.allocated = true;
  }

  /** The run is over. */
  end(): void {
    if (!this.allocated || this.hasEnded) return;
    this.hasEnded = true;
    const { builtIn } = this;
    if (builtIn.end) this.watch.call('end', () => builtIn.end!(this.memory));
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
        const what = nameIn(this.component, this.layout, 'stateOutputs', i);
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
    if (this.blanks) for (const { start, end } of this.ofStates) this.blanks.y.fill(start, end);
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
      const what = nameIn(this.component, this.layout, 'indicators', k);
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
  directOutput(code: ComponentCode, values: Float64Array, inputs: number, outputs: number): void {
    if (!code.derivative && this.notFinite?.fn === 'directOutput') this.notFinite = undefined;
    this.direct.write(code, values, inputs, outputs);
  }

  computeDirect(output: number): void {
    const { start, length } = this.component.outputs[output]!;
    this.blanks?.y.fill(start, start + length);
    this.evaluate('directOutput', output);
  }

  noteDirect(i: number): void {
    this.noteNotFinite('directOutput', i);
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
    const reaction = new Reaction();
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
      ...reaction.asking(this.component.flat, this.told),
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
    const { component, layout, notFinite } = this;
    this.notFinite = undefined;
    if (!notFinite) return undefined;
    const { fn, i, blank } = notFinite;
    const what = nameIn(component, layout, fn, i);
    if (component.flat.arrays) {
      this.unexplained = true;
      return badEquation(component, layout, notFinite, what, time);
    }
    const given = blank || fn === 'stateOutputs' ? undefined : badInput(component, this.point.u, time);
    const explained = given ?? (blank ? undefined : this.explain({ kind: 'not-finite', time }));
    if (explained) return explained;
    const wrong = blank ? unwritten(what) : `it gives ${what}, which is not a finite number`;
    return this.watch.breach(fn, wrong);
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

  stateName(i: number): string {
    return declaredName(this.states, i);
  }
}

/** What lists that cannot change declared, in this run or in one before. */
const declaredLists = new WeakMap<FlatComponent, WeakMap<readonly VariableDeclaration[], DeclaredList>>();

const empty = new Float64Array(0);

const unknownPattern: ComponentPattern = {};
