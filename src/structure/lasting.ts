/**
 * What is equal in all modes. Most equations of a model that is made of components say that two variables are one, and most of these
 * stand in every mode. They are eliminated once, by `alias.ts`; modes are then analysed in terms of the variables that are left.
 *
 * Two variables that are differentiated in some mode stay two here. Where a mode differentiates but one of them, its own
 * elimination makes them one.
 */
import { leaves } from '../symbolic/analyse.ts';
import type { Pool } from '../symbolic/pool.ts';
import { eliminateAliases, Renaming } from './alias.ts';
import type { Alias, ScalarEquation, ScalarVariable } from './analysis.ts';

/** What all modes have in common, and what they may contain besides. */
export interface CommonPart {
  /** Equations that every mode contains, as the same objects. */
  readonly equations: readonly ScalarEquation[];
  /** Unknowns that exist wherever an equation contains them, by increasing symbol. */
  readonly variables: readonly ScalarVariable[];
  /** The equations of all modes, each at its index. */
  readonly everywhere: readonly Pick<ScalarEquation, 'left' | 'right'>[];
}

/** An equation as it was last seen, and in terms of survivors; undefined where it is eliminated. */
interface Reduced {
  readonly equation: ScalarEquation;
  readonly reduced: ScalarEquation | undefined;
}

export class LastingAliases {
  /** By increasing symbol. */
  readonly aliases: readonly Alias[];
  private readonly renaming: Renaming;
  /** By the index of the equation. */
  private readonly known: (Reduced | undefined)[];
  /** By symbol: a survivor, with what is true of the variables that it stands for. */
  private readonly survivors: ReadonlyMap<number, ScalarVariable>;

  constructor(pool: Pool, { equations, variables, everywhere }: CommonPart) {
    const result = eliminateAliases(pool, equations, variables, differentiatedIn(everywhere));
    this.aliases = result.aliases;
    this.renaming = new Renaming(pool, result.aliases);
    this.survivors = new Map(result.variables.map((survivor) => [survivor.symbol, survivor]));
    this.known = new Array<Reduced | undefined>(everywhere.length).fill(undefined);
    const kept = new Set(result.equations.map((equation) => equation.index));
    for (const equation of equations)
      if (!kept.has(equation.index)) this.known[equation.index] = { equation, reduced: undefined };
  }

  /** The equations of a mode without those that are eliminated, in terms of survivors. */
  equationsOf(equations: readonly ScalarEquation[]): ScalarEquation[] {
    const result: ScalarEquation[] = [];
    for (const equation of equations) {
      let known = this.known[equation.index];
      if (known?.equation !== equation) {
        known = { equation, reduced: this.renaming.renamed(equation) };
        this.known[equation.index] = known;
      }
      if (known.reduced) result.push(known.reduced);
    }
    return result;
  }

  /** The variables of a mode that survive. */
  variablesOf(variables: readonly ScalarVariable[]): ScalarVariable[] {
    const result: ScalarVariable[] = [];
    for (const variable of variables) {
      const { symbol } = variable;
      if (this.renaming.imageOf(symbol) === 0) result.push(this.survivors.get(symbol) ?? variable);
    }
    return result;
  }

  /** All aliases of a mode, by increasing symbol, from those that it has among survivors. */
  withOwn(own: readonly Alias[]): readonly Alias[] {
    if (own.length === 0) return this.aliases;
    const ownOf = new Map(own.map((alias) => [alias.symbol, alias]));
    const result: Alias[] = [];
    let next = 0;
    for (const alias of this.aliases) {
      while (next < own.length && own[next]!.symbol < alias.symbol) result.push(own[next++]!);
      const further = ownOf.get(alias.target);
      result.push(further ? composed(alias, further) : alias);
    }
    for (; next < own.length; next++) result.push(own[next]!);
    return result;
  }
}

function composed({ symbol, sign }: Alias, further: Alias): Alias {
  return { symbol, target: further.target, sign: sign === further.sign ? 1 : -1 };
}

function differentiatedIn(equations: CommonPart['everywhere']): Set<number> {
  const symbols = new Set<number>();
  for (const { left, right } of equations)
    for (const side of [left, right])
      for (const leaf of leaves(side)) if (leaf.kind === 'ref' && leaf.order > 0) symbols.add(leaf.symbol);
  return symbols;
}
