/**
 * Which states of clocked machines can be active at the same tick. The activity of a state is a variable, whose equation says that its machine
 * runs and is in that state, `a.active = $machine1.active == 1` (`flat/clocks/automata.ts`); two states exclude each other where they, or the
 * states around them, are different ones of one machine.
 */
import type { Expr } from '../symbolic/expr.ts';
import type { ClockedRow } from './reduction.ts';

export class Exclusion {
  /** By variable: what it is at a tick, whatever state is active. */
  private readonly definitions = new Map<number, Expr>();

  constructor(rows: readonly ClockedRow[]) {
    for (const { left, right, active } of rows)
      if (left.kind === 'ref' && active.kind === 'const') this.definitions.set(left.symbol, right);
  }

  /** Two of the rows that may hold at the same tick. */
  overlapping(rows: readonly ClockedRow[]): readonly [ClockedRow, ClockedRow] | undefined {
    const places = rows.map(({ active }) => this.statesIn(active));
    for (const [k, row] of rows.entries())
      for (let i = 0; i < k; i++)
        if (rows[i]!.active === row.active || !exclude(places[i]!, places[k]!)) return [rows[i]!, row];
    return undefined;
  }

  /** By the variable that tells in which state a machine is: the number of the state that a condition asks for. */
  private statesIn(condition: Expr, found = new Map<number, number>()): Map<number, number> {
    if (condition.kind === 'ref') {
      const own = this.definitions.get(condition.symbol);
      if (own) this.statesIn(own, found);
      return found;
    }
    if (condition.kind !== 'apply') return found;
    const [a, b] = condition.args;
    if (condition.op === 'and') for (const part of condition.args) this.statesIn(part, found);
    else if (condition.op === 'eq' && a!.kind === 'ref' && b!.kind === 'const')
      found.set(a!.symbol, b!.value);
    return found;
  }
}

/** What a condition says in another way, by hand, is not known to overlap. */
const exclude = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): boolean =>
  a.size === 0 ||
  b.size === 0 ||
  [...a].some(([machine, state]) => b.has(machine) && b.get(machine) !== state);
