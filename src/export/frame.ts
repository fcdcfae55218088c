/** What the parts of a text with one structure know of each other. */
import type { GuardedModel } from '../modes/guarded.ts';
import type { ModeCollection } from '../simulate/collection.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { MachineEquations } from './machines.ts';
import type { ModeSystem } from './systems.ts';
import type { Vocabulary } from './words.ts';

export interface ExportFrame {
  readonly collection: ModeCollection;
  /** Of the collection. */
  readonly model: GuardedModel;
  readonly pool: Pool;
  readonly words: Vocabulary;
  readonly systems: readonly ModeSystem[];
  readonly machines: MachineEquations;
  /** Variables of the text: the mode in force, and the mode to be entered. */
  readonly mode: Ref;
  readonly next: Ref;
  /** States that have a variable alpha. */
  readonly alphas: ReadonlyMap<Ref, Ref>;
  /** Start values that the initial mode needs. */
  readonly fixed: ReadonlyMap<number, Expr>;
  /** True in the modes that satisfy the test. */
  inModes(test: (system: ModeSystem) => boolean): Expr;
  /** Whether an unknown is a state in all modes. */
  isCommon(ref: Ref): boolean;
}
