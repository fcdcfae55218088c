/**
 * Which mode is in force: a Boolean for each condition that selects modes, the number of the mode that belongs to them and to the
 * active states (`next`), and that number in the iteration before (`mode`).
 */
import type { FlatEquation } from '../flat/flat.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import { isRelevant } from '../modes/relevance.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { ExportFrame } from './frame.ts';
import { chain, choice, conjunction, define, disjunction, nowhereInText } from './phrases.ts';
import type { ModeSystem } from './systems.ts';

/** One entry for each condition that matters (+k + 1 where it holds, -k - 1 else), then the expressions of active states. */
type Cube = (number | Expr)[];

export class ModeEquations {
  /** Variables that the equations determine. */
  readonly symbols: number[] = [];
  /** Booleans of the conditions that select modes. */
  readonly conditions = new Map<number, Expr>();

  constructor(private readonly frame: ExportFrame) {}

  equations(): FlatEquation[] {
    const { frame } = this;
    const { pool, model, collection, words } = frame;
    const result: FlatEquation[] = [];
    for (const k of collection.free) {
      const { value, origin, label } = model.conditions[k]!;
      if (value.kind === 'ref') {
        this.conditions.set(k, value);
        continue;
      }
      const name = `condition${this.conditions.size + 1}`;
      const start = pool.bool(collection.modes[0]!.values[k]!);
      const holds = words.declareDiscrete(name, 'Boolean', label, start);
      this.conditions.set(k, holds);
      this.symbols.push(holds.symbol);
      const here = frame.inModes((s) => exists(model, value, s));
      result.push(define(holds, pool.if(here, words.say(value), pool.pre(holds.symbol)), origin));
    }
    const settled = conjunction(
      pool,
      [...this.conditions.values()].map((c) => pool.raw('eq', [c, pool.pre((c as Ref).symbol)])),
    );
    result.push(
      ...frame.machines.equations(
        settled,
        (k) => this.conditions.get(k) ?? pool.bool(collection.modes[0]!.values[k]!),
        (expr, { from }) =>
          frame.inModes((s) => exists(model, expr, s) || !s.members.some((values) => values[from.condition])),
      ),
      define(frame.next, this.nextMode()),
      define(frame.mode, pool.pre(frame.next.symbol)),
    );
    this.symbols.push(...frame.machines.symbols, frame.next.symbol, frame.mode.symbol);
    if (this.singular().length > 0) {
      const message = `The equations have no solution in this mode: ${this.singular().join('; or ')}`;
      result.push({
        kind: 'assert',
        condition: pool.apply('ne', frame.next, pool.zero),
        message: pool.text(message),
        level: 'error',
        origin: nowhereInText,
      });
    }
    return result;
  }

  private singular(): string[] {
    return this.frame.collection.modes.filter((m) => !m.analysis.sorted).map((m) => m.mode.signature);
  }

  /** The number of the mode that belongs to the conditions and active states; 0 for singular ones. */
  private nextMode(): Expr {
    const { pool } = this.frame;
    const cases = this.frame.systems.map(({ number, members }) => ({
      when: disjunction(
        pool,
        reduced(members.map((values) => this.cubeOf(values))).map((cube) =>
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

  private cubeOf(values: readonly boolean[]): Cube {
    const relevant = [...this.conditions.keys()].filter((k) => isRelevant(this.frame.model, k, values));
    const conditions = relevant.map((k) => (values[k] ? k + 1 : -k - 1));
    const positions = this.frame.model.machines.flatMap(
      (_, k) => this.frame.machines.position(k, values) ?? [],
    );
    return [...conditions, ...positions];
  }

  private literal(literal: Cube[number]): Expr {
    if (typeof literal !== 'number') return literal;
    const variable = this.conditions.get(Math.abs(literal) - 1)!;
    const settings = this.frame.machines.settings((variable as Ref).symbol);
    const condition = chain(this.frame.pool, settings, variable);
    return literal > 0 ? condition : this.frame.pool.not(condition);
  }
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
function reduced(cubes: readonly Cube[]): Cube[] {
  let list = [...cubes];
  for (;;) {
    const pair = findPair(list);
    if (!pair) return list;
    const [a, b, literal] = pair;
    list = [...list.filter((c) => c !== a && c !== b), a.filter((l) => l !== literal)];
  }
}

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
