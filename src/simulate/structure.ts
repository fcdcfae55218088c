/** The structure of a mode, as it is reported. */
import { elementNames } from '../flat/core/families.ts';
import { indexOf } from '../program/mode/analyse.ts';
import type { Runtime } from '../program/runtime.ts';
import { type SortedMode, unknownsOf } from '../structure/analysis.ts';

/** The structure of a mode. */
export interface ModeStructure {
  readonly states: readonly string[];
  readonly index: number;
  /** Unknowns that are computed one after the other, nests of loops over arrays, and the systems that are solved at once. */
  readonly assignments: number;
  readonly loops: number;
  readonly systems: readonly {
    readonly unknowns: readonly string[];
    readonly iterated: number;
    readonly linear: boolean;
  }[];
  /** Potentials that nothing determines, one for each part that floats. */
  readonly floating: readonly string[];
}

/** The structure of a mode, with the arrays that stay arrays in all modes. */
export function structureOf(runtime: Runtime, sorted: SortedMode): ModeStructure {
  const { states, blocks, floating } = sorted;
  const arrays = runtime.model.components.flatMap(({ flat }) => flat.arrays?.structure ?? []);
  const systems = blocks.flatMap((block) => {
    if (block.kind !== 'solve') return [];
    const unknowns = unknownsOf(block).map((u) => runtime.wording.nameOfRef(u));
    return [{ unknowns, iterated: block.tears.length, linear: block.linear }];
  });
  const solved = arrays.flatMap((part) => part.systems.map((s) => s.unknowns()));
  return {
    states: [
      ...states.map((s) => runtime.wording.nameOfRef(s)),
      ...arrays.flatMap((part) => part.states.flatMap(elementNames)),
    ],
    index: indexOf(runtime.model, sorted),
    assignments: blocks.length - systems.length,
    loops: arrays.reduce((sum, { loops }) => sum + loops, 0),
    systems: [
      ...systems,
      ...solved.map((unknowns) => ({ unknowns, iterated: unknowns.length, linear: true })),
    ],
    floating: floating.map(({ symbol }) => runtime.wording.nameOf(symbol)),
  };
}
