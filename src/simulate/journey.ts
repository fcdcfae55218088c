/** What each stage makes of a model, in words: the contracts of the architecture, filled in for one model and its initial mode. */

import type { Memory } from '../code/memory.ts';
import { encodeUnit } from '../code/wasm.ts';
import { counted } from '../diagnostic/words.ts';
import { surveyArrays } from '../fields/index.ts';
import type { FlatModel } from '../flat/flat.ts';
import { bodyLines } from '../flat/print/equations.ts';
import { namesOf } from '../flat/print/names.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { CompiledMode } from '../program/mode/compiled.ts';
import type { Runtime } from '../program/runtime.ts';
import type { Block } from '../structure/analysis.ts';
import { structureOf } from './structure.ts';

/** What one stage hands on. */
export interface StageReport {
  readonly stage: 'flat' | 'fields' | 'modes' | 'structure' | 'code';
  /** In one line, with numbers. */
  readonly summary: string;
  readonly details: readonly string[];
}

/** So many details of a stage are listed. */
const LISTED = 20;

export function journeyOf(flat: FlatModel, runtime: Runtime, mode: CompiledMode): readonly StageReport[] {
  return [
    flatReport(flat),
    fieldsReport(flat, runtime.model),
    modesReport(runtime, mode),
    structureReport(runtime, mode),
    codeReport(runtime.values.memory, mode),
  ];
}

function report(stage: StageReport['stage'], summary: string, details: readonly string[]): StageReport {
  const rest = details.length - LISTED;
  return {
    stage,
    summary,
    details: rest > 1 ? [...details.slice(0, LISTED), `… and ${rest} more`] : details,
  };
}

function flatReport(flat: FlatModel): StageReport {
  const known = flat.variables.filter(
    ({ variability }) => variability === 'constant' || variability === 'parameter',
  );
  const summary = together(
    counted(flat.variables.length - known.length, 'variable'),
    counted(known.length, 'parameter'),
    counted(flat.equations.length, 'equation'),
    some(flat.machines.length, 'state machine'),
    some(flat.components.length, 'built-in component'),
  );
  return report('flat', summary, bodyLines(flat.equations, flat, namesOf(flat), ''));
}

function fieldsReport(flat: FlatModel, { components }: GuardedModel): StageReport {
  const found = surveyArrays(flat);
  const isKept = components.some(({ flat: { arrays } }) => arrays);
  const reason = 'a run needs the equations of its elements';
  const loops = isKept ? found.loops : [];
  const scalars = isKept
    ? found.scalars
    : [...found.loops.map((name) => ({ name, reason })), ...found.scalars];
  const summary =
    loops.length + scalars.length === 0
      ? 'no arrays that could stay arrays'
      : `${counted(loops.length, 'array')} in loops, ${scalars.length} written out`;
  return report('fields', summary, [
    ...loops.map((name) => `${name} in a loop`),
    ...scalars.map(({ name, reason }) => `${name} written out: ${reason}`),
  ]);
}

function modesReport(runtime: Runtime, { mode, watched }: CompiledMode): StageReport {
  const { scalars, relations, conditions } = runtime.model;
  const structural = conditions.filter((c) => c.structural && !c.constant);
  const summary = together(
    counted(scalars.filter(({ kind }) => kind === 'continuous' || kind === 'discrete').length, 'unknown'),
    counted(relations.length, 'relation'),
    `${counted(structural.length, 'condition')} that ${structural.length === 1 ? 'chooses' : 'choose'} the mode`,
  );
  return report('modes', summary, [
    ...(mode.signature === '' ? [] : [`initial mode: ${mode.signature}`]),
    ...structural.map(({ label }) => `mode by ${label}`),
    ...watched.map(({ relation }) => `watched: ${runtime.wording.relation(relation)}`),
  ]);
}

function structureReport(runtime: Runtime, { sorted }: CompiledMode): StageReport {
  const { aliases, equations, blocks } = sorted;
  const { states, index, loops } = structureOf(runtime, sorted);
  const summary = together(
    `index ${index}`,
    counted(states.length, 'state'),
    some(aliases.length, 'alias', 'aliases'),
    counted(blocks.length, 'block'),
    some(loops, 'loop over arrays', 'loops over arrays'),
  );
  return report('structure', summary, [
    ...states.map((state) => `state ${state}`),
    ...aliases.map(
      ({ symbol, target, sign }) =>
        `${runtime.wording.nameOf(symbol)} is ${sign < 0 ? '−' : ''}${runtime.wording.nameOf(target)}`,
    ),
    ...equations
      .filter(({ c }) => c > 0)
      .map(
        ({ index: k, c }) =>
          `differentiated ${c === 1 ? 'once' : c === 2 ? 'twice' : `${c} times`}: ${runtime.wording.describeEquation(k).text}`,
      ),
    ...blocks.map((block) => describeBlock(runtime, block)),
  ]);
}

function describeBlock(runtime: Runtime, block: Block): string {
  if (block.kind === 'assign')
    return `${runtime.wording.nameOfRef(block.unknown)} := ${runtime.wording.print(block.value)}`;
  const inner = block.inner.map(({ unknown }) => runtime.wording.nameOfRef(unknown));
  const tears = block.tears.map((tear) => runtime.wording.nameOfRef(tear)).join(', ');
  return `${block.linear ? 'linear' : 'nonlinear'} system for ${tears}${inner.length > 0 ? `; then ${inner.join(', ')}` : ''}`;
}

function codeReport(memory: Memory, { unit, systems }: CompiledMode): StageReport {
  const summary = together(
    counted(unit.routines.length, 'routine'),
    `${encodeUnit(unit, memory).length} bytes of WebAssembly`,
    `${memory.layout.size} numbers of memory`,
    some(systems.length, 'system to solve', 'systems to solve'),
  );
  return report('code', summary, []);
}

/** As `counted`, where there are any. */
const some = (n: number, what: string, many?: string): string => (n === 0 ? '' : counted(n, what, many));

const together = (...parts: string[]): string => parts.filter((part) => part !== '').join(', ');
