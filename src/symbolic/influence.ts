/**
 * Which arguments of a user function act on which of its outputs: by what is assigned, and by the conditions and ranges on the way there. An
 * argument that is not named may be changed without any effect on the output; one that is named may have none all the same.
 */
import { remember } from '../collections/memo.ts';
import { nodesOf } from './analyse.ts';
import type { Call, Expr } from './expr.ts';
import type { FunctionDef, FunctionStatement } from './function.ts';
import { sizeOf } from './shape.ts';

/** Input locals. */
type Sources = ReadonlySet<number>;

const known = new WeakMap<FunctionDef, readonly Sources[]>();

/** The arguments of a scalarised call that act on its output. */
export function influentialArguments(def: FunctionDef, { args, output }: Call): readonly Expr[] {
  if (def.external) return args;
  const sources = remember(known, def, () => sourcesOf(def));
  const acting = sources[localAt(def, def.inputs, output)]!;
  return args.filter((_, k) => acting.has(localAt(def, 0, k)));
}

/** The local that holds element k of those from `first` on. */
function localAt(def: FunctionDef, first: number, k: number): number {
  let local = first;
  for (let rest = k; rest >= sizeOf(def.locals[local]!.dims); local++)
    rest -= sizeOf(def.locals[local]!.dims);
  return local;
}

/** By local: the inputs that act on it. Statements are gone through until nothing is added: loops carry values back. */
function sourcesOf(def: FunctionDef): Sources[] {
  const sources = def.locals.map((_, k) => new Set(k < def.inputs ? [k] : []));
  /** What decides whether statements are reached at all: `break` and `return` leave some out. */
  const exits = new Set<number>();
  let grown = true;
  const add = (into: Set<number>, from: Iterable<number>): void => {
    const { size } = into;
    for (const source of from) into.add(source);
    grown ||= into.size > size;
  };
  const reads = (exprs: readonly (Expr | undefined)[]): Set<number> => {
    const found = new Set<number>();
    for (const expr of exprs)
      for (const node of expr ? nodesOf(expr) : [])
        if (node.kind === 'local') for (const source of sources[node.index]!) found.add(source);
    return found;
  };
  const assign = (target: Expr, from: Sources, path: Sources): void => {
    if (target.kind !== 'local') return;
    for (const part of [from, reads(target.subscripts), path, exits]) add(sources[target.index]!, part);
  };
  const visit = (body: readonly FunctionStatement[], path: Sources): void => {
    for (const statement of body) {
      switch (statement.kind) {
        case 'assign':
          assign(statement.target, reads([statement.value]), path);
          break;
        case 'multiassign':
          for (const target of statement.targets) if (target) assign(target, reads(statement.args), path);
          break;
        case 'if': {
          const inner = new Set([...path, ...reads(statement.branches.map(({ condition }) => condition))]);
          for (const branch of statement.branches) visit(branch.body, inner);
          break;
        }
        case 'for':
          visit(statement.body, new Set([...path, ...reads([statement.range])]));
          break;
        case 'while':
          visit(statement.body, new Set([...path, ...reads([statement.condition])]));
          break;
        case 'break':
        case 'return':
          add(exits, path);
          break;
        case 'assert':
          break;
      }
    }
  };
  while (grown) {
    grown = false;
    for (const [k, { initial }] of def.locals.entries()) if (initial) add(sources[k]!, reads([initial]));
    visit(def.body, new Set());
  }
  return sources;
}
