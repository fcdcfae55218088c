/** Parameters and constants whose values depend on themselves. The search is depth first, without recursion. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { leaves } from '../symbolic/analyse.ts';
import { note } from './core/context.ts';
import type { FlatVariable } from './flat.ts';

export function bindingCycles(variables: readonly FlatVariable[]): Diagnostic[] {
  const result: Diagnostic[] = [];
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
        result.push(cycleError(path.slice(from).map((step) => variables[step.symbol]!)));
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
