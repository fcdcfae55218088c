/**
 * One structure for all modes, by the five steps of Urquia and Dormido (Object-Oriented Description of Hybrid Dynamic Systems
 * of Variable Structure):
 *
 * 1. Every variable exists in all modes; where a mode does not have it, it is zero.
 * 2. A variable x that is a state in some modes only is no state any more: alpha_x is one, with `der(alpha_x) = beta_x`, and
 *    `x = alpha_x` in the modes in which x is a state.
 * 3. The index of every mode is reduced for itself (`systems.ts`); derivatives of what is no state are variables der_x.
 * 4. These exist in all modes too, with zero where a mode does not have them; `beta_x = der_x`.
 * 5. When the mode changes, the states get their new values by `reinit`: those that conservation asks for (`restart.ts`).
 *
 * The mode in force is the value that `next` had in the iteration before. So in the iteration in which a change is decided
 * everything still has its left limit; `reinit` computes with these, and the next iteration is the first one in the new mode.
 */
import type { FlatEquation, FlatVariable } from '../flat/flat.ts';
import type { GuardedModel, Scalar } from '../modes/guarded.ts';
import { guardHolds, isRelevant } from '../modes/relevance.ts';
import { usedConditions } from '../simulate/initial.ts';
import type { Runtime } from '../simulate/runtime.ts';
import type { ModeCollection } from '../simulate/survey.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { Changes } from './changes.ts';
import { MachineEquations } from './machines.ts';
import { array, choice, conjunction, disjunction, disjuncts, equal } from './phrases.ts';
import { type ModeSystem, modeSystems, valueIn } from './systems.ts';
import { type Declaration, Vocabulary } from './words.ts';

/** A model in the words of `vocabulary`. */
export interface OneStructure {
  readonly vocabulary: Vocabulary;
  readonly modes: readonly string[];
  readonly sections: readonly Section[];
  readonly declarations: readonly Declaration[];
  readonly initial: readonly FlatEquation[];
}

export interface Section {
  readonly title: string;
  readonly equations: readonly FlatEquation[];
}

export function mergeModes(collection: ModeCollection): OneStructure {
  return new Merger(collection).run();
}

/** What the parts of the text share. */
export interface Frame {
  readonly runtime: Runtime;
  readonly words: Vocabulary;
  readonly systems: readonly ModeSystem[];
  readonly machines: MachineEquations;
  /** Variables of the text: the mode in force, and the mode to be entered. */
  readonly mode: Ref;
  readonly next: Ref;
  /** States that have a variable alpha. */
  readonly alphas: ReadonlyMap<Ref, Ref>;
  /** True in the modes that satisfy the test. */
  inModes(test: (system: ModeSystem) => boolean): Expr;
}

class Merger implements Frame {
  readonly runtime: Runtime;
  readonly words: Vocabulary;
  readonly systems: readonly ModeSystem[];
  readonly machines: MachineEquations;
  readonly mode: Ref;
  readonly next: Ref;
  readonly alphas = new Map<Ref, Ref>();
  private readonly model: GuardedModel;
  private readonly pool: Pool;
  private readonly collection: ModeCollection;
  private readonly betas = new Map<Ref, Ref>();
  /** Booleans of the conditions that select modes. */
  private readonly conditions = new Map<number, Expr>();
  /** Symbols that the text declares, in order. */
  private readonly declared: number[] = [];
  private readonly fixed = new Map<number, Expr>();
  private decisive: ReadonlySet<number> | undefined;

  constructor(collection: ModeCollection) {
    this.collection = collection;
    this.runtime = collection.runtime;
    this.model = this.runtime.model;
    this.pool = this.model.pool;
    this.words = new Vocabulary(this.runtime);
    this.systems = modeSystems(this.runtime, collection.modes);
    const list = this.systems.map((s) => `${s.number} ${s.mode.signature}`).join('; ');
    this.mode = this.words.declare('mode', {
      type: 'Integer',
      variability: 'discrete',
      description: `Mode in force: ${list}`,
    });
    this.next = this.words.declare('next', {
      type: 'Integer',
      variability: 'discrete',
      start: this.pool.one,
      fixed: true,
      description: 'Mode that the conditions ask for',
    });
    this.machines = new MachineEquations(this.runtime, this.words);
    this.nameStates();
  }

  run(): OneStructure {
    const modes = this.modeEquations();
    const continuous = this.continuousEquations();
    const discrete = this.discreteEquations();
    const changes = new Changes(this).equations();
    const initial = this.initialEquations();
    const sections = [
      { title: 'Modes', equations: modes },
      { title: 'Discrete variables', equations: discrete },
      { title: 'Equations of all modes: steps 1 to 4', equations: continuous },
      { title: 'New values of states when the mode changes: step 5', equations: changes.equations },
      { title: 'Assertions and end of the run', equations: this.otherActions() },
    ].filter((s) => s.equations.length > 0);
    const entries = this.machines.entryTimes(mentioned(sections.flatMap((s) => s.equations)));
    if (entries.length > 0)
      sections[0] = { ...sections[0]!, equations: [...modes, ...entries.map((e) => e.equation)] };
    for (const symbol of [...changes.symbols, ...entries.map((e) => e.declaration)])
      this.declared.push(symbol);
    return {
      vocabulary: this.words,
      modes: this.systems.map((s) => s.mode.signature),
      sections,
      declarations: this.declarations(),
      initial,
    };
  }

  inModes(test: (system: ModeSystem) => boolean): Expr {
    const chosen = this.systems.filter(test);
    if (chosen.length === this.systems.length) return this.pool.one;
    return disjunction(
      this.pool,
      chosen.map((s) => equal(this.pool, this.mode, s.number)),
    );
  }

  // -------------------------------------------------------------- states

  /** Second step: variables for states that are not states in all modes, and for derivatives. */
  private nameStates(): void {
    const { pool, words, systems } = this;
    for (const ref of this.unknowns()) {
      const holders = systems.filter((s) => s.states.has(ref));
      if (ref.order > 0) this.nameDerivative(ref);
      if (holders.length === 0 || holders.length === systems.length) continue;
      const name = this.nameOf(ref);
      const scalar = this.model.scalars[ref.symbol]!;
      const unit = scalar.variable?.unit ?? '';
      const alpha = words.declare(`alpha_${name}`, {
        unit: ref.order === 0 ? unit : '',
        description: `Stands for ${name} as a state`,
        stateSelect: 'always',
      });
      this.alphas.set(ref, alpha);
      this.betas.set(ref, words.declare(`beta_${name}`, { description: `Derivative of alpha_${name}` }));
      words.setDerivative(pool.ref(alpha.symbol, 1), pool.ref(alpha.symbol, 1));
    }
  }

  /** Everything that modes compute, and derivatives that conditions and actions ask for. */
  private unknowns(): Ref[] {
    const { model, systems } = this;
    const asked = [
      ...model.relations.flatMap((r) => [r.left, r.right]),
      ...model.conditions.map((c) => c.value),
      ...model.actions.flatMap((a) =>
        a.kind === 'reinit' ? [a.value] : a.kind === 'assert' ? [a.condition] : [],
      ),
      ...model.machines.flatMap((m) =>
        m.transitions.flatMap((t) => [t.condition, ...t.actions.map((a) => a.value)]),
      ),
    ].flatMap((expr) => leaves(expr).filter((leaf): leaf is Ref => leaf.kind === 'ref' && leaf.order > 0));
    const refs = new Set([
      ...systems.flatMap((s) => [...s.states, ...s.values.keys(), ...s.residuals.keys()]),
      ...asked,
    ]);
    return [...refs].sort((a, b) => a.symbol - b.symbol || a.order - b.order);
  }

  private isCommon(ref: Ref): boolean {
    return this.systems.every((s) => s.states.has(ref));
  }

  /** der(x) of a state that all modes have stays; any other derivative is a variable. */
  private nameDerivative(ref: Ref): void {
    const { pool, words } = this;
    const below = pool.ref(ref.symbol, ref.order - 1);
    if (this.isCommon(below)) {
      const own = below.order === 0 ? below : (words.say(below) as Ref);
      words.setDerivative(ref, pool.ref(own.symbol, 1));
      return;
    }
    const { name } = this.model.scalars[ref.symbol]!;
    const prefix = ref.order === 1 ? 'der' : `der${ref.order}`;
    words.setDerivative(
      ref,
      words.declare(`${prefix}_${name}`, {
        description: `Derivative of ${name}${ref.order > 1 ? `, order ${ref.order}` : ''}`,
      }),
    );
  }

  private nameOf(ref: Ref): string {
    const own = this.words.say(ref);
    return own.kind === 'ref' && own.order === 0
      ? this.words.nameOf(own.symbol)
      : this.runtime.nameOfRef(ref);
  }

  // -------------------------------------------------------------- modes

  private modeEquations(): FlatEquation[] {
    const { pool, model, words, collection } = this;
    const result: FlatEquation[] = [];
    for (const k of collection.free) {
      const { value, origin } = model.conditions[k]!;
      if (value.kind === 'ref') {
        this.conditions.set(k, value);
        continue;
      }
      const holds = words.declare(`condition${this.conditions.size + 1}`, {
        type: 'Boolean',
        variability: 'discrete',
        start: pool.bool(collection.modes[0]!.values[k]!),
        fixed: true,
        description: model.conditions[k]!.label,
      });
      this.conditions.set(k, holds);
      this.declared.push(holds.symbol);
      const here = this.inModes((s) => exists(model, value, s));
      result.push(define(holds, pool.if(here, words.say(value), pool.pre(holds.symbol)), origin));
    }
    const settled = conjunction(
      pool,
      [...this.conditions.values()].map((c) => pool.raw('eq', [c, pool.pre((c as Ref).symbol)])),
    );
    result.push(
      ...this.machines.equations(
        settled,
        (k) => this.conditions.get(k) ?? pool.bool(collection.modes[0]!.values[k]!),
        (expr, { from }) =>
          this.inModes((s) => exists(model, expr, s) || !s.members.some((values) => values[from.condition])),
      ),
      define(this.next, this.nextMode()),
      define(this.mode, pool.pre(this.next.symbol)),
    );
    this.declared.push(...this.machines.symbols, this.next.symbol, this.mode.symbol);
    if (this.singular().length > 0) {
      const message = `The equations have no solution in this mode: ${this.singular().join('; or ')}`;
      result.push({
        kind: 'assert',
        condition: pool.apply('ne', this.next, pool.zero),
        message: pool.text(message),
        level: 'error',
        origin: nowhereInText,
      });
    }
    return result;
  }

  private singular(): string[] {
    return this.collection.modes.filter((m) => !m.analysis.sorted).map((m) => m.mode.signature);
  }

  /** The number of the mode that belongs to the conditions and active states; 0 for singular ones. */
  private nextMode(): Expr {
    const { pool } = this;
    const cases = this.systems.map(({ number, members }) => ({
      when: disjunction(
        pool,
        reduced(members.map((values) => this.literals(values))).map((cube) =>
          conjunction(
            pool,
            cube.map((l) => this.literal(l)),
          ),
        ),
      ),
      value: pool.const(number),
    }));
    return choice(pool, cases, this.singular().length > 0 ? pool.zero : undefined);
  }

  /** One entry for each condition that matters (+k + 1 where it holds, -k - 1 else), then the expressions of active states. */
  private literals(values: readonly boolean[]): (number | Expr)[] {
    const relevant = [...this.conditions.keys()].filter((k) => isRelevant(this.model, k, values));
    const conditions = relevant.map((k) => (values[k] ? k + 1 : -k - 1));
    const positions = this.model.machines.flatMap((_, k) => this.machines.position(k, values) ?? []);
    return [...conditions, ...positions];
  }

  private literal(literal: number | Expr): Expr {
    if (typeof literal !== 'number') return literal;
    const variable = this.conditions.get(Math.abs(literal) - 1)!;
    const condition = this.machines
      .settings((variable as Ref).symbol)
      .reduceRight((rest, { when, value }) => this.pool.if(when, value, rest), variable);
    return literal > 0 ? condition : this.pool.not(condition);
  }

  // -------------------------------------------------------------- continuous variables

  private continuousEquations(): FlatEquation[] {
    const { pool, words, model } = this;
    const result: FlatEquation[] = [];
    for (const ref of this.unknowns()) {
      if (model.scalars[ref.symbol]!.kind !== 'continuous') continue;
      const own = words.say(ref) as Ref;
      if (own.order === 0) this.declared.push(own.symbol);
      if (!this.isCommon(ref)) result.push(this.switched(ref, own));
      const alpha = this.alphas.get(ref);
      if (!alpha) continue;
      const beta = this.betas.get(ref)!;
      this.declared.push(alpha.symbol, beta.symbol);
      result.push(
        define(pool.ref(alpha.symbol, 1), beta),
        define(beta, words.say(pool.ref(ref.symbol, ref.order + 1))),
      );
    }
    return result;
  }

  /** The equation of an unknown in all modes. */
  private switched(ref: Ref, own: Ref): FlatEquation {
    const { pool, words, systems } = this;
    const parts = systems.map((s) => {
      const residual = s.residuals.get(ref);
      const alpha = s.states.has(ref) ? this.alphas.get(ref) : undefined;
      const value = alpha ?? words.say(valueIn(pool, s, ref) ?? pool.zero);
      return { when: equal(pool, this.mode, s.number), value, residual: residual && words.say(residual) };
    });
    if (parts.every((p) => !p.residual)) return define(own, choice(pool, parts));
    const residuals = parts.map(({ when, value, residual }) => ({
      when,
      value: residual ?? pool.sub(own, value),
    }));
    return define(pool.zero, choice(pool, residuals));
  }

  // -------------------------------------------------------------- discrete variables

  private discreteEquations(): FlatEquation[] {
    return this.model.scalars.flatMap((scalar, symbol) => {
      if (scalar.kind !== 'discrete' || this.words.hasMeaning(symbol)) return [];
      this.declared.push(symbol);
      return this.discreteEquation(scalar, symbol);
    });
  }

  /**
   * In modes that do not have it, a discrete variable keeps its value; where its state is entered anew, it begins with its start
   * value. Real ones, and those of when-equations, change in a when-equation.
   */
  private discreteEquation(scalar: Scalar, symbol: number): FlatEquation[] {
    const { pool, words, systems, machines } = this;
    const own = pool.ref(symbol);
    const before = pool.pre(symbol);
    const values = systems.map((s) => valueIn(pool, s, own) ?? before);
    const origin = scalar.variable?.origin ?? nowhereInText;
    const isEarly = this.deciding().has(symbol);
    const set = machines.settings(symbol);
    // What decides about transitions cannot follow them in the same iteration: it begins in the next one.
    const said = values.map((value) =>
      words.say(
        isEarly
          ? substitute(pool, value, (leaf) => (leaf === before ? machines.remembered(symbol) : undefined))
          : value,
      ),
    );
    const value = choice(
      pool,
      systems.map((s, k) => ({ when: equal(pool, this.mode, s.number), value: said[k]! })),
    );
    const right = isEarly
      ? value
      : set.reduceRight((rest, { when, value: v }) => pool.if(when, v, rest), value);
    const triggers = [...new Set(values.flatMap((v) => this.triggers(v)))];
    const isHeld = values.every((v) => v === before);
    const isPlain = triggers.length === 0 && (scalar.type !== 'Real' || !(isHeld || set.length > 0));
    if (isPlain) return [define(own, right, origin)];
    const events = [...triggers, ...set.flatMap((s) => disjuncts(s.when))];
    const condition = array(pool, events.length > 0 ? events : [pool.raw('initial', [])]);
    const body = [
      {
        kind: 'assign' as const,
        target: own,
        value: isHeld && set.length === 1 ? set[0]!.value : right,
        origin,
      },
    ];
    return [{ kind: 'when', branches: [{ condition, body }], origin }];
  }

  /** Discrete variables that conditions of modes and of transitions depend on at once. */
  private deciding(): ReadonlySet<number> {
    if (this.decisive) return this.decisive;
    const { model } = this;
    const found = new Set<number>();
    const open: Expr[] = [
      ...[...this.conditions.keys()].map((k) => model.conditions[k]!.value),
      ...model.machines.flatMap((m) => m.transitions.map((t) => t.condition)),
    ];
    for (let expr = open.pop(); expr; expr = open.pop()) {
      for (const leaf of leaves(expr)) {
        if (leaf.kind !== 'ref' || model.scalars[leaf.symbol]?.kind !== 'discrete' || found.has(leaf.symbol))
          continue;
        found.add(leaf.symbol);
        for (const { assigns, right } of model.equations) if (assigns === leaf.symbol) open.push(right);
      }
    }
    this.decisive = found;
    return found;
  }

  /** The Booleans of the when-equations that an expression depends on. */
  private triggers(expr: Expr): Expr[] {
    return triggersOf(this.model, this.words, expr);
  }

  private otherActions(): FlatEquation[] {
    const { pool, words, model } = this;
    return model.actions.flatMap((action): FlatEquation[] => {
      if (action.kind === 'reinit') return [];
      const { origin, guard } = action;
      const here = this.inModes((s) => s.members.some((values) => guardHolds(guard, values)));
      const message = words.say(action.message);
      const triggers = action.fire ? this.triggers(action.fire) : [];
      const when = (
        body: Extract<FlatEquation, { kind: 'when' }>['branches'][number]['body'],
      ): FlatEquation => ({
        kind: 'when',
        branches: [{ condition: array(pool, triggers), body }],
        origin,
      });
      const fire = pool.and(here, words.say(action.fire ?? pool.one));
      if (action.kind === 'terminate') return [when([{ kind: 'terminate', message, when: fire, origin }])];
      const condition = pool.apply('or', pool.not(fire), words.say(action.condition));
      const assertion = { kind: 'assert' as const, condition, message, level: action.level, origin };
      return [action.fire ? when([assertion]) : assertion];
    });
  }

  // -------------------------------------------------------------- initial values

  /** The conditions that the initial mode needs; start values are marked as fixed, others are equations. */
  private initialEquations(): FlatEquation[] {
    const { pool, words, model } = this;
    const [first] = this.systems;
    const { mode, sorted, constraints } = first!;
    const result: FlatEquation[] = [];
    for (const { left, right } of mode.initialEquations)
      if (left.kind === 'pre') result.push(define(left, words.say(right)));
    for (const { left, right, symbol } of usedConditions(this.runtime, mode, sorted)) {
      const start = symbol === undefined ? undefined : (model.scalars[symbol]!.start ?? pool.zero);
      if (symbol !== undefined && this.isParametric(start!)) this.fixed.set(symbol, start!);
      else result.push(define(words.say(left), words.say(right)));
    }
    // Where all candidates are states, what relates them holds at the beginning by an equation.
    for (const constraint of constraints) result.push(define(pool.zero, words.say(constraint)));
    return result;
  }

  private isParametric(expr: Expr): boolean {
    return leaves(expr).every(
      (leaf) =>
        leaf.kind === 'ref' && leaf.order === 0 && this.model.scalars[leaf.symbol]!.kind === 'parameter',
    );
  }

  // -------------------------------------------------------------- declarations

  private declarations(): Declaration[] {
    const { model } = this;
    const known = model.scalars.flatMap((s, symbol) =>
      s.kind === 'parameter' || s.kind === 'input' ? [symbol] : [],
    );
    const alphaOf = new Map([...this.alphas].map(([ref, alpha]) => [alpha.symbol, ref]));
    return [...known, ...new Set(this.declared)].map((symbol) => {
      const scalar = model.scalars[symbol];
      if (scalar) return { symbol, variable: this.attributes(scalar, symbol) };
      const own = this.words.declaration(symbol);
      const state = alphaOf.get(symbol);
      return state ? { symbol, variable: this.alphaAttributes(own.variable, state) } : own;
    });
  }

  private attributes(scalar: Scalar, symbol: number): FlatVariable {
    const { variable, start, binding, nominal, kind, type } = scalar;
    const say = (e: Expr | undefined) => e && this.words.say(e);
    const usable = start && (kind === 'parameter' || this.isParametric(start)) ? start : undefined;
    const base = variable ?? this.words.declaration(this.mode.symbol).variable;
    const common = {
      ...base,
      name: scalar.name,
      type: variable?.type ?? type,
      dims: [],
      flow: false,
      min: variable?.dims.length ? undefined : say(base.min),
      max: variable?.dims.length ? undefined : say(base.max),
      nominal: say(nominal),
      binding: say(binding),
      start: say(usable),
      structural: base.structural || this.decides(symbol),
    };
    if (kind === 'parameter' || kind === 'input') return common;
    if (kind === 'continuous')
      return {
        ...common,
        description: variable?.description ?? '',
        causality: 'local',
        start: say(this.fixed.get(symbol) ?? usable),
        fixed: this.fixed.has(symbol) ? true : undefined,
        stateSelect: this.isCommon(this.pool.ref(symbol)) ? 'always' : 'default',
        variability: 'continuous',
      };
    const given = this.systems[0]!.mode.initialEquations.some((e) =>
      leaves(e.left).some((leaf) => (leaf.kind === 'pre' || leaf.kind === 'ref') && leaf.symbol === symbol),
    );
    return {
      ...common,
      description: variable?.description ?? '',
      causality: 'local',
      // Without a start value, the value at the beginning: nothing has changed before it.
      start: common.start ?? this.pool.const(this.runtime.get(this.pool.ref(symbol))),
      fixed: given ? undefined : true,
      variability: 'discrete',
    };
  }

  /** A state of the initial mode is determined by its variable; any other begins somewhere. */
  private alphaAttributes(variable: FlatVariable, ref: Ref): FlatVariable {
    const start = ref.order === 0 ? this.model.scalars[ref.symbol]!.start : undefined;
    const usable = start && this.isParametric(start) ? start : this.pool.zero;
    return { ...variable, start: usable, fixed: this.systems[0]!.states.has(ref) ? undefined : true };
  }

  /** Whether the modes that there are depend on a parameter. */
  private decides(symbol: number): boolean {
    return this.model.conditions.some(
      (c) =>
        c.structural &&
        c.constant &&
        leaves(c.value).some((leaf) => leaf.kind === 'ref' && leaf.symbol === symbol),
    );
  }
}

const nowhereInText = { span: undefined, component: '' };

const define = (left: Expr, right: Expr, origin = nowhereInText as FlatEquation['origin']): FlatEquation => ({
  kind: 'equal',
  left,
  right,
  origin,
});

/** The Booleans of when-equations in an expression of the lowered model, and `initial()`. */
export function triggersOf(model: GuardedModel, words: Vocabulary, expr: Expr): Expr[] {
  return leaves(expr).flatMap((leaf): Expr[] => {
    if (leaf.kind !== 'ref') return [];
    if (leaf.symbol === model.flags.initial) return leavesDenied(model, expr) ? [] : [words.say(leaf)];
    return /^\$when/.test(model.scalars[leaf.symbol]?.name ?? '') ? [leaf] : [];
  });
}

/** Whether `initial()` occurs in an expression only as `not initial()`. */
function leavesDenied(model: GuardedModel, expr: Expr): boolean {
  const flag = model.pool.ref(model.flags.initial);
  const denied = model.pool.not(flag);
  const seen = new Set<Expr>();
  const stack = [expr];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node === flag) return false;
    if (node === denied || seen.has(node) || (node.kind !== 'apply' && node.kind !== 'call')) continue;
    seen.add(node);
    stack.push(...node.args);
  }
  return true;
}

/** Whether all variables of an expression exist in a mode. */
function exists(model: GuardedModel, expr: Expr, { present }: ModeSystem): boolean {
  return leaves(expr).every((leaf) => {
    const kind = leaf.kind === 'ref' ? model.scalars[leaf.symbol]?.kind : undefined;
    return kind !== 'continuous' && kind !== 'discrete'
      ? relationExists(model, leaf, present)
      : present.has((leaf as Ref).symbol);
  });
}

function relationExists(model: GuardedModel, leaf: Expr, present: ReadonlySet<number>): boolean {
  if (leaf.kind !== 'held') return true;
  const { left, right } = model.relations[leaf.relation]!;
  return [left, right].every((side) =>
    leaves(side).every(
      (l) => l.kind !== 'ref' || model.scalars[l.symbol]!.kind !== 'continuous' || present.has(l.symbol),
    ),
  );
}

/** Merges combinations that differ in the value of one condition, as long as there are any. */
function reduced(cubes: readonly (number | Expr)[][]): (number | Expr)[][] {
  let list = [...cubes];
  for (;;) {
    const pair = findPair(list);
    if (!pair) return list;
    const [a, b, literal] = pair;
    list = [...list.filter((c) => c !== a && c !== b), a.filter((l) => l !== literal)];
  }
}

type Cube = (number | Expr)[];

function findPair(list: readonly Cube[]): [Cube, Cube, number] | undefined {
  for (const [i, a] of list.entries()) {
    for (const b of list.slice(i + 1)) {
      if (a.length !== b.length) continue;
      const others = a.filter((l) => !b.includes(l));
      const [only] = others;
      if (others.length === 1 && typeof only === 'number' && b.includes(-only)) return [a, b, only];
    }
  }
  return undefined;
}

/** Tells which symbols occur in equations. */
function mentioned(equations: readonly FlatEquation[]): (symbol: number) => boolean {
  const symbols = new Set<number>();
  const note = (expr: Expr) => {
    for (const leaf of leaves(expr)) if (leaf.kind === 'ref' || leaf.kind === 'pre') symbols.add(leaf.symbol);
  };
  for (const e of equations) {
    if (e.kind === 'equal') [e.left, e.right].forEach(note);
    if (e.kind === 'assert') note(e.condition);
    if (e.kind !== 'when') continue;
    for (const { condition, body } of e.branches) {
      note(condition);
      for (const action of body) if ('value' in action) note(action.value);
    }
  }
  return (symbol) => symbols.has(symbol);
}
