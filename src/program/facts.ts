/** What equations, conditions and actions of a model ask for and determine, whatever the mode. */
import { remember } from '../collections/memo.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import { eachUse } from '../modes/uses.ts';
import { openParameters } from '../modes/variables.ts';
import { leaves, reachable } from '../symbolic/analyse.ts';
import type { Expr, Leaf } from '../symbolic/expr.ts';

export class ModelFacts {
  /** Parameters whose values are not known before the initial equations are solved. */
  readonly open: ReadonlySet<number>;
  /** By relation: 1 where some equation, condition, action or transition depends on it. */
  readonly askedRelations: Uint8Array;
  /** Whether something depends on `terminal()`. */
  readonly asksForEnd: boolean;
  /** By equation of the model: 1 where it depends on a relation. */
  readonly asking: Uint8Array;
  /** By scalar: 1 where it has a value in all modes, whatever their equations. */
  readonly given: Uint8Array;
  private readonly switched = new Map<Expr, readonly Leaf[]>();

  constructor(private readonly model: GuardedModel) {
    this.open = openParameters(model);
    this.askedRelations = askedRelations(model);
    this.asksForEnd = asksFor(model, model.pool.ref(model.flags.terminal));
    const kinks = new Set(model.kinks.map((kink) => kink.smooth));
    const bends = (expr: Expr) => kinks.size > 0 && reachable(expr, (node) => kinks.has(node));
    this.asking = Uint8Array.from(model.equations, ({ left, right }) =>
      leaves(left).some(isHeld) || leaves(right).some(isHeld) || bends(left) || bends(right) ? 1 : 0,
    );
    this.given = Uint8Array.from(model.scalars, ({ kind }) =>
      kind === 'continuous' || kind === 'discrete' ? 0 : 1,
    );
  }

  /** Whether only events change the value of a symbol. */
  readonly isDiscrete = (symbol: number): boolean => {
    const kind = this.model.scalars[symbol]?.kind;
    return kind === 'discrete' || kind === 'flag';
  };

  /** Whether only events change a leaf. */
  switches(leaf: Expr): boolean {
    return (
      leaf.kind === 'held' || leaf.kind === 'pre' || (leaf.kind === 'ref' && this.isDiscrete(leaf.symbol))
    );
  }

  /** Leaves of an expression that only events change. Remembered: modes have most of their equations in common. */
  switchedIn(expr: Expr): readonly Leaf[] {
    return remember(this.switched, expr, () => leaves(expr).filter((leaf) => this.switches(leaf)));
  }
}

const isHeld = (leaf: Expr): boolean => leaf.kind === 'held';

function askedRelations(model: GuardedModel): Uint8Array {
  const asked = new Uint8Array(model.relations.length);
  eachUse(model, (expr) => {
    for (const leaf of leaves(expr)) if (leaf.kind === 'held') asked[leaf.relation] = 1;
  });
  // Bends ask for their relations where they cause events.
  for (const { relation } of model.kinks) asked[relation] = 1;
  return asked;
}

function asksFor(model: GuardedModel, wanted: Leaf): boolean {
  let found = false;
  eachUse(model, (expr) => {
    found ||= leaves(expr).includes(wanted);
  });
  return found;
}
