/**
 * Parts of a model whose potentials nothing determines (`structure/linear/floating.ts`): what they begin with, and what the user is told, once
 * for each of them.
 */
import type { LooseUnknown } from '../../code/plan.ts';
import { append } from '../../collections/groups.ts';
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type { Mode } from '../../modes/mode.ts';
import type { Block, Floating, SortedMode } from '../../structure/analysis.ts';
import { type LooseBlocks, looseBlocks } from '../../structure/loose.ts';
import { symbolsOf } from '../../symbolic/analyse.ts';
import type { RunValues } from '../evaluation.ts';
import type { Wording } from '../wording.ts';

/** Potentials that stay as they are begin with their start values. */
export function startFloating(values: RunValues, { floating }: SortedMode): void {
  for (const { symbol, held } of floating) {
    if (held) values.set(values.pool.pre(symbol), values.startOf(symbol));
  }
}

/** Potentials that stay as they are keep their values in the memory. */
export function holdFloating(values: RunValues, { floating }: SortedMode): void {
  for (const { symbol, held } of floating)
    if (held) values.set(values.pool.pre(symbol), values.getVariable(symbol));
}

/** What values may leave open has the values in the memory as left limits. */
export function holdLoose({ memory }: RunValues, loose: readonly LooseUnknown[]): void {
  const { values } = memory;
  for (const { slot, limit } of loose) values[limit] = values[slot]!;
}

/** Blocks that may leave potentials open. */
export function looseIn(
  { model }: RunValues,
  { aliases }: SortedMode,
  blocks: readonly Block[],
): LooseBlocks {
  const equals = new Map<number, number[]>();
  for (const { symbol, target } of aliases) append(equals, target, symbol);
  const has = (symbol: number, kind: 'potential' | 'flow'): boolean =>
    [symbol, ...(equals.get(symbol) ?? [])].some((one) => model.scalars[one]?.variable?.[kind] === true);
  return looseBlocks(blocks, {
    isPotential: (symbol) => has(symbol, 'potential'),
    isFlow: (symbol) => has(symbol, 'flow'),
  });
}

const chosen =
  'What depends on it follows from that value. Change its start value, or connect the part with what determines it, if it matters.';

/** A potential that is equal to the variable, where that is none itself. */
function named({ model }: RunValues, { aliases }: SortedMode, symbol: number): number {
  const isPotential = (one: number) => model.scalars[one]!.variable?.potential === true;
  if (isPotential(symbol)) return symbol;
  return aliases.find((alias) => alias.target === symbol && isPotential(alias.symbol))?.symbol ?? symbol;
}

export class FloatingWatch {
  private readonly told = new Set<number>();

  constructor(
    private readonly values: RunValues,
    private readonly wording: Wording,
  ) {}

  /**
   * Potentials that stay as they are in a mode that is entered, and were not told of before; `known` tells whether the memory has theirs. Parts that
   * conditions place are no matter for the user: so ideal rectifiers work.
   */
  warnings(mode: Mode, sorted: SortedMode, known: boolean): Diagnostic[] {
    const fresh = sorted.floating.filter(({ symbol, held }) => held && !this.told.has(symbol));
    return fresh.map((floating) => {
      this.told.add(floating.symbol);
      return this.describe(floating, mode, sorted, known);
    });
  }

  /** Potentials that the values in the memory leave open in a mode, and were not told of before. */
  open(mode: Mode, sorted: SortedMode, loose: readonly LooseUnknown[]): Diagnostic[] {
    const { values, wording, told } = this;
    return loose.flatMap(({ unknown, potential, held }) => {
      if (values.memory.values[held] !== 1 || told.has(unknown.symbol)) return [];
      told.add(unknown.symbol);
      const symbol = named(values, sorted, potential.symbol);
      const also = unknown === potential ? '' : `, which follows from ${wording.nameOf(unknown.symbol)}`;
      const message = `Nothing determines the potential ${wording.nameOf(symbol)}${also} at time ${values.time}: its coefficients in the equations are zero. It keeps the value ${values.getVariable(symbol)}.`;
      return [
        warning('floating', message, { span: this.placeOf(unknown.symbol, mode, sorted), hint: chosen }),
      ];
    });
  }

  private describe(
    { symbol, alone, carrier }: Floating,
    mode: Mode,
    sorted: SortedMode,
    known: boolean,
  ): Diagnostic {
    const { values, wording } = this;
    const where = mode.signature ? ` in the mode ${mode.signature}` : '';
    const value = known ? `the value ${values.getVariable(symbol)}` : 'its value';
    const message =
      carrier === undefined
        ? `Nothing determines the potential ${wording.nameOf(symbol)}${where}: its part of the model floats. It keeps ${value}.`
        : `Nothing determines ${wording.nameOf(symbol)}${where}: ${wording.nameOf(carrier)}, which would carry it, is zero. It keeps ${value}.`;
    return warning('floating', message, {
      span: this.placeOf(symbol, mode, sorted),
      hint: alone
        ? chosen
        : 'Differences of potentials are right. Connect the part with a ground if its potentials matter.',
    });
  }

  /** A connection of the potential, where there is one; else an equation with it. */
  private placeOf(symbol: number, { equations }: Mode, { aliases }: SortedMode): Span | undefined {
    const same = new Set([symbol]);
    for (const alias of aliases) if (alias.target === symbol) same.add(alias.symbol);
    let found: { readonly span: Span; readonly depth: number } | undefined;
    for (const { left, right, index } of equations) {
      const { span, component } = this.values.model.equations[index]!.origin;
      const depth = component === '' ? 0 : component.split('.').length;
      if (!span || (found && depth >= found.depth)) continue;
      if ([left, right].flatMap(symbolsOf).some((used) => same.has(used))) found = { span, depth };
    }
    return found?.span;
  }
}
