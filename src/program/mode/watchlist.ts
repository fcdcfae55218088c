/**
 * Which events could hide inside a step, and where. Steps follow the states; an indicator may be far quicker: `sin(1e4*time) > 0.5` while all
 * states rest, `abs(x - 3) < 1e-5` on the way of x. What indicators are made of tells which of them are so:
 *
 *     functions of time alone     their changes are looked for before a step, so that it ends soon after the first of them
 *     of time and of states, and
 *     sharper than polynomials    their changes are looked for in a step that was taken
 *     all others                  change as the states do, or follow such functions through systems of equations: they are looked
 *                                 at where these turn; so are those that choose modes of a network, which may be zero all along,
 *                                 but for rounding, as differences of large terms: of these, ranges tell nothing
 *
 * So can pulses of the derivatives: where the peak of a source charges a capacitor through a diode. No step passes a turning point of a function of
 * time that derivatives may answer with a pulse.
 *
 * None of this depends on values: it is found once for all runs (`Scan` looks).
 */
import type { Plan, PlanItem } from '../../code/plan.ts';
import { choosingRelations, leastNetwork, movableConditions } from '../../modes/undecided.ts';
import { type SolveBlock, unknownsOf } from '../../structure/analysis.ts';
import { children, degreeOf, fold } from '../../symbolic/analyse.ts';
import type { LeafMeaning } from '../../symbolic/enclosure.ts';
import type { Expr, Leaf, Op } from '../../symbolic/expr.ts';
import { rangeRule } from '../../symbolic/intervals.ts';
import { isLogical } from '../../symbolic/operators.ts';
import type { ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Functions of time that move by less than this share of their size do not turn. Those of networks are differences of large terms, of which ranges say
 * so little that a smaller share would cost too much.
 */
const still = { usual: 1e-4, network: 0.01 };
/** Nodes of an indicator of states that is looked at by ranges; larger ones are looked at where functions of time turn. */
const mostNodes = 400;

/** A function that is looked at, and its indicator; -1 where its turning points count. */
interface Root {
  readonly value: Expr;
  readonly indicator: number;
}

export interface Watchlist {
  /** By indicator: 1 where its changes are found by ranges. */
  readonly ranged: Uint8Array;
  /** Relations of time alone. */
  readonly timed: ReadonlySet<number>;
  /** Whether some indicator may change at any time without any sign of it. */
  readonly opaque: boolean;
  /** What is looked at before a step, and in one that was taken. */
  readonly ahead: readonly Root[];
  readonly behind: readonly Root[];
  readonly meaning: (leaf: Leaf) => LeafMeaning;
  /** Functions of time that move by less than this share of their size do not turn. */
  readonly share: number;
}

/** What can be told of a mode whose components have indicators, or have none, as they do now. */
export function watchlistOf(runtime: Runtime, mode: ReadyMode): Watchlist {
  const ranged = new Uint8Array(mode.watched.length);
  const timed = new Set<number>();
  const anatomy = new Anatomy(runtime, mode);
  const { model } = runtime;
  const ahead: Root[] = [];
  const behind: Root[] = [];
  const pilots = new Set<Expr>();
  /** Functions of time whose turning points end steps. */
  const turning = new Set<Expr>();
  // Arrays are loops over equations: their elements change as scalars do.
  const isNetwork = movableConditions(model).length >= leastNetwork;
  const choosing = isNetwork ? choosingRelations(model) : none;
  const isCode = mode.parts.some(({ live }) => !live.component.flat.arrays);
  let opaque = mode.parts.some(({ live }) => !live.component.flat.arrays && live.point.z.length > 0);
  for (const [indicator, { relation }] of mode.watched.entries()) {
    const value = mode.resolve(runtime.values.indicatorOf(relation));
    const kind = anatomy.kindOf(value);
    const isRanged = !kind.opaque && (kind.bent || !kind.states || !choosing.has(relation));
    const list = !isRanged ? undefined : !kind.states ? ahead : kind.sharp ? behind : undefined;
    if (list && (list === ahead || anatomy.isSmall(value, mostNodes))) {
      list.push({ value, indicator });
      ranged[indicator] = 1;
      if (list === ahead) timed.add(relation);
      anatomy.collectBent(value, list === ahead ? turning : pilots);
    } else if (kind.opaque || kind.sharp || !kind.states) {
      if (anatomy.collectPilots(value, pilots) && (isCode || mode.parts.length === 0)) opaque = true;
    }
  }
  for (const { inputLeaves, live } of mode.parts)
    if (live.point.z.length > 0) for (const leaf of inputLeaves) anatomy.collectPilots(leaf, pilots);
  for (const value of [...pilots]) anatomy.collectBent(value, pilots);
  for (const value of pilots) behind.push({ value, indicator: -1 });
  if (mode.states.length > 0 || mode.parts.length > 0) anatomy.collectDrivers(mode.plan, turning);
  for (const value of turning) ahead.push({ value, indicator: -1 });
  const share = isNetwork ? still.network : still.usual;
  return { ranged, timed, opaque, ahead, behind, meaning: anatomy.meaning, share };
}

/** What an expression is made of. */
interface Kind {
  /** By everything that varies: constant, linear, or anything else. */
  readonly degree: number;
  readonly states: boolean;
  /** Something in it has no ranges. */
  readonly opaque: boolean;
  /** Depends on states, and may change much faster than they do. */
  readonly sharp: boolean;
  /** So it does because of the states themselves, not of functions of time beside them. */
  readonly bent: boolean;
}

/** Whether a function of time passes through polynomials of low degree alone. */
type Way = 'gentle' | 'sharp';

/** What the values of a mode are made of. */
class Anatomy {
  private readonly states: ReadonlyMap<Expr, number>;
  private readonly definitions = new Map<Expr, Expr>();
  /** By unknown of a system: what the system reads. */
  private readonly systems = new Map<Expr, readonly Expr[]>();
  private readonly kinds = new Map<Expr, Kind>();
  /** What was looked at for functions of time. */
  private readonly seen = new Set<Expr>();
  private readonly seenSystems = new Set<readonly Expr[]>();
  private readonly degrees = new Map<Expr, number>();

  constructor(
    private readonly runtime: Runtime,
    mode: ReadyMode,
  ) {
    this.states = new Map(mode.states.map((state, k) => [state, k + 1]));
    const { items, watchItems, systems } = mode.plan;
    const note = (item: PlanItem): void => {
      if (item.kind === 'assign') {
        if (!item.discrete) this.definitions.set(item.leaf, item.value);
        return;
      }
      const { block } = systems[item.system]!;
      const reads = valuesIn(block);
      for (const unknown of unknownsOf(block)) this.systems.set(unknown, reads);
    };
    items.forEach(note);
    watchItems.forEach(note);
  }

  /** Variables are numbered: time is 0, the states follow. */
  readonly meaning = (leaf: Leaf): LeafMeaning => {
    if (leaf.kind === 'time') return { kind: 'varies', k: 0 };
    const state = this.states.get(leaf);
    if (state !== undefined) return { kind: 'varies', k: state };
    const value = this.definitions.get(leaf);
    return value ? { kind: 'equals', value } : { kind: 'constant' };
  };

  kindOf(expr: Expr): Kind {
    const judged = (node: Expr): Kind => {
      const kind = this.judge(node);
      this.degrees.set(node, kind.degree);
      return kind;
    };
    return fold(expr, this.kinds, judged, (node) => this.below(node));
  }

  /** Whether an expression has at most so many nodes. */
  isSmall(expr: Expr, most: number): boolean {
    const seen = new Set<Expr>([expr]);
    for (const node of seen) {
      if (seen.size > most) return false;
      for (const child of this.below(node)) seen.add(child);
    }
    return seen.size <= most;
  }

  /**
   * Finds the functions of time, or of states and sharper than polynomials, that an expression depends on, beside what was looked at before; true where
   * something else may let it change at any time.
   */
  collectPilots(expr: Expr, pilots: Set<Expr>): boolean {
    let hidden = false;
    const { seen } = this;
    const open = seen.has(expr) ? [] : [expr];
    seen.add(expr);
    for (let node = open.pop(); node; node = open.pop()) {
      const { degree, states, opaque, bent } = this.kindOf(node);
      if (!opaque && (!states || (bent && !this.isGentle(node) && this.isSmall(node, mostNodes)))) {
        if (degree > 1) pilots.add(node);
        continue;
      }
      const reads = this.systems.get(node);
      if (!reads && opaque && node.kind !== 'apply' && !this.definitions.has(node)) hidden = true;
      // All unknowns of a system read the same.
      if (reads && this.seenSystems.has(reads)) continue;
      if (reads) this.seenSystems.add(reads);
      for (const child of reads ?? this.below(node)) {
        if (seen.has(child)) continue;
        seen.add(child);
        open.push(child);
      }
    }
    return hidden;
  }

  /** Functions of time alone that derivatives of states may answer with pulses: they pass through what is not gentle, or are not so themselves. */
  collectDrivers({ items, systems }: Plan, drivers: Set<Expr>): void {
    const timed = this.runtime.finding(timedExprs);
    const isTimed = (expr: Expr): boolean => readsTime(expr, timed);
    const isDriven = items.some((item) =>
      item.kind === 'assign' ? isTimed(item.value) : valuesIn(systems[item.system]!.block).some(isTimed),
    );
    if (!isDriven) return;
    /** Expressions, and lists of what systems read: all unknowns of a system have the same. */
    const seen = { gentle: new Set<Expr | readonly Expr[]>(), sharp: new Set<Expr | readonly Expr[]>() };
    const open: { node: Expr; way: Way }[] = [];
    const isNew = (what: Expr | readonly Expr[], way: Way): boolean => {
      if (seen.sharp.has(what) || seen[way].has(what)) return false;
      seen[way].add(what);
      return true;
    };
    const visit = (node: Expr, way: Way): void => {
      if (isNew(node, way)) open.push({ node, way });
    };
    for (const item of items) {
      if (item.kind === 'system') {
        const { block, linear } = systems[item.system]!;
        for (const value of valuesIn(block)) visit(value, linear ? 'gentle' : 'sharp');
      } else if (!item.discrete) visit(item.value, 'gentle');
    }
    for (let next = open.pop(); next; next = open.pop()) {
      const { node, way } = next;
      const { degree, states, opaque } = this.kindOf(node);
      if (!states && !opaque) {
        if (degree > 1 && (way === 'sharp' || !this.isTame(node))) drivers.add(node);
        continue;
      }
      const below = this.isGentle(node) ? way : 'sharp';
      const reads = this.systems.get(node);
      if (reads && !isNew(reads, below)) continue;
      for (const child of reads ?? this.below(node)) visit(child, below);
    }
  }

  /**
   * Finds what a function of time bends: ranges of `u - min(u, 1)` are as wide as those of u where it is zero all along; but between the turning points of
   * u and the places where u = 1, where the square of their difference turns, it changes its sign once at most.
   */
  collectBent(expr: Expr, found: Set<Expr>): void {
    const { pool } = this.runtime.values;
    const seen = new Set([expr]);
    for (const node of seen) {
      const below = this.below(node);
      for (const child of below) seen.add(child);
      if (this.isGentle(node) || node.kind !== 'apply') continue;
      const [first, second] = node.args;
      const square = (value: Expr): Expr[] => [pool.apply('pow', value, pool.const(2))];
      const bent =
        second && comparing.has(node.op)
          ? square(pool.sub(first!, second))
          : node.op === 'abs' || node.op === 'sign'
            ? square(first!)
            : below;
      for (const value of bent) if (this.kindOf(value).degree > 1 && !isTruth(value)) found.add(value);
    }
  }

  /** Whether a function of time is made of harmonics, exponentials and polynomials: any few values tell that it moves. */
  private isTame(expr: Expr): boolean {
    if (this.kindOf(expr).degree <= 1) return true;
    if (expr.kind === 'apply' && (expr.op === 'sin' || expr.op === 'cos' || expr.op === 'exp'))
      return this.kindOf(expr.args[0]!).degree <= 1;
    return this.isGentle(expr) && this.below(expr).every((node) => this.isTame(node));
  }

  private isGentle(node: Expr): boolean {
    if (node.kind !== 'apply') return node.kind !== 'call';
    const kinds = node.args.map((arg) => this.kindOf(arg));
    return isGentle(node, kinds);
  }

  private below(node: Expr): readonly Expr[] {
    if (node.kind === 'apply' || node.kind === 'call') return node.args;
    const value = this.definitions.get(node);
    return value ? [value] : [];
  }

  private judge(node: Expr): Kind {
    if (node.kind === 'time') return { ...constant, degree: 1 };
    if (this.states.has(node)) return { ...constant, degree: 1, states: true };
    const value = this.definitions.get(node);
    if (value) return this.kinds.get(value)!;
    if (node.kind === 'apply') return this.judgeOperator(node);
    const opaque = node.kind === 'call' || this.systems.has(node) || this.variesUnseen(node);
    return opaque ? { ...constant, degree: 2, states: true, opaque } : constant;
  }

  private judgeOperator(node: Expr & { kind: 'apply' }): Kind {
    const args = node.args.map((arg) => this.kinds.get(arg)!);
    const states = args.some((arg) => arg.states);
    const isFast = (arg: Kind): boolean => arg.sharp || (!arg.states && arg.degree > 1);
    const degree = degreeOf(node, this.degrees);
    const bent = args.some((arg) => arg.bent) || (states && degree > 1 && !isGentle(node, args));
    return {
      degree,
      states,
      opaque: (degree > 0 && !rangeRule(node.op)) || args.some((arg) => arg.opaque),
      sharp: bent || (states && args.some(isFast)),
      bent,
    };
  }

  /** Variables that are neither states nor computed from them here, and vary between events. */
  private variesUnseen(node: Expr): boolean {
    if (node.kind !== 'ref') return false;
    const kind = this.runtime.model.scalars[node.symbol]?.kind;
    return kind === 'external' || kind === 'continuous';
  }
}

/** Which expressions read the time: modes share most of them. */
const timedExprs = (): Map<Expr, boolean> => new Map();

function readsTime(expr: Expr, known: Map<Expr, boolean>): boolean {
  const isRead = (child: Expr): boolean => known.get(child)!;
  return fold(expr, known, (node) => node.kind === 'time' || children(node).some(isRead));
}

/** What a system computes on the way to its solution. */
const valuesIn = ({ inner, residuals }: SolveBlock): Expr[] => [
  ...inner.map(({ value }) => value),
  ...residuals,
];

const constant: Kind = { degree: 0, states: false, opaque: false, sharp: false, bent: false };

/** Operators that bend, or step, where their two arguments are equal. */
const comparing: ReadonlySet<Op> = new Set<Op>(['min', 'max', 'lt', 'le', 'gt', 'ge']);

const isTruth = (expr: Expr): boolean => expr.kind === 'apply' && isLogical(expr.op);

const none: ReadonlySet<number> = new Set();

/** Polynomials of low degree change as their arguments do. */
function isGentle(node: Expr & { kind: 'apply' }, args: readonly Kind[]): boolean {
  switch (node.op) {
    case 'add':
    case 'sub':
    case 'neg':
    case 'mul':
    case 'noEvent':
    case 'smooth':
    case 'homotopy':
      return true;
    case 'div':
      return args[1]!.degree === 0;
    case 'if':
      return args[0]!.degree === 0;
    case 'pow': {
      const exponent = node.args[1]!;
      return exponent.kind === 'const' && [1, 2, 3, 4].includes(exponent.value);
    }
    default:
      return false;
  }
}
