/**
 * Built-in components at run time. `Components` holds all of them; an `ActiveComponent` is one that exists in a mode, with the slots of its inputs
 * there. The state vector of a mode is (states of its equations, states of its parts).
 */
import type { Ahead, Trouble } from '../../builtin/component.ts';
import { copyNumbers } from '../../collections/lists.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import type { Component, ComponentOutput, ComponentParameter } from '../../modes/guarded.ts';
import { guardHolds } from '../../modes/relevance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { ComponentCode } from '../../symbolic/function.ts';
import type { RunValues } from '../evaluation.ts';
import type { Needs } from './equations.ts';
import type { Parameter } from './instance.ts';
import { LiveComponent } from './running.ts';

export class Components {
  live: readonly LiveComponent[] = [];
  /** By component: elements of outputs that states give, and the slots of these. */
  private readonly outputs: readonly { readonly elements: Int32Array; readonly slots: Int32Array }[];

  constructor(private readonly values: RunValues) {
    const { model, pool } = values;
    this.begin(model.components);
    this.outputs = model.components.map(({ outputs }) => {
      const given = outputs.filter((output) => !output.direct);
      return {
        elements: Int32Array.from(given.flatMap(({ symbols, start }) => symbols.map((_, k) => start + k))),
        slots: Int32Array.from(
          given.flatMap(({ symbols }) => symbols),
          (s) => values.slot(pool.ref(s)),
        ),
      };
    });
  }

  /** Components that cannot go on as they are, while something can take their place. */
  private readonly refused = new Set<FlatComponent>();

  /** Takes note that a component cannot go on as it is; false where nothing can take its place. */
  refuse(component: FlatComponent): boolean {
    const isReplaceable = component.arrays !== undefined || component.equations !== undefined;
    if (isReplaceable) this.refused.add(component);
    return isReplaceable;
  }

  /** Whether it is of no use to go on. */
  get isRefused(): boolean {
    return this.refused.size > 0;
  }

  /** What has to take the place of components that were refused since the last call: scalars first. */
  takeNeeds(): Needs | undefined {
    const refused = [...this.refused];
    this.refused.clear();
    if (refused.length === 0) return undefined;
    const scalars = refused.some(({ arrays }) => arrays);
    return { scalars, equations: scalars ? [] : refused.map(({ path }) => path) };
  }

  /** Begins a run: no component has a memory yet. */
  begin(components: readonly Component[]): void {
    const { values } = this;
    const time = () => values.time;
    const parameter = parameterReader(values);
    const start = startReader(values);
    const refuse = (component: FlatComponent) => this.refuse(component);
    const given = () => values.known;
    this.live = components.map(
      (component) => new LiveComponent(component, { time, parameter, start, refuse, values: given }),
    );
  }

  end(): void {
    for (const live of this.live) live.end();
  }

  /** Computes an output for generated code. */
  directOutput(code: ComponentCode, values: Float64Array, inputs: number, outputs: number): void {
    this.live[code.component]!.directOutput(code, values, inputs, outputs);
  }

  /** Begins what exists and has not begun, or is part of a state that was entered anew. */
  enter(conditions: readonly boolean[], entered: readonly number[]): void {
    for (const [k, live] of this.live.entries()) {
      const { guard } = live.component.flat;
      if (!guardHolds(guard, conditions)) continue;
      const anew = guard.some(({ condition }) => entered.includes(condition));
      if (live.segments > 0 && !anew) continue;
      live.begin(true);
      this.writeOutputs(k);
    }
  }

  /** Begins another segment of a component that asked for it. */
  restart(k: number): void {
    this.live[k]!.begin(false);
    this.writeOutputs(k);
  }

  /** Computes what states and time give, and brings it into the memory; false where it is no number. */
  showOutputs(k: number, t: number): boolean {
    this.live[k]!.stateOutputs(t);
    return this.writeOutputs(k);
  }

  private writeOutputs(k: number): boolean {
    const { values } = this.values.memory;
    const { elements, slots } = this.outputs[k]!;
    const live = this.live[k]!;
    const { y } = live.point;
    let finite = true;
    for (let i = 0; i < slots.length; i++) {
      const value = y[elements[i]!]!;
      if (!Number.isFinite(value)) finite = live.noteNotFinite('stateOutputs', elements[i]!);
      values[slots[i]!] = value;
    }
    return finite;
  }

  /** Why a component gave something that is no number, where one did. */
  fault(time?: number): Diagnostic | undefined {
    return this.first((live) => live.takeFault(time));
  }

  /** Why a run cannot go on, where a component knows it. */
  explain(trouble: Trouble): Diagnostic | undefined {
    return this.first((live) => live.explain(trouble));
  }

  private first(find: (live: LiveComponent) => Diagnostic | undefined): Diagnostic | undefined {
    for (const live of this.live) {
      const found = find(live);
      if (found) return found;
    }
    return undefined;
  }
}

/** A component in a mode. */
export class ActiveComponent {
  live: LiveComponent;
  private readonly inputSlots: Int32Array;
  /** Where its states lie in the state vector of the mode, and its indicators among all of them. */
  offset = 0;
  firstIndicator = 0;
  private ownSteady: boolean | undefined;
  /** States while they are elsewhere. */
  private kept: Float64Array = new Float64Array(0);

  constructor(
    private readonly values: RunValues,
    private readonly components: Components,
    readonly index: number,
    /** Where the values of its inputs are. */
    readonly inputLeaves: readonly Expr[],
    private readonly findSteady: () => boolean,
  ) {
    this.live = components.live[index]!;
    this.inputSlots = Int32Array.from(inputLeaves, (leaf) => values.slot(leaf));
  }

  /** Begins a run. */
  renew(): void {
    this.live = this.components.live[this.index]!;
  }

  get size(): number {
    return this.live.point.x.length;
  }

  /** Takes the states from the state vector, and brings what they give into the memory. */
  place(t: number, y: Float64Array): boolean {
    const { live } = this;
    copyNumbers(y, this.offset, live.point.x, 0, live.point.x.length);
    return this.components.showOutputs(this.index, t);
  }

  readStates(y: Float64Array): void {
    const { point } = this.live;
    copyNumbers(point.x, 0, y, this.offset, point.x.length);
  }

  /** Inputs as the memory has them now. */
  readInputs(): void {
    const { values } = this.values.memory;
    const { inputSlots } = this;
    const { u } = this.live.point;
    for (let k = 0; k < inputSlots.length; k++) u[k] = values[inputSlots[k]!]!;
  }

  /** Takes note of what the inputs are before an event. */
  rememberInputs(): void {
    this.readInputs();
    this.live.rememberInputs();
  }

  /** Where it does look ahead: see `BuiltIn.lookAhead`. */
  lookAhead(): Ahead | undefined {
    if (!this.live.builtIn.lookAhead) return undefined;
    this.readInputs();
    return this.live.lookAhead(this.isSteady);
  }

  /** Whether only events change its inputs in this mode. */
  get isSteady(): boolean {
    this.ownSteady ??= this.findSteady();
    return this.ownSteady;
  }

  /** Where it does follow: a copy of the inputs as the memory has them now. */
  copiedInputs(): Float64Array {
    this.readInputs();
    return this.live.point.u.slice();
  }

  derivatives(dy: Float64Array): boolean {
    const { live } = this;
    const { dx } = live.point;
    if (dx.length === 0) return true;
    this.readInputs();
    live.derivatives();
    copyNumbers(dx, 0, dy, this.offset, dx.length);
    let check = 0;
    for (let i = 0; i < dx.length; i++) check += dx[i]! * 0;
    if (check === 0) return true;
    const wrong = dx.findIndex((value) => !Number.isFinite(value));
    return live.noteNotFinite('derivatives', wrong);
  }

  /** Moves the states along their derivatives to a time close by; `moveBack` brings them back. */
  moveAhead(t: number, step: number): void {
    const { live } = this;
    const { x, dx } = live.point;
    this.readInputs();
    if (x.length > 0) live.derivatives();
    this.kept = x.slice();
    for (let i = 0; i < x.length; i++) x[i]! += step * dx[i]!;
    this.components.showOutputs(this.index, t);
  }

  moveBack(t: number): void {
    this.live.point.x.set(this.kept);
    this.components.showOutputs(this.index, t);
  }

  indicators(out: Float64Array): void {
    const { live } = this;
    const { z } = live.point;
    if (z.length === 0) return;
    this.readInputs();
    live.indicators();
    copyNumbers(z, 0, out, this.firstIndicator, z.length);
  }
}

/** Start values of outputs, where declarations or modifications give them. */
function startReader(values: RunValues): (output: ComponentOutput) => readonly number[] | undefined {
  const { equations, scalars } = values.model;
  return ({ firstEquation, length }) => {
    const starts = equations.slice(firstEquation, firstEquation + length).map(({ left }) => {
      const scalar = left.kind === 'ref' ? scalars[left.symbol] : undefined;
      return scalar?.variable?.start && scalar.start;
    });
    return starts.every((start) => start !== undefined)
      ? starts.map((start) => values.evaluate(start!))
      : undefined;
  };
}

/** Values of parameters as components see them. */
function parameterReader(values: RunValues): (parameter: ComponentParameter) => Parameter {
  return ({ variable, elements }) => {
    const { type, dims } = variable;
    const evaluated = (element: ComponentParameter['elements'][number]) => {
      if (typeof element !== 'object') return element;
      return type === 'String' ? values.text(element) : values.evaluate(element);
    };
    const shown = (value: number | string) => (type === 'Boolean' ? value !== 0 : value);
    return { dims, elements: elements.map((element) => shown(evaluated(element))) };
  };
}
