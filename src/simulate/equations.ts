/**
 * What is solved in a mode, in its order: blocks of the sorted equations, each with its unknowns and with the equations of the text that it comes from. It is
 * formed when somebody asks, from what belongs to a visit of a run, or to a mode of a survey.
 */
import type { Span } from '../diagnostic/source.ts';
import type { Runtime } from '../program/runtime.ts';
import { type Block, leavesOf, type SortedMode, unknownsOf } from '../structure/analysis.ts';
import type { Ref } from '../symbolic/expr.ts';

/** What is solved in a mode. */
export interface ModeEquations {
  readonly states: readonly string[];
  /** Variables that are others in this mode, or their negatives: nothing is computed for them. */
  readonly aliases: readonly { readonly name: string; readonly target: string; readonly sign: 1 | -1 }[];
  readonly blocks: readonly SolvedBlock[];
  /** What is computed beside the blocks: built-in components, and arrays that stay arrays. */
  readonly beside: readonly string[];
}

/** One step: an unknown that has a value, or unknowns that are solved for at once. */
export interface SolvedBlock {
  readonly kind: 'assignment' | 'linear' | 'nonlinear';
  /** In the order in which they get their values: of a system, those that are guessed come first. */
  readonly unknowns: readonly string[];
  /** Of a system: the unknowns that are solved for (tearing); the others follow from them by `steps`. */
  readonly tears: readonly string[];
  readonly steps: readonly { readonly unknown: string; readonly value: string }[];
  /** Of a system: what vanishes where the guess is right. */
  readonly residuals: readonly string[];
  /** Constant between events. */
  readonly discrete: boolean;
  readonly equations: readonly WrittenEquation[];
  /** Numbers of the blocks before whose unknowns it is computed from. */
  readonly needs: readonly number[];
  /** States that it is computed from. */
  readonly states: readonly string[];
}

/** An equation of the model. */
export interface WrittenEquation {
  readonly text: string;
  readonly span: Span | undefined;
  /** How often it is differentiated where it is used here. */
  readonly differentiations: number;
}

interface Source {
  readonly runtime: Runtime;
  readonly sorted: SortedMode;
}

/** A visit of a run, or a mode of a survey. */
interface NamedMode {
  readonly signature: string;
}

const sources = new WeakMap<NamedMode, Source>();

/** From here on, `modeEquations` can tell what is solved in a mode. */
export function withSource<T extends NamedMode>(mode: T, runtime: Runtime, sorted: SortedMode): T {
  sources.set(mode, { runtime, sorted });
  return mode;
}

/** What is solved in a mode that a run has visited, or that a survey has found; undefined for singular ones, and for copies of visits. */
export function modeEquations(mode: NamedMode): ModeEquations | undefined {
  const source = sources.get(mode);
  return source && described(source);
}

function described({ runtime, sorted }: Source): ModeEquations {
  const { wording, model } = runtime;
  const nameOf = (ref: Ref): string => wording.nameOfRef(ref);
  const differentiations = differentiationsIn(sorted);
  const states = new Map(sorted.states.map((state) => [state, nameOf(state)]));
  const blockOf = new Map(sorted.blocks.flatMap((block, k) => unknownsOf(block).map((ref) => [ref, k])));
  const blocks = sorted.blocks.map((block, number): SolvedBlock => {
    const leaves = leavesOf(block).filter((leaf) => leaf.kind === 'ref');
    const needs = new Set(leaves.flatMap((leaf) => blockOf.get(leaf) ?? []));
    needs.delete(number);
    return {
      ...solved(block, runtime),
      discrete: block.discrete,
      equations: [...new Set(block.equations)].map((index) => {
        const { text, span } = wording.describeEquation(index);
        return { text, span, differentiations: differentiations(block, index) };
      }),
      needs: [...needs].sort((a, b) => a - b),
      states: [...new Set(leaves.flatMap((leaf) => states.get(leaf) ?? []))],
    };
  });
  return {
    states: [...states.values()],
    aliases: sorted.aliases.map(({ symbol, target, sign }) => ({
      name: wording.nameOf(symbol),
      target: wording.nameOf(target),
      sign,
    })),
    blocks,
    beside: model.components.map(({ flat }) =>
      flat.arrays ? flat.arrays.variables.map(({ name }) => name).join(', ') : flat.path,
    ),
  };
}

/**
 * Variables x_j are computed up to their d_j-th derivatives by equations up to their c_i-th ones, in stages: a block for derivatives that are k below
 * the highest ones uses equations that are k below theirs (Pryce).
 */
function differentiationsIn({
  equations,
  variables,
}: SortedMode): (block: Block, equation: number) => number {
  const highest = new Map(equations.map(({ index, c }) => [index, c]));
  const orders = new Map(variables.map(({ symbol, d }) => [symbol, d]));
  return (block, equation) => {
    const stages = unknownsOf(block).map(({ symbol, order }) => order - (orders.get(symbol) ?? order));
    return Math.max(0, (highest.get(equation) ?? 0) + Math.max(...stages));
  };
}

function solved(
  block: Block,
  { wording }: Runtime,
): Pick<SolvedBlock, 'kind' | 'unknowns' | 'tears' | 'steps' | 'residuals'> {
  const step = ({
    unknown,
    value,
  }: {
    readonly unknown: Ref;
    readonly value: Parameters<typeof wording.print>[0];
  }) => ({
    unknown: wording.nameOfRef(unknown),
    value: wording.print(value, unknown),
  });
  const unknowns = unknownsOf(block).map((ref) => wording.nameOfRef(ref));
  if (block.kind === 'assign')
    return { kind: 'assignment', unknowns, tears: [], steps: [step(block)], residuals: [] };
  return {
    kind: block.linear ? 'linear' : 'nonlinear',
    unknowns,
    tears: block.tears.map((ref) => wording.nameOfRef(ref)),
    steps: block.inner.map(step),
    residuals: block.residuals.map((residual) => wording.print(residual)),
  };
}
