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
import { Failure } from '../diagnostic/failure.ts';
import type { FlatEquation } from '../flat/flat.ts';
import type { PrintedDeclaration, PrintedSection } from '../flat/print/class.ts';
import { expressionsOf } from '../flat/walk.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { ModeCollection } from '../simulate/collection.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { ChangeWriter } from './changes.ts';
import { Declarations, isParametric } from './declarations.ts';
import { DiscreteEquations } from './discrete.ts';
import type { ExportFrame } from './frame.ts';
import { MachineEquations } from './machines.ts';
import { ModeEquations } from './modes.ts';
import { choice, define, disjunction, equal } from './phrases.ts';
import { type ModeSystem, modeSystems, valueIn } from './systems.ts';
import { Vocabulary } from './words.ts';

/** A model in the words of `vocabulary`. */
export interface OneStructure {
  readonly vocabulary: Vocabulary;
  readonly modes: readonly string[];
  readonly sections: readonly PrintedSection[];
  readonly declarations: readonly PrintedDeclaration[];
  readonly initial: readonly FlatEquation[];
}

export function mergeModes(collection: ModeCollection): OneStructure {
  return new Merger(collection).run();
}

class Merger implements ExportFrame {
  readonly words: Vocabulary;
  readonly systems: readonly ModeSystem[];
  readonly machines: MachineEquations;
  readonly mode: Ref;
  readonly next: Ref;
  readonly alphas = new Map<Ref, Ref>();
  readonly fixed = new Map<number, Expr>();
  /** Variables that the equations of all modes determine. */
  readonly symbols: number[] = [];
  readonly model: GuardedModel;
  readonly pool: Pool;
  private readonly betas = new Map<Ref, Ref>();

  constructor(readonly collection: ModeCollection) {
    this.model = collection.model;
    this.pool = this.model.pool;
    this.words = new Vocabulary(collection);
    this.systems = modeSystems(collection);
    const list = this.systems.map((s) => `${s.number} ${s.mode.signature}`).join('; ');
    this.mode = this.words.declareDiscrete('mode', 'Integer', `Mode in force: ${list}`);
    const asked = 'Mode that the conditions ask for';
    this.next = this.words.declareDiscrete('next', 'Integer', asked, this.pool.one);
    this.machines = new MachineEquations(this.collection, this.words);
    this.nameStates();
  }

  run(): OneStructure {
    const modes = new ModeEquations(this);
    const choosing = modes.equations();
    const continuous = this.continuousEquations();
    const discrete = new DiscreteEquations(this, modes.conditions.keys());
    const changes = new ChangeWriter(this).equations();
    const initial = this.initialEquations();
    const sections = [
      { title: 'Modes', equations: choosing },
      { title: 'Discrete variables', equations: discrete.equations() },
      { title: 'Equations of all modes: steps 1 to 4', equations: continuous },
      { title: 'New values of states when the mode changes: step 5', equations: changes.equations },
      { title: 'Assertions and end of the run', equations: discrete.actions() },
    ].filter((s) => s.equations.length > 0);
    const all = sections.flatMap((s) => s.equations);
    const used = mentioned(this.pool, all);
    const entries = this.machines.entryTimes((symbol) => used.has(symbol));
    if (entries.length > 0)
      sections[0] = { ...sections[0]!, equations: [...choosing, ...entries.map((e) => e.equation)] };
    const symbols = [modes, this, discrete, changes].flatMap((part) => part.symbols);
    this.checkDetermined(used, symbols);
    return {
      vocabulary: this.words,
      modes: this.systems.map((s) => s.mode.signature),
      sections,
      declarations: new Declarations(this).all([...symbols, ...entries.map((e) => e.declaration)]),
      initial,
    };
  }

  /** A variable that no mode determines has no place in one structure; modes in which it exists may have no solution. */
  private checkDetermined(used: ReadonlySet<number>, declared: readonly number[]): void {
    const known = new Set(declared);
    for (const symbol of used) {
      const scalar = this.model.scalars[symbol];
      if (scalar?.kind !== 'continuous' || known.has(symbol)) continue;
      const message = `${scalar.name} is used, but no mode that has a solution determines it.`;
      const hint = `Give ${scalar.name} an equation in all modes.`;
      throw Failure.of('translate', 'not-exportable', message, { span: scalar.variable?.origin.span, hint });
    }
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
      words.derivatives.set(pool.ref(alpha.symbol, 1), pool.ref(alpha.symbol, 1));
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

  isCommon(ref: Ref): boolean {
    return this.systems.every((s) => s.states.has(ref));
  }

  /** der(x) of a state that all modes have stays; any other derivative is a variable. */
  private nameDerivative(ref: Ref): void {
    const { pool, words } = this;
    const below = pool.ref(ref.symbol, ref.order - 1);
    if (this.isCommon(below)) {
      const own = below.order === 0 ? below : (words.say(below) as Ref);
      words.derivatives.set(ref, pool.ref(own.symbol, 1));
      return;
    }
    const { name } = this.model.scalars[ref.symbol]!;
    const prefix = ref.order === 1 ? 'der' : `der${ref.order}`;
    words.derivatives.set(
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
      : this.collection.wording.nameOfRef(ref);
  }

  // -------------------------------------------------------------- continuous variables

  private continuousEquations(): FlatEquation[] {
    const { pool, words, model } = this;
    const result: FlatEquation[] = [];
    for (const ref of this.unknowns()) {
      if (model.scalars[ref.symbol]!.kind !== 'continuous') continue;
      const own = words.say(ref) as Ref;
      if (own.order === 0) this.symbols.push(own.symbol);
      if (!this.isCommon(ref)) result.push(this.switched(ref, own));
      const alpha = this.alphas.get(ref);
      if (!alpha) continue;
      const beta = this.betas.get(ref)!;
      this.symbols.push(alpha.symbol, beta.symbol);
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

  // -------------------------------------------------------------- initial values

  /** The conditions that the initial mode needs; start values are marked as fixed, others are equations. */
  private initialEquations(): FlatEquation[] {
    const { pool, words, model } = this;
    const [first] = this.systems;
    const { mode, sorted, constraints, held } = first!;
    const result: FlatEquation[] = [];
    const begin = (symbol: number, left: Expr, right: Expr): void => {
      if (isParametric(model, right)) this.fixed.set(symbol, right);
      else result.push(define(words.say(left), words.say(right)));
    };
    for (const { left, right } of mode.initialEquations)
      if (left.kind === 'pre') result.push(define(left, words.say(right)));
    for (const { left, right, symbol } of this.collection.initialConditions(mode, sorted)) {
      if (symbol !== undefined) begin(symbol, left, model.scalars[symbol]!.start ?? pool.zero);
      else result.push(define(words.say(left), words.say(right)));
    }
    for (const ref of held) begin(ref.symbol, ref, model.scalars[ref.symbol]!.start ?? pool.zero);
    // Where all candidates are states, what relates them holds at the beginning by an equation.
    for (const constraint of constraints) result.push(define(pool.zero, words.say(constraint)));
    return result;
  }
}

/** The symbols that occur in equations. */
function mentioned(pool: Pool, equations: readonly FlatEquation[]): ReadonlySet<number> {
  const symbols = new Set<number>();
  for (const equation of equations)
    for (const expr of expressionsOf({ pool, conditions: [] }, equation))
      for (const leaf of leaves(expr))
        if (leaf.kind === 'ref' || leaf.kind === 'pre') symbols.add(leaf.symbol);
  return symbols;
}
