/**
 * Parameters and constants whose values depend on themselves. The search is depth first, without recursion.
 *
 * `T = if useT then 293 else temperature(h); h = if useT then enthalpy(T) else 1e5` is no circle: whichever value `useT` has, one of them is given.
 * So where a circle leads through conditions that are known, these decide while the model is flattened, and their parameters become structural.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import { type FlatBuilder, note } from './core/context.ts';
import { fixedNumber } from './expressions/constants.ts';
import type { FlatVariable } from './flat.ts';

/** The variables, those in circles with the branches that their conditions choose; what remains circular is reported. */
export function withoutCycles(
  builder: FlatBuilder,
  given: readonly FlatVariable[],
): { readonly variables: readonly FlatVariable[]; readonly diagnostics: readonly Diagnostic[] } {
  let variables = given;
  for (;;) {
    const cycles = bindingCycles(variables);
    const decided = new Map<FlatVariable, Expr>();
    for (const variable of cycles.flat()) {
      const binding = chosenBranches(builder, variable.binding!);
      if (binding !== variable.binding) decided.set(variable, binding);
    }
    if (decided.size === 0) return { variables, diagnostics: cycles.map(cycleError) };
    variables = variables.map((variable, symbol) => {
      const binding = decided.get(variable);
      const instance = builder.instances[symbol];
      const structural = variable.structural || (instance !== undefined && builder.isStructural(instance));
      return binding || structural !== variable.structural
        ? { ...variable, structural, ...(binding && { binding }) }
        : variable;
    });
  }
}

function chosenBranches(builder: FlatBuilder, binding: Expr): Expr {
  return substitute(builder.pool, binding, (node, below) => {
    if (node.kind !== 'apply' || node.op !== 'if') return undefined;
    const condition = fixedNumber(builder, node.args[0]!);
    return condition === undefined ? undefined : below[condition !== 0 ? 1 : 2];
  });
}

function bindingCycles(variables: readonly FlatVariable[]): (readonly FlatVariable[])[] {
  const result: (readonly FlatVariable[])[] = [];
  /** 0 not seen, 1 on the current path, 2 done. */
  const state = new Uint8Array(variables.length);
  for (let root = 0; root < variables.length; root++) {
    if (state[root] !== 0) continue;
    const path: { readonly symbol: number; readonly uses: readonly number[]; next: number }[] = [];
    const enter = (symbol: number): void => {
      state[symbol] = 1;
      path.push({ symbol, uses: usedBy(variables[symbol]!), next: 0 });
    };
    enter(root);
    while (path.length > 0) {
      const top = path[path.length - 1]!;
      const use = top.uses[top.next++];
      if (use === undefined) {
        state[top.symbol] = 2;
        path.pop();
      } else if (state[use] === 0) enter(use);
      else if (state[use] === 1) {
        const from = path.findIndex((step) => step.symbol === use);
        result.push(path.slice(from).map((step) => variables[step.symbol]!));
      }
    }
  }
  return result;
}

function usedBy(variable: FlatVariable): number[] {
  if (!variable.binding) return [];
  const symbols = new Set<number>();
  for (const leaf of leaves(variable.binding)) if (leaf.kind === 'ref') symbols.add(leaf.symbol);
  return [...symbols];
}

function cycleError(cycle: readonly FlatVariable[]): Diagnostic {
  const names = [...cycle, cycle[0]!].map((variable) => `\`${variable.name}\``);
  const message = `The value of ${names[0]} is defined in terms of itself: ${names.join(' → ')}.`;
  return error('cyclic-definition', message, {
    span: cycle[0]!.origin.span,
    hint: 'Give one of them a value that does not depend on the others.',
    notes: cycle.slice(1).map(({ name, origin }) => note(`\`${name}\` is declared here`, origin)),
  });
}
