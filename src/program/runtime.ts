/** The runtime of one translation: its model, and the parts by which modes of it are made and run. Those who need one part take that alone. */
import { compileUnit } from '../code/wasm.ts';
import type { Component, GuardedModel } from '../modes/guarded.ts';
import { type ConditionValues, type Mode, ModeSelector } from '../modes/mode.ts';
import { Decisions } from '../structure/decisions.ts';
import type { Knowledge } from '../structure/nonzero.ts';
import type { ExternalCalls } from '../symbolic/function.ts';
import { givenInverse } from '../symbolic/given.ts';
import { Components } from './components/components.ts';
import { type GivenValues, RunValues } from './evaluation.ts';
import { ModelFacts } from './facts.ts';
import { evaluateParameters } from './parameters.ts';
import { RepeatedParameters } from './repeated.ts';
import { type BackEnd, CodeStore } from './store.ts';
import { Wording } from './wording.ts';

const nothing: GivenValues = new Map();

export class Runtime {
  readonly values: RunValues;
  readonly wording: Wording;
  readonly facts: ModelFacts;
  readonly components: Components;
  readonly code: CodeStore;
  /** What is known of parameters while structure is analysed. */
  readonly knowledge: Knowledge & { readonly decisions: Decisions };
  private selector: ModeSelector | undefined;
  private repeated: RepeatedParameters | undefined;
  private readonly findings = new Map<(runtime: Runtime) => unknown, unknown>();

  constructor(
    /** The model as far as modes have shown what is structural in it. */
    public model: GuardedModel,
    backEnd: BackEnd = compileUnit,
  ) {
    const functions = model.functions.slice();
    const external: ExternalCalls = {
      component: (...call) => this.components.directOutput(...call),
      foreign: (code, args) => this.values.foreign.call(code, args),
    };
    this.values = new RunValues(model, functions, external);
    this.wording = new Wording(model, functions);
    this.facts = new ModelFacts(model);
    this.components = new Components(this.values);
    const { values, facts } = this;
    const isSingle = () => this.model.conditions.length === 0;
    this.code = new CodeStore(values, functions, external, facts.isDiscrete, isSingle, backEnd);
    this.knowledge = {
      isParameter: (symbol) => model.scalars[symbol]?.kind === 'parameter' && !facts.open.has(symbol),
      evaluate: (expr) => values.evaluateGuess(expr),
      inverse: (call, argument, value) => givenInverse(values.pool, functions, call, argument, value),
      decisions: new Decisions(),
    };
  }

  /**
   * Begins another run: nothing of the one before is left in the memory, and parameters have their values. The components of the run may
   * be others than those of the model, as long as they read and determine the same.
   */
  begin(given: GivenValues = nothing, components: readonly Component[] = this.model.components): void {
    this.values.begin(given);
    this.components.begin(components);
    evaluateParameters(this.values, this.wording);
    this.repeated ??= new RepeatedParameters(this.values);
    this.values.known = this.repeated.look(components);
  }

  /** Ends a run: external objects that it made are no more, and components have done their work. */
  end(): void {
    this.components.end();
    this.values.end();
  }

  /** The mode for values of all conditions, where these parameters are zero. */
  select(values: ConditionValues, zeros?: ReadonlySet<number>): Mode {
    this.selector ??= new ModeSelector(this.model);
    return this.selector.select(this.model, values, zeros);
  }

  /** What a function finds out about this runtime, once for all runs; functions stand for their findings. */
  finding<T>(find: (runtime: Runtime) => T): T {
    if (!this.findings.has(find)) this.findings.set(find, find(this));
    return this.findings.get(find) as T;
  }

  /** The same where it has been found out already. */
  found<T>(find: (runtime: Runtime) => T): T | undefined {
    return this.findings.get(find) as T | undefined;
  }
}
