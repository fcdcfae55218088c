/**
 * What has one clock as a whole, and the sub-partitions that follow from it (Modelica 3.6, sections 16.7.1 to 16.7.4): variables that
 * occur together in an equation have the same clock, so the connected components of equations and variables are found by union-find.
 * Conversions between clocks are no equations here: their results are variables of their own.
 */
import { rootIn } from '../../collections/forest.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import { symbolsIn } from '../expressions/clocks.ts';
import { fixedNumber } from '../expressions/constants.ts';
import type { Conversion, FlatEquation, FlatIf, FlatMachine, Guard, Origin } from '../flat.ts';
import { expressionsOf, nestedIn } from '../walk.ts';

/** What is on one clock as a whole, with the variables in it: an equation, or (without one) the states of a machine or a transition. */
export interface ClockedUnit {
  readonly equation: FlatEquation | undefined;
  /** What is computed in it. */
  readonly expressions: readonly Expr[];
  /** States in which the equation exists. */
  readonly guard: Guard;
  readonly symbols: ReadonlySet<number>;
  readonly origin: Origin;
}

/** All equations and machines of a model, and the sub-partition of every variable. */
export class Units {
  readonly all: ClockedUnit[] = [];
  /** Conversions that are in use. */
  readonly conversions: readonly Conversion[];
  /** Symbols that stand for clocks, and those that nothing uses: they have no value. */
  readonly idle = new Set<number>();
  /** Sub-partitions (by root) in which there is anything but clocks. */
  readonly used = new Set<number>();
  /** Trees of symbols, each with its root as the name of the sub-partition. */
  readonly parent: Int32Array;

  constructor(
    private readonly builder: FlatBuilder,
    equations: readonly FlatEquation[],
    machines: readonly FlatMachine[],
  ) {
    for (const machine of machines) this.collectMachine(machine);
    const { conversions, equations: own } = builder.clocks;
    for (const equation of equations) this.collect(equation);
    const live = this.living(conversions, own);
    for (const equation of live.equations) this.collect(equation);
    this.conversions = live.conversions;
    this.parent = Int32Array.from({ length: builder.instances.length + builder.added.length }, (_, k) => k);
    this.unite();
    for (const { symbols } of this.all)
      for (const s of symbols) if (!this.idle.has(s)) this.used.add(this.find(s));
    for (const { result } of this.conversions) if (!this.idle.has(result)) this.used.add(this.find(result));
  }

  /**
   * Takes up an equation. Parameters decide between branches now: they may choose clocks. What is guarded by states is on
   * the clock of their machines, one equation at a time.
   */
  private collect(equation: FlatEquation, guard: Guard = []): void {
    const { builder } = this;
    if (equation.kind === 'if') {
      const chosen = this.decided(equation);
      if (chosen) {
        for (const inner of chosen) this.collect(inner, guard);
        return;
      }
      if (isGuarded(builder, equation)) {
        const path = [...guard];
        for (const { condition, body } of equation.branches) {
          const own = condition === undefined ? path : [...path, { condition, value: true }];
          for (const inner of body) this.collect(inner, own);
          if (condition !== undefined) path.push({ condition, value: false });
        }
        return;
      }
    }
    const around = guard.map(({ condition }) => builder.conditions[condition]!.value);
    const expressions = [...expressionsOf(builder, equation)];
    const symbols = symbolsIn(builder, ...around, ...expressions);
    for (const inner of nestedIn(equation)) {
      const clock = builder.clocks.clockOf.get(inner);
      if (clock !== undefined) symbols.add(clock);
    }
    this.all.push({ equation, expressions, guard, symbols, origin: equation.origin });
  }

  /** All parts of a machine have the same clock; each transition is told at its own place. */
  private collectMachine({ states, transitions, guard, origin }: FlatMachine): void {
    const { builder } = this;
    const around = guard.map(({ condition }) => builder.conditions[condition]!.value);
    const symbols = symbolsIn(builder, ...around);
    for (const state of states) {
      symbols.add(state.active).add(state.entered);
      const ticks = builder.ticks.get(state);
      if (ticks !== undefined) symbols.add(ticks);
    }
    this.all.push({ equation: undefined, expressions: [], guard, symbols, origin });
    for (const { condition, from, origin: place } of transitions) {
      const asked = symbolsIn(builder, condition).add(states[from]!.active);
      this.all.push({ equation: undefined, expressions: [condition], guard, symbols: asked, origin: place });
    }
  }

  private decided(equation: FlatEquation & { kind: 'if' }): readonly FlatEquation[] | undefined {
    const { builder } = this;
    for (const { condition, body } of equation.branches) {
      if (condition === undefined) return body;
      const { value } = builder.conditions[condition]!;
      if (symbolsIn(builder, value).size > 0) return undefined;
      const known = fixedNumber(builder, value);
      if (known === undefined) return undefined;
      if (known !== 0) return body;
    }
    return [];
  }

  /** Conversions and equations of their arguments that are still in use: attempts at translation leave others behind. */
  private living(
    conversions: readonly Conversion[],
    equations: readonly FlatEquation[],
  ): { conversions: Conversion[]; equations: FlatEquation[] } {
    const { builder } = this;
    const used = new Set(this.all.flatMap(({ symbols }) => [...symbols]));
    for (const { source } of builder.clocks.sources) {
      if (source.kind === 'event') for (const s of symbolsIn(builder, source.condition)) used.add(s);
    }
    const result = { conversions: [] as Conversion[], equations: [] as FlatEquation[] };
    // Arguments are translated before what is made of them.
    const steps = [
      ...conversions.map((conversion) => ({ at: conversion.result, conversion, equation: undefined })),
      ...equations.map((equation) => ({
        at: equation.kind === 'equal' && equation.left.kind === 'ref' ? equation.left.symbol : -1,
        conversion: undefined,
        equation,
      })),
    ].sort((a, b) => b.at - a.at);
    for (const { at, conversion, equation } of steps) {
      if (!used.has(at)) continue;
      if (conversion) {
        result.conversions.push(conversion);
        if (conversion.argument) for (const s of symbolsIn(builder, conversion.argument)) used.add(s);
        if (conversion.clock !== undefined) used.add(conversion.clock);
      } else if (equation) {
        result.equations.push(equation);
        for (const s of symbolsIn(builder, ...expressionsOf(builder, equation))) used.add(s);
      }
    }
    for (const [symbol, instance] of builder.instances.entries())
      if (instance.type === 'Clock') this.idle.add(symbol);
    for (const { result: symbol } of conversions) if (!used.has(symbol)) this.idle.add(symbol);
    for (const { at, equation } of steps) if (equation && !used.has(at)) this.idle.add(at);
    for (const symbol of builder.clocks.symbols) this.idle.add(symbol);
    return { conversions: result.conversions.reverse(), equations: result.equations.reverse() };
  }

  private unite(): void {
    for (const { symbols } of this.all) this.together(symbols);
    for (const { relation, result, argument, clock } of this.conversions) {
      if (clock !== undefined) this.together([result, clock]);
      const same = relation.kind === 'interval' || relation.kind === 'firstTick';
      if (same && argument) this.together([result, ...symbolsIn(this.builder, argument)]);
    }
    for (const { symbol, source } of this.builder.clocks.sources) {
      if (source.kind === 'varying') this.together([symbol, ...symbolsIn(this.builder, source.interval)]);
    }
  }

  private together(symbols: Iterable<number>): void {
    let root: number | undefined;
    for (const symbol of symbols) {
      const other = this.find(symbol);
      if (root === undefined) root = other;
      else this.parent[other] = root;
    }
  }

  /** The root of the sub-partition of a variable. */
  find(symbol: number): number {
    return rootIn(this.parent, symbol);
  }
}
/** Whether an if-equation chooses by the activity of states. */
const isGuarded = (builder: FlatBuilder, { branches }: FlatIf): boolean =>
  branches.every(({ condition }) => condition === undefined || builder.conditions[condition]!.activity);
