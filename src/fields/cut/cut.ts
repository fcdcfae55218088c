/**
 * Cutting the vector part out of a flat model. Arrays whose equations are whole nodes (`fields/elements/nodes.ts`) that can be matched (`fields/sorting/match.ts`) and put
 * into an order (`fields/sorting/order.ts`) become a field; all else stays what it was, with scalars in place of the elements that
 * it reads of them. A variable that does not fit falls out, and with it every array that what is left speaks of as a whole; this is
 * repeated until the two parts agree. Where nothing remains, the model stays as it is.
 *
 * Left to the scalar part are: what has discrete values, what exists only sometimes, initial equations (other than those of `starts.ts`) and what
 * they could determine, algorithms, nonlinear systems of equations through arrays, derivatives of more than first order, states
 * that depend on each other algebraically.
 */

import { remember } from '../../collections/memo.ts';
import { exprText } from '../../flat/core/text.ts';
import type { FlatModel, FlatVariable } from '../../flat/flat.ts';
import { namesOf } from '../../flat/print/names.ts';
import { expressionsOf } from '../../flat/walk.ts';
import type { Knowledge } from '../../structure/nonzero.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { type Arrays, fitted, isAccess, Unfit } from '../elements/affine.ts';
import { FieldWatch, hoist } from '../elements/events.ts';
import type { Kernel } from '../elements/kernel.ts';
import {
  equationOf,
  explicitEquations,
  type FieldNode,
  type LoopedEquation,
  nodesOf,
  referencesIn,
  unitsOf,
} from '../elements/nodes.ts';
import { FieldValues } from '../elements/values.ts';
import { type Field, type FieldState, type FieldVariable, firstHidden } from '../field.ts';
import { cutAtBorders } from '../sorting/borders.ts';
import { type DeclaredRange, Divisors } from '../sorting/divisors.ts';
import { type Match, type MatchingMismatch, match, Solutions, type Unknown } from '../sorting/match.ts';
import { orderMatches } from '../sorting/order.ts';
import { Once } from '../sorting/prepared.ts';
import { type ElementRelation, ElementRelations } from '../sorting/relations.ts';
import { shotSymbols } from '../sorting/shooting.ts';
import { swingingSymbols } from '../sorting/swings.ts';
import { Candidates, crowdedSymbols, type LeftOut } from './candidates.ts';
import { withMargins } from './margins.ts';
import { ownParameters, readSymbols } from './parameters.ts';
import { isElement, orderOf, References } from './references.ts';
import { emptied, ScalarPart } from './scalars.ts';
import { InitialValues } from './starts.ts';

/** A node with the number of its unit. */
interface ChosenNode {
  readonly unit: number;
  readonly node: FieldNode;
}

interface Trial {
  readonly current: number | undefined;
  readonly units: readonly number[];
  readonly shot: readonly ReadonlySet<number>[];
}

/** Equations at the ends of loops that are tried. */
const mostTrials = 8;

/** How often variables are left out and the rest is tried again. */
const mostAttempts = 100;

/** Start values that take more letters than this are not told to their end. */
const longest = 60;

export interface CutOptions {
  /** Arrays of fewer elements are left alone. */
  readonly least?: number;
  /** Whether relations of elements that cause events may be part of loops; otherwise their equations are left alone. */
  readonly relations?: boolean;
}

export interface CutModel {
  /** The scalar part; variables of the field have no elements there. */
  readonly rest: FlatModel;
  readonly field: Field;
}

/** States that are given their initial values by initial equations have these as start values where they are part of the field, and nowhere else. */
export function cutFields(
  flat: FlatModel,
  options: CutOptions = {},
): { readonly cut: CutModel | undefined; readonly leftOut: readonly LeftOut[] } {
  const initial = new InitialValues(flat);
  let started: ReadonlySet<number> = new Set(initial.symbols);
  for (;;) {
    const cutter = new Cutter(withMargins(initial.started(started)), options);
    const cut = cutter.run();
    const inside = new Set(cut?.field.states.map(({ symbol }) => symbol));
    const fitting = new Set([...started].filter((symbol) => inside.has(symbol)));
    if (!cut || fitting.size === started.size) return { cut, leftOut: cutter.leftOut };
    started = fitting;
  }
}

class Cutter {
  readonly leftOut: LeftOut[] = [];
  private readonly pool: Pool;
  private readonly units: readonly LoopedEquation[];
  /** Nodes of each unit, or why it has none. */
  private nodes: readonly (readonly FieldNode[] | Unfit)[];
  private readonly values: FieldValues;
  private readonly arrays: Arrays;
  private readonly knowledge: Knowledge;
  private readonly candidates: Candidates;
  private readonly active: Set<number>;
  private readonly divisors: Divisors;
  private explicit: ReturnType<typeof explicitEquations> | undefined;
  private readonly solutions: Solutions;
  private readonly watch: FieldWatch;
  private readonly relations: ElementRelations;
  /** By unit: the variables that it speaks of, once they were asked for. */
  private readonly mentioned = new Map<LoopedEquation, ReadonlySet<number>>();
  /** Arrays of the field's own; symbols count on from the variables of the model. */
  private readonly data: { symbol: number; values: Float64Array }[] = [];
  private readonly hidden: (readonly number[])[] = [];
  private readonly signs = new Map<number, number>();
  /** The nodes as they were, while some of them are cut at borders. */
  private whole: typeof this.nodes | undefined;
  /** Units that the scalar part keeps, so that the loops need not begin with guesses. */
  private readonly keptOut = new Set<number>();
  /** The one of them that is on trial, those to try after it, and what was shot without it. */
  private trial: Trial | undefined;

  constructor(
    private readonly flat: FlatModel,
    { least, relations = true }: CutOptions,
  ) {
    this.pool = flat.pool;
    this.units = unitsOf(flat.equations);
    this.arrays = {
      pool: flat.pool,
      dimsOf: (symbol) => this.dimsOf(symbol),
      functions: flat.functions,
      known: (symbol) => this.values.structural(symbol),
      data: (values) => this.addData(values),
    };
    const valuesOf = (symbol: number) => this.data.find((d) => d.symbol === symbol)?.values;
    this.values = new FieldValues(flat, this.arrays, valuesOf);
    this.knowledge = {
      isParameter: (symbol) => this.isParameter(symbol),
      evaluate: (expr) => (expr.kind === 'ref' ? this.sign(expr) : Number.NaN),
    };
    this.divisors = new Divisors(flat.pool, this.knowledge, (symbol) => this.declared(symbol));
    this.watch = new FieldWatch(flat);
    this.relations = new ElementRelations(flat.pool, this.watch, relations, (dims) => this.addHidden(dims));
    this.solutions = new Solutions(flat.pool, this.divisors);
    this.candidates = new Candidates(flat, this.values);
    this.active = this.candidates.find(this.units, this.leftOut, least);
    this.nodes = this.active.size === 0 ? [] : this.units.map((unit) => this.nodesOf(unit));
  }

  run(): CutModel | undefined {
    for (let attempt = 0; this.active.size > 0 && attempt < mostAttempts; attempt++) {
      const found = this.attempt();
      if (found !== undefined) return found;
    }
    return this.drop([...this.active], 'the model has too many arrays that do not fit');
  }

  // ------------------------------------------------------------------ variables

  private dimsOf(symbol: number): readonly number[] {
    return symbol < firstHidden ? this.flat.variables[symbol]!.dims : this.hidden[symbol - firstHidden]!;
  }

  private addHidden(dims: readonly number[]): number {
    return firstHidden + this.hidden.push(dims) - 1;
  }

  private addData(values: Float64Array): number {
    const known = this.data.find(
      (d) => d.values.length === values.length && d.values.every((v, k) => v === values[k]),
    );
    if (known) return known.symbol;
    const symbol = this.addHidden([values.length]);
    this.data.push({ symbol, values });
    return symbol;
  }

  /** The sign of a parameter; that it was asked for is remembered. */
  private sign(ref: Ref): number {
    const sign = this.values.sign(ref);
    if (!Number.isNaN(sign)) this.signs.set(ref.symbol, sign);
    return sign;
  }

  private isParameter(symbol: number): boolean {
    const variability = this.flat.variables[symbol]?.variability;
    return variability === undefined || variability === 'parameter' || variability === 'constant';
  }

  /** What bounds and equations say of an array. */
  private declared(symbol: number): DeclaredRange | undefined {
    const variable = this.flat.variables[symbol];
    if (!variable || !this.candidates.hasCommonBounds(variable)) return undefined;
    this.explicit ??= explicitEquations(this.nodes);
    const { size, min, max } = this.fieldVariable(symbol, this.flat.variables);
    return { size, min, max, ...(this.explicit.get(symbol) ?? { values: [], defined: 0 }) };
  }

  private nodesOf(unit: LoopedEquation): readonly FieldNode[] | Unfit {
    const nodes = nodesOf(this.arrays, unit);
    return nodes instanceof Unfit ? nodes : fitted(() => nodes.map((node) => this.relations.hold(node)));
  }

  // ------------------------------------------------------------------ one attempt

  private drop(symbols: Iterable<number>, reason: string): undefined {
    for (const symbol of symbols) {
      if (!this.active.delete(symbol)) continue;
      this.leftOut.push({ symbol, reason });
    }
    return undefined;
  }

  /** Tries what is active now; undefined where something had to be dropped. */
  private attempt(): CutModel | undefined {
    const chosen: ChosenNode[] = [];
    const outside = new Set<number>();
    for (const [k, unit] of this.units.entries()) {
      const nodes = this.nodes[k]!;
      if (!this.speaksOfActive(unit) || this.keptOut.has(k)) outside.add(k);
      else if (nodes instanceof Unfit) {
        const whole = this.readWhole(unit);
        if (whole.length > 0) return this.drop(whole, `of an equation: ${nodes.reason}`);
        outside.add(k);
      } else if (nodes.some((node) => !node.scalar && !this.mentionsActive(node)))
        return this.drop(this.readWhole(unit), 'relations of it decide on other variables');
      else for (const node of nodes) chosen.push({ unit: k, node });
    }
    const nodes = chosen.map(({ node }) => node);
    const singles = nodes.filter(({ scalar }) => scalar);
    const crowded = crowdedSymbols(singles, this.active, (symbol) => sizeOf(this.dimsOf(symbol)));
    if (crowded.length > 0) return this.drop(crowded, 'its elements have too many equations of their own');
    const matches = match(nodes, this.unknowns(nodes), this.solutions);
    if (isMismatch(matches))
      return this.cutOrDrop(chosen, matches, 'its equations cannot be solved for whole arrays');
    const foreign = matches.filter(({ value }) => this.readsForeignDerivative(value));
    if (foreign.length > 0) {
      const symbols = foreign.map(({ target }) => target.symbol);
      return this.dropMismatch({ symbols }, 'it is computed from derivatives of variables that stay outside');
    }
    const determined = new Set(matches.map(({ node }) => node));
    for (const { unit, node } of chosen) if (!determined.has(node)) outside.add(unit);
    const relations = this.relations.readBy(matches);
    const all = [...matches, ...relations.map((relation) => relation.match)];
    const kernels = orderMatches(this.pool, all, this.divisors, (dims) => this.addHidden(dims));
    if (isMismatch(kernels)) return this.cutOrDrop(chosen, kernels, 'its elements depend on each other');
    const ends = chosen.filter(({ node }) => node.scalar && determined.has(node));
    return this.assemble(matches, relations, kernels, outside, ends);
  }

  /** Loops may have to be cut at the borders of arrays; where that does not help either, they are whole again. */
  private cutOrDrop(chosen: readonly ChosenNode[], mismatch: MatchingMismatch, reason: string): undefined {
    if (this.whole) {
      this.nodes = this.whole;
      this.whole = undefined;
      return this.dropMismatch(mismatch, reason);
    }
    const sizes = (symbol: number) => (this.active.has(symbol) ? sizeOf(this.dimsOf(symbol)) : undefined);
    const nodes = chosen.map(({ node }) => node);
    const parts = cutAtBorders(this.pool, nodes, sizes);
    if (!parts) return this.dropMismatch(mismatch, reason);
    const byNode = new Map(chosen.map(({ node }, k) => [node, parts[k]!]));
    this.whole = this.nodes;
    this.nodes = this.nodes.map((nodes) =>
      nodes instanceof Unfit ? nodes : nodes.flatMap((node) => byNode.get(node) ?? [node]),
    );
    return undefined;
  }

  private readsForeignDerivative(value: Expr): boolean {
    let found = false;
    new References((ref) => {
      found ||= orderOf(ref) > 0 && !this.active.has(ref.symbol);
    }).in(value);
    return found;
  }

  private dropMismatch({ symbols }: MatchingMismatch, reason: string): undefined {
    if (this.trial) return this.nextTrial(this.trial);
    const arrays = symbols.filter((symbol) => this.active.has(symbol));
    return this.drop(arrays.length > 0 ? arrays : [...this.active], reason);
  }

  private speaksOfActive(unit: LoopedEquation): boolean {
    const symbols = remember(this.mentioned, unit, () => {
      const found = new Set<number>();
      new References(({ symbol }) => found.add(symbol)).inEquation(unit.body);
      return found;
    });
    for (const symbol of symbols) if (this.active.has(symbol)) return true;
    return false;
  }

  /** Whether more than its relations speak of active arrays. */
  private mentionsActive({ left, right }: FieldNode): boolean {
    return referencesIn(left, right).some(({ symbol }) => this.active.has(symbol));
  }

  /** Active arrays that an equation uses otherwise than by single elements. */
  private readWhole(unit: LoopedEquation): number[] {
    const whole = new Set<number>();
    new References((ref) => {
      if (this.active.has(ref.symbol) && !isElement(ref, this.dimsOf(ref.symbol))) whole.add(ref.symbol);
    }).inEquation(unit.body);
    return [...whole];
  }

  private unknowns(nodes: readonly FieldNode[]): Map<number, Unknown> {
    const unknowns = new Map<number, Unknown>();
    for (const symbol of this.active) {
      const order = this.candidates.highest.get(symbol) === 1 ? 1 : 0;
      unknowns.set(symbol, { symbol, size: sizeOf(this.dimsOf(symbol)), order, optional: false });
    }
    for (const node of nodes) {
      if (node.scalar || node.extents.length > 0) continue;
      for (const ref of referencesIn(node.left, node.right))
        if (!isAccess(ref) && this.candidates.isFreeScalar(ref))
          unknowns.set(ref.symbol, { symbol: ref.symbol, size: 1, order: 0, optional: true });
    }
    return unknowns;
  }

  // ------------------------------------------------------------------ the two parts

  private assemble(
    matches: readonly Match[],
    relations: readonly ElementRelation[],
    kernels: readonly Kernel[],
    outside: ReadonlySet<number>,
    ends: readonly ChosenNode[],
  ): CutModel | undefined {
    const { flat } = this;
    const inside = new Set(matches.map(({ target }) => target.symbol));
    const rest = new ScalarPart(flat, inside, (symbol) => this.candidates.highest.get(symbol) === 1);
    const equations = [...outside]
      .sort((a, b) => a - b)
      .map((k) => rest.equation(equationOf(this.units[k]!)));
    const conditions = flat.conditions.map((c) => ({ ...c, value: rest.expr(c.value) }));
    const components = flat.components.map((c) => ({
      ...c,
      inputs: c.inputs.map((port) => ({ ...port, value: rest.expr(port.value) })),
    }));
    if (rest.whole.size > 0) return this.drop(rest.whole, 'other equations speak of it as a whole');
    const hoisted = hoist(this.pool, this.watch, kernels, rest.variables, equations);
    const isInput = (symbol: number): boolean =>
      symbol < firstHidden && !inside.has(symbol) && !this.isParameter(symbol);
    const shot = shotSymbols(this.pool, hoisted, rest.outputs, isInput);
    if (shot.length > 0) return this.avoid(shot, ends, matches);
    this.trial = undefined;
    const hasEvents = equations.some((equation) =>
      [...expressionsOf(flat, equation)].some((expr) => this.watch.acts(expr, true)),
    );
    const swinging = swingingSymbols(
      this.pool,
      hoisted,
      new Set(relations.map(({ indicator }) => indicator)),
      new Set(hasEvents ? rest.outputs.map(({ symbol }) => symbol) : []),
    );
    if (swinging.size > 0) return this.drop(swinging, 'functions of time cause events');
    const once = new Once(this.arrays, this.knowledge);
    const states: FieldState[] = [];
    const algebraic: FieldVariable[] = [];
    for (const symbol of [...inside].sort((a, b) => a - b)) {
      const own = this.fieldVariable(symbol, rest.variables);
      if (this.candidates.highest.get(symbol) !== 1) {
        algebraic.push(own);
        continue;
      }
      const start = this.addHidden(own.variable.dims);
      const formula = once.formula(start, own.variable.start ?? this.pool.zero, own.variable);
      if (!formula) return this.drop([symbol], 'its initial values are not one formula of parameters');
      once.add(formula);
      const nominal = this.nominal(own.variable);
      if (nominal === undefined) return this.drop([symbol], 'its nominal values are not one number');
      states.push({ ...own, start, nominal, loose: this.loose(own.variable) });
    }
    const own = ownParameters(flat, hoisted, once, equations, inside, (v) =>
      this.candidates.hasCommonBounds(v),
    );
    const prepared = once.kernels();
    if (!prepared) return this.drop([...this.active], 'parameters are defined in terms of each other');
    const read = new Set(readSymbols([...prepared, ...hoisted]));
    for (const { value, count } of rest.resets) read.add(value).add(count);
    const { inputs, parameters } = this.surroundings(read, inside, own, rest.variables);
    const field: Field = {
      pool: this.pool,
      functions: flat.functions,
      states,
      algebraic,
      inputs,
      parameters,
      own: [...own].map((symbol) => this.fieldVariable(symbol, rest.variables)),
      signs: [...this.signs].flatMap(([symbol, sign]) => {
        const isRead = own.has(symbol) || parameters.some((p) => p.symbol === symbol);
        return isRead ? [{ symbol, size: sizeOf(this.dimsOf(symbol)), sign }] : [];
      }),
      assumes: this.divisors.assumed,
      data: this.data,
      outputs: rest.outputs,
      resets: rest.resets,
      relations,
      isInitialised: this.candidates.hasInitialConditions,
      once: prepared,
      kernels: hoisted,
    };
    const variables = rest.variables.map((variable, symbol) =>
      inside.has(symbol) || own.has(symbol) ? emptied(variable) : variable,
    );
    return { rest: { ...flat, variables, equations, conditions, components }, field };
  }

  // ------------------------------------------------------------------ loops that begin with guesses

  /**
   * Of the equations at the ends of the loops, those of single elements that determine one, one is kept out, if what remains is matched without a guess then: as a system of equations. Where none of them
   * helps, the arrays are left to the scalar part.
   */
  private avoid(
    shot: readonly ReadonlySet<number>[],
    ends: readonly ChosenNode[],
    matches: readonly Match[],
  ): undefined {
    if (this.trial && shot.length >= this.trial.shot.length) return this.nextTrial(this.trial);
    const targets = new Map(matches.map(({ node, target }) => [node, target.symbol]));
    const units = ends.flatMap(({ unit, node }) =>
      shot.some((symbols) => symbols.has(targets.get(node)!)) ? [unit] : [],
    );
    return this.nextTrial({ shot, units: units.slice(0, mostTrials), current: undefined });
  }

  private nextTrial({ shot, units, current }: Trial): undefined {
    if (current !== undefined) this.keptOut.delete(current);
    const [next, ...others] = units;
    if (next === undefined) {
      this.trial = undefined;
      const reason = 'its elements depend on each other through other equations';
      return this.drop(new Set(shot.flatMap((symbols) => [...symbols])), reason);
    }
    this.keptOut.add(next);
    this.trial = { shot, units: others, current: next };
    return undefined;
  }

  /** The start value in words, unless it is fixed. */
  private loose({ name, start, fixed }: FlatVariable): string | undefined {
    if (fixed === true || (Array.isArray(fixed) && fixed.every((f) => f))) return undefined;
    const value = exprText(start ?? this.pool.zero, namesOf(this.flat));
    return `${name} = ${value.length > longest ? `${value.slice(0, longest)}…` : value}`;
  }

  /** Typical size of a state. */
  private nominal({ nominal }: FlatVariable): number | undefined {
    if (!nominal) return 1;
    const value = this.values.number(nominal);
    return value === undefined ? undefined : Math.abs(value) || 1;
  }

  private fieldVariable(symbol: number, variables: readonly FlatVariable[]): FieldVariable {
    const variable = variables[symbol]!;
    const bound = (expr: Expr | undefined, without: number): number =>
      expr ? (this.values.number(expr) ?? without) : without;
    const min = bound(variable.min, Number.NEGATIVE_INFINITY);
    const max = bound(variable.max, Number.POSITIVE_INFINITY);
    return { symbol, variable, size: sizeOf(variable.dims), min, max };
  }

  /** What the field reads and the scalar part determines. */
  private surroundings(
    read: Iterable<number>,
    inside: ReadonlySet<number>,
    own: ReadonlySet<number>,
    variables: readonly FlatVariable[],
  ): { inputs: FieldVariable[]; parameters: FieldVariable[] } {
    const inputs: FieldVariable[] = [];
    const parameters: FieldVariable[] = [];
    for (const symbol of read) {
      if (inside.has(symbol) || own.has(symbol) || symbol >= firstHidden) continue;
      // Variables that were added since are no parameters.
      const isParameter = symbol < this.flat.variables.length && this.isParameter(symbol);
      (isParameter ? parameters : inputs).push(this.fieldVariable(symbol, variables));
    }
    return { inputs, parameters };
  }
}

const isMismatch = (found: object): found is MatchingMismatch => 'symbols' in found;
