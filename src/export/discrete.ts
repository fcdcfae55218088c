/** What changes at events only: the equations of discrete variables in all modes, assertions and the end of the run. */
import type { FlatAction, FlatEquation } from '../flat/flat.ts';
import type { GuardedModel, Scalar } from '../modes/guarded.ts';
import { guardHolds } from '../modes/relevance.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { ExportFrame } from './frame.ts';
import { array, chain, choice, define, disjuncts, equal, nowhereInText, whenever } from './phrases.ts';
import { valueIn } from './systems.ts';

export class DiscreteEquations {
  /** Variables that the equations determine. */
  readonly symbols: number[] = [];
  /** Discrete variables that conditions of modes and of transitions depend on at once. */
  private readonly deciding: ReadonlySet<number>;

  /** `conditions` are those that select modes. */
  constructor(
    private readonly frame: ExportFrame,
    conditions: Iterable<number>,
  ) {
    this.deciding = decidingIn(this.frame.model, conditions);
  }

  equations(): FlatEquation[] {
    return this.frame.model.scalars.flatMap((scalar, symbol) => {
      if (scalar.kind !== 'discrete' || this.frame.words.meanings.has(symbol)) return [];
      this.symbols.push(symbol);
      return this.equationOf(scalar, symbol);
    });
  }

  /**
   * In modes that do not have it, a discrete variable keeps its value; where its state is entered anew, it begins with its start
   * value. Real ones, and those of when-equations, change in a when-equation.
   */
  private equationOf(scalar: Scalar, symbol: number): FlatEquation[] {
    const { pool, words, systems, machines, mode } = this.frame;
    const own = pool.ref(symbol);
    const before = pool.pre(symbol);
    const values = systems.map((s) => valueIn(pool, s, own) ?? before);
    const origin = scalar.variable?.origin ?? nowhereInText;
    const isEarly = this.deciding.has(symbol);
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
      systems.map((s, k) => ({ when: equal(pool, mode, s.number), value: said[k]! })),
    );
    const right = isEarly ? value : chain(pool, set, value);
    const triggers = [...new Set(values.flatMap((v) => triggersOf(this.frame, v)))];
    const isHeld = values.every((v) => v === before);
    const isPlain = triggers.length === 0 && (scalar.type !== 'Real' || !(isHeld || set.length > 0));
    if (isPlain) return [define(own, right, origin)];
    const events = [...triggers, ...set.flatMap((s) => disjuncts(s.when))];
    const condition = array(pool, events.length > 0 ? events : [pool.raw('initial', [])]);
    const given = isHeld && set.length === 1 ? set[0]!.value : right;
    return [whenever(condition, [{ kind: 'assign', target: own, value: given, origin }], origin)];
  }

  /** Assertions and the end of the run. */
  actions(): FlatEquation[] {
    const { frame } = this;
    const { pool, words } = frame;
    return this.frame.model.actions.flatMap((action): FlatEquation[] => {
      if (action.kind === 'reinit') return [];
      const { origin, guard } = action;
      const here = frame.inModes((s) => s.members.some((values) => guardHolds(guard, values)));
      const message = words.say(action.message);
      const triggers = action.fire ? triggersOf(this.frame, action.fire) : [];
      const when = (body: FlatAction) => whenever(array(pool, triggers), [body], origin);
      const fire = pool.and(here, words.say(action.fire ?? pool.one));
      if (action.kind === 'terminate') return [when({ kind: 'terminate', message, when: fire, origin })];
      const condition = pool.apply('or', pool.not(fire), words.say(action.condition));
      const assertion = { kind: 'assert' as const, condition, message, level: action.level, origin };
      return [action.fire ? when(assertion) : assertion];
    });
  }
}

/** Discrete variables that conditions of modes and of transitions depend on at once. */
function decidingIn(model: GuardedModel, conditions: Iterable<number>): ReadonlySet<number> {
  const found = new Set<number>();
  const open: Expr[] = [
    ...[...conditions].map((k) => model.conditions[k]!.value),
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
  return found;
}

/** The Booleans of when-equations in an expression of the lowered model, and `initial()`. */
export function triggersOf({ model, words }: ExportFrame, expr: Expr): Expr[] {
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
