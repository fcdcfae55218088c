/**
 * Equations that depend on the values of conditions, as nested if-equations. The conditions that matter are made into
 * choices: the states of one machine exclude each other and are one choice, any other condition is a choice of its
 * own. The caller gives the equations for each combination; what is the same in all branches of a choice is written once,
 * outside of it, so that a choice that makes no difference disappears.
 */
import { remember } from '../../collections/memo.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import type { FlatEquation, FlatIf, Guard, Origin } from '../flat.ts';

/** Combinations of one set of choices; more are refused. */
export const mostCombinations = 4096;

/** At most one of `conditions` holds. */
export interface ConnectionChoice {
  readonly conditions: readonly number[];
  /** Exactly one of them holds where this does; undefined where none of them may hold at any time. */
  readonly complete: Guard | undefined;
  /** None of them holds where this does not. */
  readonly outer: Guard;
}

/** Tells for one combination whether a guard holds. */
export type Holds = (guard: Guard) => boolean;

/** The states of one machine, and the guard of the machine itself. */
interface Group {
  readonly members: readonly number[];
  readonly outer: Guard;
}

export class ConnectionChoices {
  private readonly groupOf = new Map<number, Group>();

  constructor(builder: FlatBuilder) {
    const outerOf = new Map<number, Guard>();
    for (const [state, guard] of builder.guards) {
      for (const { condition } of guard) outerOf.set(condition, builder.guardOf(state.parent));
    }
    for (const members of builder.exclusive) {
      const group = { members, outer: outerOf.get(members[0]!) ?? [] };
      for (const condition of members) this.groupOf.set(condition, group);
    }
  }

  /** The states that exclude a state. */
  machineOf(condition: number): readonly number[] | undefined {
    return this.groupOf.get(condition)?.members;
  }

  /** The choices that decide guards: outer machines before inner ones, machines before other conditions. */
  of(guards: Iterable<Guard>): ConnectionChoice[] {
    const conditions = new Set<number>();
    for (const guard of guards) for (const literal of guard) conditions.add(literal.condition);
    const groups = new Set<Group>();
    const single: ConnectionChoice[] = [];
    for (const condition of [...conditions].sort((a, b) => a - b)) {
      const group = this.groupOf.get(condition);
      if (group) groups.add(group);
      else single.push({ conditions: [condition], complete: undefined, outer: [] });
    }
    const machines = [...groups].sort((a, b) => a.outer.length - b.outer.length);
    return [...machines.map((group) => choiceOf(group, conditions)), ...single];
  }
}

function choiceOf({ members, outer }: Group, occurring: ReadonlySet<number>): ConnectionChoice {
  const conditions = members.filter((condition) => occurring.has(condition));
  return { conditions, complete: conditions.length === members.length ? outer : undefined, outer };
}

/** The equations of all combinations; undefined where there are too many of them. */
export function chosenEquations(
  choices: readonly ConnectionChoice[],
  origin: Origin,
  equationsOf: (holds: Holds) => readonly FlatEquation[],
): readonly FlatEquation[] | undefined {
  const tree = new Tree(choices, origin, equationsOf);
  // Every choice has at least one option, so that the depth of the tree has to be limited as well.
  return choices.length > mostCombinations ? undefined : tree.below(0)?.map((row) => row.equation);
}

/** An equation with a number that equal equations share. */
interface Row {
  readonly equation: FlatEquation;
  readonly id: number;
}

type Branches = FlatIf['branches'][number][];

/** The values that have been given to conditions on the way to one combination. */
class Combination {
  private readonly values = new Map<number, boolean>();
  readonly holds: Holds = (guard) => guard.every((l) => this.values.get(l.condition) === l.value);

  /** Results for each option of a choice; undefined where one of them has none. */
  each<T>(
    choice: ConnectionChoice,
    below: () => T | undefined,
  ): { condition: number | undefined; result: T }[] | undefined {
    const results: { condition: number | undefined; result: T }[] = [];
    for (const condition of this.options(choice)) {
      for (const member of choice.conditions) this.values.set(member, member === condition);
      const result = below();
      if (result === undefined) return undefined;
      results.push({ condition, result });
    }
    for (const member of choice.conditions) this.values.delete(member);
    return results;
  }

  /** Conditions of which one holds; undefined where none of them does. */
  private options({ conditions, complete, outer }: ConnectionChoice): (number | undefined)[] {
    const denied = outer.some((l) => this.values.get(l.condition) === !l.value);
    if (denied) return [undefined];
    return complete && this.holds(complete) ? [...conditions] : [...conditions, undefined];
  }
}

/** What is true in those combinations for which `of` gives true; undefined where there are too many of them. */
export function chosenCondition(
  { pool, conditions }: FlatBuilder,
  choices: readonly ConnectionChoice[],
  of: (holds: Holds) => boolean,
): Expr | undefined {
  const combination = new Combination();
  let combinations = 0;
  const below = (depth: number): Expr | undefined => {
    const choice = choices[depth];
    if (!choice) return ++combinations > mostCombinations ? undefined : pool.bool(of(combination.holds));
    const options = combination.each(choice, () => below(depth + 1));
    return options?.reduceRight<Expr | undefined>((otherwise, { condition, result }) => {
      if (!otherwise || condition === undefined || otherwise === result) return result;
      const test = conditions[condition]!.value;
      return pool.apply('or', pool.and(test, result), pool.and(pool.not(test), otherwise));
    }, undefined);
  };
  return choices.length > mostCombinations ? undefined : below(0);
}

class Tree {
  private readonly combination = new Combination();
  private readonly ids = new Map<string, number>();
  private combinations = 0;

  constructor(
    private readonly choices: readonly ConnectionChoice[],
    private readonly origin: Origin,
    private readonly equationsOf: (holds: Holds) => readonly FlatEquation[],
  ) {}

  /** The rows for the values given to the first `depth` choices. */
  below(depth: number): Row[] | undefined {
    const choice = this.choices[depth];
    if (!choice) {
      if (++this.combinations > mostCombinations) return undefined;
      return this.equationsOf(this.combination.holds).map((equation) => this.row(equation));
    }
    const branches = this.combination.each(choice, () => this.below(depth + 1));
    return branches && this.joined(branches.map(({ condition, result }) => ({ condition, rows: result })));
  }

  /** What all branches share, then an if-equation with the rest; the last branch needs no condition. */
  private joined(branches: readonly { condition: number | undefined; rows: readonly Row[] }[]): Row[] {
    const [first, ...others] = branches.map(({ rows }) => new Set(rows.map((row) => row.id)));
    const shared = new Set([...first!].filter((id) => others.every((ids) => ids.has(id))));
    const common = branches[0]!.rows.filter((row) => shared.has(row.id));
    const own = branches.map(({ condition, rows }) => ({
      condition,
      rows: rows.filter((row) => !shared.has(row.id)),
    }));
    const last = own[own.length - 1]!.rows;
    const lastKey = keyOf(last);
    const kept = own.filter(({ rows }) => keyOf(rows) !== lastKey);
    if (kept.length === 0) return [...common, ...last];
    const bodies: Branches = kept.map(({ condition, rows }) => ({ condition, body: equationsIn(rows) }));
    if (last.length === 1 && last[0]!.equation.kind === 'if') bodies.push(...last[0]!.equation.branches);
    else if (last.length > 0) bodies.push({ condition: undefined, body: equationsIn(last) });
    const key = kept.map(({ condition, rows }) => `${condition}:${keyOf(rows)}`).join('|');
    const equation: FlatEquation = { kind: 'if', branches: bodies, origin: this.origin };
    return [...common, { equation, id: this.number(`if ${key}|${lastKey}`) }];
  }

  private row(equation: FlatEquation): Row {
    if (equation.kind !== 'equal') throw new Error('only equalities are chosen by combinations');
    return { equation, id: this.number(`${equation.left.id}=${equation.right.id}`) };
  }

  private number(key: string): number {
    return remember(this.ids, key, () => this.ids.size);
  }
}

const equationsIn = (rows: readonly Row[]): FlatEquation[] => rows.map((row) => row.equation);

const keyOf = (rows: readonly Row[]): string => rows.map((row) => row.id).join(',');
