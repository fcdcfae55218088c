/**
 * A flat model whose inputs follow a table. The event engine sets a variable for every column at the instants of the table (`FlatSchedule`), and
 * equations do the rest, so that steps and kinks are events like all others:
 *
 *     v = if tick then cell else pre(v)        a discrete input, or the value of another one at the last instant
 *     u = v + slope*(time - since)             a Real input, linear from one instant to the next; without a slope where it is held
 *
 * Where the equation of `u` has to be differentiated, its derivative is the slope.
 */
import type { Expr } from '../symbolic/expr.ts';
import { blank } from './core/blank.ts';
import type { FlatEquation, FlatModel, FlatVariable, Origin } from './flat.ts';

/** What the event engine sets at each instant: elements of an input one after the other, their slopes, or the instant itself. */
export type DrivenCell =
  | { readonly kind: 'value' | 'slope'; readonly input: FlatVariable }
  | { readonly kind: 'instant' };

export interface DrivenModel {
  readonly flat: FlatModel;
  /** What the variables of `flat.schedule.cells` are. */
  readonly cells: readonly DrivenCell[];
}

/** Whether an input changes at events only, whatever it is driven by. */
export const isStepwise = ({ type, variability }: FlatVariable): boolean =>
  type !== 'Real' || variability === 'discrete';

/** Drives inputs, given by their numbers among the variables. With `hold`, values stay until the next instant. */
export function drivenModel(flat: FlatModel, inputs: readonly number[], hold: boolean): DrivenModel {
  const driving = new Driving(flat);
  for (const symbol of inputs) driving.drive(symbol, hold);
  return driving.finish();
}

class Driving {
  private readonly variables: FlatVariable[];
  private readonly equations: FlatEquation[];
  private readonly cells: DrivenCell[] = [];
  private readonly symbols: number[] = [];
  private readonly tick: number;
  private instant: Expr | undefined;

  constructor(private readonly flat: FlatModel) {
    this.variables = [...flat.variables];
    this.equations = [...flat.equations];
    this.tick = this.add({ name: '$tick', type: 'Boolean', engine: true });
  }

  drive(symbol: number, hold: boolean): void {
    const { pool } = this.flat;
    const input = this.variables[symbol]!;
    const { name, dims, origin } = input;
    this.variables[symbol] = { ...input, driven: true };
    if (isStepwise(input)) {
      this.follow(symbol, { kind: 'value', input });
      return;
    }
    const part = (kind: 'value' | 'slope'): Expr => {
      const own = this.add({ name: `$${kind}.${name}`, dims, origin });
      this.follow(own, { kind, input });
      return pool.ref(own);
    };
    const value = part('value');
    const passed = () => pool.sub(pool.time, this.lastInstant());
    const right = hold ? value : pool.add(value, pool.mul(part('slope'), passed()));
    this.equate(symbol, right, origin);
  }

  finish(): DrivenModel {
    const { flat, variables, equations, tick, symbols, cells } = this;
    return { flat: { ...flat, variables, equations, schedule: { tick, cells: symbols } }, cells };
  }

  private lastInstant(): Expr {
    if (this.instant) return this.instant;
    const symbol = this.add({ name: '$instant' });
    this.follow(symbol, { kind: 'instant' });
    return (this.instant = this.flat.pool.ref(symbol));
  }

  /** Lets a discrete variable take what a cell holds at every instant. */
  private follow(symbol: number, cell: DrivenCell): void {
    const { pool } = this.flat;
    const { name, type, dims, origin } = this.variables[symbol]!;
    const own = this.add({ name: `$cell.${name}`, type, dims, engine: true });
    this.cells.push(cell);
    this.symbols.push(own);
    this.equate(symbol, pool.if(pool.ref(this.tick), pool.ref(own), pool.pre(symbol)), origin);
  }

  private equate(symbol: number, right: Expr, origin: Origin): void {
    const { dims } = this.variables[symbol]!;
    this.equations.push({ kind: 'equal', left: this.flat.pool.ref(symbol), right, dims, origin });
  }

  /** A discrete variable that results do not hold. */
  private add(declared: Partial<FlatVariable>): number {
    return this.variables.push({ ...blank, variability: 'discrete', copy: true, ...declared }) - 1;
  }
}
