/**
 * Held values of relations of elements in a run (`fields/sorting/relations.ts`), by the rules of scalar relations (`simulate/instant/relations.ts`): between events they stay;
 * at an event each is what its indicator says, and one that was seen to cross has crossed, even where rounding puts its indicator on zero. Until
 * the initial values are known they follow every change.
 */

import { holds, type RelationOp } from '../../symbolic/arithmetic.ts';
import type { FieldMemory, FieldProgram } from './program.ts';

/** Rounds in which relations that depend on each other are brought together while initial values are sought. */
const mostRounds = 10;

export class HeldRelations {
  readonly count: number;
  /** By indicator: the operator. */
  private readonly ops: readonly RelationOp[];

  constructor(private readonly program: FieldProgram) {
    this.ops = program.field.relations.flatMap(({ op, size }) => new Array<RelationOp>(size).fill(op));
    this.count = this.ops.length;
  }

  /** While initial values are sought: all that states alone decide, or all. */
  seek(memory: FieldMemory, isAll: boolean): void {
    if (!memory.seeking || this.count === 0) return;
    const { forIndicators, forStateIndicators } = this.program;
    const routine = isAll ? forIndicators : forStateIndicators;
    if (routine.length === 0) return;
    for (let round = 0; round < mostRounds; round++) {
      this.program.run(memory, routine);
      if (!this.follow(memory, [])) return;
    }
  }

  /** New values from the indicators as they are; true if one changed. */
  update(memory: FieldMemory, crossed: readonly number[]): boolean {
    if (this.count === 0) return false;
    this.program.run(memory, this.program.forIndicators);
    return this.follow(memory, crossed);
  }

  /** The sign that each indicator has as long as its relation keeps its value. */
  sides({ doubles }: FieldMemory, out: Int8Array): void {
    const { held } = this.program.layout;
    for (let k = 0; k < this.count; k++)
      out[k] = (doubles[held + k] !== 0) === isAbove(this.ops[k]!) ? 1 : -1;
  }

  private follow({ doubles }: FieldMemory, crossed: readonly number[]): boolean {
    const { held, z } = this.program.layout;
    const { ops } = this;
    let changed = false;
    for (let k = 0; k < ops.length; k++) {
      const indicator = doubles[z + k]!;
      // Inputs are not known yet.
      if (Number.isNaN(indicator)) continue;
      const value = holds(ops[k]!, indicator) ? 1 : 0;
      if (doubles[held + k] === value) continue;
      doubles[held + k] = value;
      changed = true;
    }
    for (const k of crossed) {
      if (doubles[z + k] !== 0) continue;
      doubles[held + k] = 1 - doubles[held + k]!;
      changed = true;
    }
    return changed;
  }
}

const isAbove = (op: RelationOp): boolean => op === 'gt' || op === 'ge';
