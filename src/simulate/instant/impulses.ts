/**
 * Impulses that enter nonlinearly. The weight of an impulse follows from equations that are linear in the variables with
 * impulses, with factors that do not jump (`program/values/restart.ts`). Where a model multiplies an impulse by another one, or by a value that jumps
 * at the same instant, the product has no meaning; the run goes on, and the user is told, once for each equation. A factor that jumps is
 * no harm where the whole equation is a balance with a definite meaning (`program/values/balances.ts`), or where time and discrete values alone determine it:
 * then it has its value after the instant.
 *
 * What can go wrong in a mode is found when it first has an impulse: leading variables whose factor in an equation is
 * no constant. At each further impulse only these are looked at.
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import { titleOf } from '../../program/components/equations.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Weight } from '../../program/values/jumps.ts';
import type { ScalarEquation } from '../../structure/analysis.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { gradient } from '../../symbolic/differentiate.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import { sizeOf } from '../../symbolic/shape.ts';

/** Changes below this share of a value are no jumps. */
const negligibleJump = 1e-6;
/** Values below this share of the nominal one are zero. */
const negligibleSize = 1e-3;

/** A variable that may have an impulse, in an equation where its factor depends on variables. */
interface Suspect {
  readonly equation: number;
  readonly variable: Ref;
  /** Variables in the factor; undefined where it is not known. */
  readonly factor: readonly Ref[] | undefined;
}

/** What is known of an instant at which a mode was entered. */
export interface Entered {
  readonly mode: CompiledMode;
  readonly weights: readonly Weight[];
  /** The memory before. */
  readonly left: Float64Array;
  /** By scalar: 1 where the variable has a value in `left`. */
  readonly existed: Uint8Array;
}

/** By element of the inputs of a component: whether it takes care of impulses there. */
const absorbedOf = ({ inputs, builtIn }: FlatComponent): boolean[] =>
  inputs.flatMap(({ name, dims }) => {
    const absorbed = builtIn.absorbs?.includes(name) ?? false;
    return Array.from({ length: sizeOf(dims) }, () => absorbed);
  });

/** By component: variables in inputs whose impulses it does not take care of. */
const exposedInputs = ({ model }: Runtime): readonly (readonly Ref[])[] =>
  model.components.map(({ flat, inputs }) => {
    const isAbsorbed = absorbedOf(flat);
    const exposed = inputs.filter((_, k) => !isAbsorbed[k]).flatMap((input) => leaves(input));
    return [...new Set(exposed)].filter((leaf) => leaf.kind === 'ref');
  });

/**
 * Outputs of components that take care of impulses: as factors they have their values after the instant. What of an impulse inside goes to them is not known, so
 * that they have none of their own.
 */
export const absorbingOutputs = ({ model }: Runtime): ReadonlySet<number> =>
  new Set(
    model.components.flatMap(({ flat, outputs }) =>
      flat.builtIn.absorbs
        ? outputs.flatMap(({ firstEquation, length }) =>
            model.equations
              .slice(firstEquation, firstEquation + length)
              .flatMap(({ left }) => (left.kind === 'ref' ? [left.symbol] : [])),
          )
        : [],
    ),
  );

/** By mode: what impulses may be multiplied in; and by variable, of which order its highest derivative is. */
const suspectsOfModes = (): WeakMap<CompiledMode, readonly Suspect[]> => new WeakMap();
const ordersOfModes = (): WeakMap<CompiledMode, ReadonlyMap<number, number>> => new WeakMap();

function ordersIn({ sorted }: CompiledMode): ReadonlyMap<number, number> {
  const orders = new Map(sorted.variables.map((v) => [v.symbol, v.d]));
  for (const { symbol, target } of sorted.aliases) orders.set(symbol, orders.get(target) ?? 0);
  return orders;
}

export class ImpulseWatch {
  /** Equations, and built-in components, that were told of. */
  private readonly told = new Set<number>();
  private readonly reached = new Set<number>();

  constructor(private readonly runtime: Runtime) {}

  /** Warnings about the impulses of an instant; the memory holds the values after it. */
  warnings(entered: Entered): Diagnostic[] {
    if (entered.weights.length === 0) return [];
    const isImpulsive = this.impulsive(entered);
    return [...this.products(entered, isImpulsive), ...this.components(entered, isImpulsive)];
  }

  /**
   * States of built-in components that an input with an impulse would make jump. Code cannot tell; equations in its place can, and arrays
   * that are written out.
   */
  private components({ mode }: Entered, isImpulsive: (leaf: Ref) => boolean): Diagnostic[] {
    if (mode.parts.length === 0) return [];
    const exposed = this.runtime.finding(exposedInputs);
    return mode.parts.flatMap(({ index }) => {
      const { flat } = this.runtime.model.components[index]!;
      if (this.reached.has(index) || !exposed[index]!.some(isImpulsive)) return [];
      this.reached.add(index);
      if (this.runtime.components.refuse(flat)) return [];
      const time = this.runtime.values.time;
      const message = `${titleOf(flat)} has an input with an impulse at time ${time}, which its states do not see.`;
      const hint = 'Connect it to something that does not jump, or give the component equations.';
      return [warning('impulse', message, { span: flat.origin.span, hint })];
    });
  }

  private products(entered: Entered, isImpulsive: (leaf: Ref) => boolean): Diagnostic[] {
    const { mode } = entered;
    const suspects = remember(this.runtime.finding(suspectsOfModes), mode, () => this.suspectsOf(mode));
    if (suspects.length === 0) return [];
    const { jumps } = mode.restart;
    const own = this.runtime.finding(absorbingOutputs);
    const isGiven = (leaf: Ref) => jumps?.isGiven(mode.resolve(leaf)) ?? false;
    const found: Diagnostic[] = [];
    for (const { equation, variable, factor } of suspects) {
      if (this.told.has(equation) || jumps?.definite.has(equation) || !isImpulsive(variable)) continue;
      const other = factor?.find(
        (leaf) => isImpulsive(leaf) || (!own.has(leaf.symbol) && this.jumps(leaf, entered) && !isGiven(leaf)),
      );
      if (factor && !other) continue;
      this.told.add(equation);
      found.push(this.describe(equation, variable, other, other !== undefined && isImpulsive(other)));
    }
    return found;
  }

  /** The leading Jacobian tells the equations; they are then read as they are written, with all their variables. */
  private suspectsOf({ mode, sorted }: CompiledMode): Suspect[] {
    const doubtful = new Set<number>();
    for (const [i, { index }] of sorted.equations.entries())
      if (sorted.leading[i]!.some(({ value }) => this.isDoubtful(value))) doubtful.add(index);
    if (doubtful.size === 0) return [];
    const own = this.runtime.finding(absorbingOutputs);
    const isOutput = ({ left }: ScalarEquation) => left.kind === 'ref' && own.has(left.symbol);
    return mode.equations.flatMap((equation) =>
      doubtful.has(equation.index) && !isOutput(equation) ? this.suspectsIn(equation) : [],
    );
  }

  /** Whether a factor varies or is not known. */
  private isDoubtful(factor: Expr): boolean {
    if (factor.kind === 'const') return Number.isNaN(factor.value);
    return leaves(factor).some(this.varies);
  }

  private readonly varies = (leaf: Expr): leaf is Ref =>
    leaf.kind === 'ref' && this.runtime.model.scalars[leaf.symbol]!.kind === 'continuous';

  private suspectsIn({ left, right, index }: ScalarEquation): Suspect[] {
    const { pool } = this.runtime.values;
    const { calls } = this.runtime.code;
    const { varies } = this;
    const residual = pool.sub(left, right);
    const slopes = gradient(pool, residual, varies, calls).value;
    const suspects: Suspect[] = [];
    for (const variable of leaves(residual)) {
      if (!varies(variable)) continue;
      const slope = slopes?.get(variable) ?? pool.zero;
      const factor = slopes && leaves(slope).filter(varies);
      if (factor?.length !== 0) suspects.push({ equation: index, variable, factor });
    }
    return suspects;
  }

  /** Variables with a weight, and derivatives of what jumps. */
  private impulsive(entered: Entered): (leaf: Ref) => boolean {
    const { mode } = entered;
    const weighty = new Set(entered.weights.map((w) => w.symbol));
    const orders = remember(this.runtime.finding(ordersOfModes), mode, () => ordersIn(mode));
    // Matrices have many factors, with the same few variables in them.
    const known = new Map<Ref, boolean>();
    const ofJump = ({ symbol, order }: Ref): boolean =>
      order === orders.get(symbol) && this.jumps(this.runtime.values.pool.ref(symbol, order - 1), entered);
    return (leaf) =>
      leaf.order === 0 ? weighty.has(leaf.symbol) : remember(known, leaf, () => ofJump(leaf));
  }

  private jumps(leaf: Ref, { left, existed }: Entered): boolean {
    if (!existed[leaf.symbol]) return false;
    const slot = this.runtime.values.slot(leaf);
    const before = left[slot] ?? Number.NaN;
    const after = this.runtime.values.memory.values[slot]!;
    const nominal = this.runtime.values.nominalOf(leaf.symbol);
    const size = Math.max(negligibleSize * nominal, Math.abs(before), Math.abs(after));
    return Math.abs(after - before) > negligibleJump * size;
  }

  private describe(index: number, variable: Ref, other: Ref | undefined, impulsive: boolean): Diagnostic {
    const { runtime } = this;
    const { text, span } = runtime.wording.describeEquation(index);
    const name = runtime.wording.nameOfRef(variable);
    const time = runtime.values.time;
    const reason =
      other === undefined || other === variable
        ? `${name}, which has an impulse at time ${time}, enters nonlinearly`
        : `${name} has an impulse at time ${time}, and its factor depends on ${runtime.wording.nameOfRef(other)}, which ${impulsive ? 'has one too' : 'jumps'}`;
    return warning('impulse', `The equation ${text} has no definite meaning: ${reason}.`, {
      span,
      hint: 'Impulses that follow from this equation are computed as if all values went straight from what they were to what they become. Take energies and losses from the change of stored quantities instead.',
    });
  }
}
