/**
 * What a mode computes, variable by variable: third step of Urquia and Dormido, index reduction of each mode for itself.
 * After it every unknown of a mode, derivatives included, is a state, has a value of its own, or belongs to a system of
 * equations of which it takes one residual. In whichever mode: the equation that is written for an unknown can be solved
 * for it (or is part of a system that the mode can solve), so that other tools meet one structure that is regular in all modes.
 *
 * Where a mode chooses its states while it runs, all candidates become states: the constraints then hold by their
 * derivatives alone, up to the drift that the tolerance of the integrator allows.
 */
import { grouped } from '../collections/groups.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { ConditionValues, Mode } from '../modes/mode.ts';
import { aliasResolver } from '../program/aliases.ts';
import type { Examined, ModeCollection } from '../simulate/collection.ts';
import { aliasOf, type Block, type SolveBlock, type SortedMode } from '../structure/analysis.ts';
import type { Knowledge } from '../structure/nonzero.ts';
import { sortSystem } from '../structure/sort.ts';
import { leaves, nodesOf, substitute } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { linear } from '../symbolic/solve.ts';
import { solveLinear } from './linear.ts';

export interface ModeSystem {
  /** From 1; the initial mode is number 1. */
  readonly number: number;
  readonly mode: Mode;
  readonly sorted: SortedMode;
  /** The combinations of conditions that have these equations. */
  readonly members: readonly ConditionValues[];
  /** Symbols of the variables that exist. */
  readonly present: ReadonlySet<number>;
  readonly states: ReadonlySet<Ref>;
  /** Those of the states that only keep their value. */
  readonly held: readonly Ref[];
  /** What an unknown is equal to. */
  readonly values: ReadonlyMap<Ref, Expr>;
  /** What vanishes, for unknowns of systems. */
  readonly residuals: ReadonlyMap<Ref, Expr>;
  /** Constraints between states: they hold when they hold on entering. */
  readonly constraints: readonly Expr[];
}

/** What an unknown is equal to in a mode, derivatives of aliases included; undefined where the mode does not have it. */
export function valueIn(
  pool: Pool,
  { values, residuals, states, sorted }: ModeSystem,
  ref: Ref,
): Expr | undefined {
  const own = values.get(ref);
  if (own) return own;
  const alias = aliasOf(sorted.aliases, ref.symbol);
  if (!alias) return undefined;
  const target = pool.ref(alias.target, ref.order);
  if (!values.has(target) && !residuals.has(target) && !states.has(target)) return undefined;
  return alias.sign === 1 ? target : pool.neg(target);
}

/** What is known of expressions before a run. */
export const knowledgeOf = ({ model, values }: ModeCollection): Knowledge => ({
  isParameter: (symbol) => model.scalars[symbol]?.kind === 'parameter',
  evaluate: (expr) => values.evaluate(expr),
});

/** The regular modes, those with the same equations as one. */
export function modeSystems(collection: ModeCollection): ModeSystem[] {
  const groups = grouped(collection.modes, ({ analysis }) => analysis.sorted);
  return [...groups].map(([sorted, members], k) => modeSystem(collection, k + 1, sorted, members));
}

function modeSystem(
  collection: ModeCollection,
  number: number,
  sorted: SortedMode,
  members: readonly Examined[],
): ModeSystem {
  const { pool } = collection.values;
  const { mode } = members[0]!;
  const { states, blocks, constraints } =
    sorted.selections.length > 0 ? allCandidates(collection, mode, sorted) : { ...sorted, constraints: [] };
  const values = new Map<Ref, Expr>();
  const residuals = new Map<Ref, Expr>();
  for (const block of blocks) addBlock(pool, block, values, residuals);
  for (const { symbol, target, sign } of sorted.aliases)
    values.set(pool.ref(symbol), sign === 1 ? pool.ref(target) : pool.neg(pool.ref(target)));
  const held = heldVariables(collection, mode, values);
  for (const ref of held) {
    values.delete(ref);
    values.set(pool.ref(ref.symbol, 1), pool.zero);
  }
  return {
    number,
    mode,
    sorted,
    members: members.map((m) => m.values),
    present: new Set(mode.variables.map((v) => v.symbol)),
    states: new Set([...states, ...held]),
    held,
    values,
    residuals,
    constraints,
  };
}

/** Shared variables that keep their value, `x = pre(x)`: in the text they are states whose derivative is zero. */
function heldVariables(collection: ModeCollection, mode: Mode, values: ReadonlyMap<Ref, Expr>): Ref[] {
  const { scalars } = collection.model;
  const kept = (leaf: Expr) => leaf.kind === 'pre' && scalars[leaf.symbol]!.kind === 'continuous';
  return [...values].flatMap(([ref, value]) => {
    if (!leaves(value).some(kept)) return [];
    if (value.kind === 'pre' && value.symbol === ref.symbol && ref.order === 0) return [ref];
    const message = `In the mode ${mode.signature}, ${collection.wording.nameOfRef(ref)} depends on the last value of a variable that no state determines.`;
    const hint =
      'Let the active state determine the variable, with `der(x) = 0` where it is to keep its value.';
    throw Failure.of('translate', 'not-exportable', message, { hint });
  });
}

/** All candidates as states: of the constraints, those that contain something else remain. */
function allCandidates(
  collection: ModeCollection,
  mode: Mode,
  sorted: SortedMode,
): { states: readonly Ref[]; blocks: readonly Block[]; constraints: readonly Expr[] } {
  const { pool } = collection.values;
  const resolve = aliasResolver(pool, sorted);
  const discrete = mode.equations.flatMap(({ left, right, assigns, index }) => {
    const own = assigns === undefined ? undefined : resolve(left);
    return own?.kind === 'ref' ? [{ left: own, right: resolve(right), assigns: own, index }] : [];
  });
  const derivatives = (of: (c: number) => [number, number]) =>
    sorted.equations.flatMap(({ index, c, residuals }) =>
      residuals.slice(...of(c)).map((left) => ({ left, right: pool.zero, index })),
    );
  const states = candidateStates(pool, sorted);
  const unknowns = sorted.variables.flatMap(({ symbol, d }) =>
    Array.from({ length: d + 1 }, (_, order) => pool.ref(symbol, order)).filter((ref) => !states.has(ref)),
  );
  const optional = derivatives((c) => [0, c]);
  const symbols = new Set(discrete.map((e) => e.assigns.symbol));
  const result = sortSystem(
    pool,
    {
      equations: [...derivatives((c) => [c, c + 1]), ...discrete],
      optional,
      unknowns: [...unknowns, ...discrete.map((e) => e.assigns)],
    },
    { ...knowledgeOf(collection), isDiscrete: (symbol) => symbols.has(symbol) },
  );
  // The leading system of a sorted mode is regular, and every lower derivative that is no state has its constraint.
  if (result.kind === 'singular') throw new Error('a regular mode is singular with all candidates as states');
  const used = new Set(result.used);
  const constraints = optional.filter((_, k) => !used.has(k)).map((c) => c.left);
  return { states: [...states], blocks: result.blocks, constraints };
}

/** The states and all candidates, but for those that a constraint gives as a sum of the others (`der(x) = v`). */
function candidateStates(pool: Pool, sorted: SortedMode): Set<Ref> {
  const candidates = sorted.selections.flatMap((s) => s.candidates);
  const states = new Set([...sorted.states, ...candidates]);
  const constraints = new Set(sorted.equations.flatMap(({ c, residuals }) => residuals.slice(0, c)));
  for (const candidate of [...candidates].sort((a, b) => b.order - a.order)) {
    for (const constraint of constraints) {
      const coefficient = linear(pool, constraint, candidate)?.coefficient;
      if (coefficient?.kind !== 'const' || coefficient.value === 0) continue;
      const others = leaves(constraint).filter(
        (l) => l.kind === 'ref' && l !== candidate && !known(sorted, l),
      );
      if (!others.every((l) => states.has(l as Ref))) continue;
      states.delete(candidate);
      constraints.delete(constraint);
      break;
    }
  }
  return states;
}

/** What is no unknown of the continuous equations. */
const known = ({ variables }: SortedMode, leaf: Ref): boolean =>
  !variables.some((v) => v.symbol === leaf.symbol);

function addBlock(pool: Pool, block: Block, values: Map<Ref, Expr>, residuals: Map<Ref, Expr>): void {
  if (block.kind === 'assign') {
    values.set(block.unknown, block.value);
    return;
  }
  for (const { unknown, value } of block.inner) values.set(unknown, value);
  const explicit = explicitTear(pool, block);
  for (const [k, tear] of block.tears.entries()) {
    if (explicit) values.set(tear, explicit);
    else residuals.set(tear, block.residuals[k]!);
  }
}

/** Formulas longer than this are left to the tool that solves the system. */
const longest = 60;

/** The one unknown of a linear system that has to be guessed, as a formula. */
function explicitTear(pool: Pool, block: SolveBlock): Expr | undefined {
  if (!block.linear || block.tears.length !== 1) return undefined;
  const inner = new Map<Expr, Expr>();
  for (const { unknown, value } of block.inner)
    inner.set(
      unknown,
      substitute(pool, value, (leaf) => inner.get(leaf)),
    );
  const residual = substitute(pool, block.residuals[0]!, (leaf) => inner.get(leaf));
  const value = solveLinear(pool, [residual], block.tears, () => true)?.[0];
  return value && nodesOf(value).length <= longest ? value : undefined;
}
