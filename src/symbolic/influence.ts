/**
 * Which arguments of a user function act on which of its outputs: by what is assigned, and by the conditions and ranges on the way there. An
 * argument that is not named may be changed without any effect on the output; one that is named may have none all the same.
 */
import { remember } from '../collections/memo.ts';
import { children, nodesOf, reachable } from './analyse.ts';
import type { Apply, Call, Expr } from './expr.ts';
import { expressionsOf, type FunctionDef, type FunctionStatement, statementsIn } from './function.ts';
import { isLowered } from './lower.ts';
import { sizeOf } from './shape.ts';
import { targetsOf } from './slice.ts';

/** Input locals. */
type Sources = ReadonlySet<number>;

interface Influence {
  /** By local: the inputs that act on it. */
  readonly sources: readonly Sources[];
  /**
   * Inputs that act on something other than outputs: on an assertion, on what code from outside does, on whether a subscript is inside its bounds
   * and a loop ends.
   */
  readonly effective: Sources;
}

type Functions = readonly FunctionDef[];

const known = new WeakMap<FunctionDef, Influence>();

const influenceOf = (functions: Functions, def: FunctionDef): Influence =>
  remember(known, def, () => {
    open.add(def);
    try {
      return sourcesOf(functions, def);
    } finally {
      open.delete(def);
    }
  });

/** The arguments of a scalarised call that act on its output. */
export function influentialArguments(functions: Functions, { fn, args, output }: Call): readonly Expr[] {
  const def = functions[fn]!;
  if (def.external || def.impure) return args;
  const acting = influenceOf(functions, def).sources[localAt(def, def.inputs, output)]!;
  return args.filter((_, k) => acting.has(localAt(def, 0, k)));
}

/** Whether an input acts on an output, on its derivative by a function that is given for it, or on anything else that a call does. */
export function acts(functions: Functions, def: FunctionDef, input: number, output: number): boolean {
  // Calls of an impure function in different turns of a loop are different calls.
  if (def.external || def.impure) return true;
  const { sources, effective } = influenceOf(functions, def);
  if (sources[def.inputs + output]!.has(input) || effective.has(input)) return true;
  return (def.given ?? []).some(({ fn, along, outputs }) => {
    const derivative = outputs[output];
    const inputs = [input, ...along.flatMap((moving, k) => (moving === input ? [def.inputs + k] : []))];
    return derivative !== undefined && inputs.some((one) => acts(functions, functions[fn]!, one, derivative));
  });
}

const effects = new WeakMap<FunctionDef, boolean>();

/** Whether a call may do more than give outputs. */
const hasEffects = (functions: Functions, def: FunctionDef): boolean =>
  remember(effects, def, () => reachesEffect(functions, def, new Set()));

function reachesEffect(functions: Functions, def: FunctionDef, seen: Set<FunctionDef>): boolean {
  if (seen.has(def)) return false;
  seen.add(def);
  if (def.external) return true;
  return [...statementsIn(def.body)].some(
    (statement) =>
      statement.kind === 'assert' ||
      calls(statement).some(({ fn }) => reachesEffect(functions, functions[fn]!, seen)),
  );
}

const outside = new WeakMap<FunctionDef, boolean>();

/** Whether a call reaches code from outside that may do something, or give another value than before. */
export const mayActOutside = (functions: Functions, fn: number): boolean =>
  remember(outside, functions[fn]!, () => reachesOutside(functions, functions[fn]!, new Set()));

function reachesOutside(functions: Functions, def: FunctionDef, seen: Set<FunctionDef>): boolean {
  const { external, body, locals } = def;
  if (external) return external.kind === 'foreign' && external.foreign.impure === true;
  if (seen.has(def)) return false;
  seen.add(def);
  const values = nodesOf(...locals.flatMap(({ initial }) => initial ?? []));
  const called = values.flatMap((node) => (node.kind === 'call' ? [node.fn] : []));
  for (const statement of statementsIn(body)) called.push(...calls(statement).map(({ fn }) => fn));
  return called.some((fn) => reachesOutside(functions, functions[fn]!, seen));
}

/** The calls of one statement, without those of statements inside. */
function calls(statement: FunctionStatement): Pick<Call, 'fn' | 'args'>[] {
  const inside = nodesOf(...expressionsOf(statement)).filter((node) => node.kind === 'call');
  return statement.kind === 'multiassign' ? [statement, ...inside] : inside;
}

/** Subscripts in a statement, without those of statements inside, that are not the same in every call. */
function subscriptsIn(statement: FunctionStatement): Expr[] {
  return nodesOf(...expressionsOf(statement)).flatMap((node) => {
    const places = node.kind === 'local' ? node.subscripts : isIndexed(node) ? node.args.slice(1) : [];
    return places.filter((place) => nodesOf(place).some(({ kind }) => kind === 'local'));
  });
}

const isIndexed = (node: Expr): node is Apply => node.kind === 'apply' && node.op === 'subscript';

/** The local that holds element k of those from `first` on. */
function localAt(def: FunctionDef, first: number, k: number): number {
  let local = first;
  for (let rest = k; rest >= sizeOf(def.locals[local]!.dims); local++)
    rest -= sizeOf(def.locals[local]!.dims);
  return local;
}

/** Functions of which it is being found out: what calls itself is taken to use all of its arguments. */
const open = new WeakSet<FunctionDef>();

/** The arguments of a call that act on one of its outputs. */
function actingOn(
  functions: Functions,
  { fn, args }: Pick<Call, 'fn' | 'args'>,
  output: number,
): readonly Expr[] {
  const def = functions[fn]!;
  if (def.external || def.impure || open.has(def)) return args;
  const acting = influenceOf(functions, def).sources[def.inputs + output]!;
  // An output without a value: messages show the call as it is.
  if (acting.size === 0 && !isAssigned(def, def.inputs + output)) return args;
  return args.filter((_, k) => acting.has(k));
}

const isAssigned = ({ locals, body }: FunctionDef, index: number): boolean =>
  locals[index]!.initial !== undefined ||
  [...statementsIn(body)].some((statement) => targetsOf(statement).includes(index));

/** Statements are gone through until nothing is added: loops carry values back. */
function sourcesOf(functions: Functions, def: FunctionDef): Influence {
  const sources = def.locals.map((_, k) => new Set(k < def.inputs ? [k] : []));
  /** What decides whether statements are reached at all: `break` and `return` leave some out. */
  const exits = new Set<number>();
  const effective = new Set<number>();
  let grown = true;
  const add = (into: Set<number>, from: Iterable<number>): void => {
    const { size } = into;
    for (const source of from) into.add(source);
    grown ||= into.size > size;
  };
  const outputOf = ({ fn, output }: Call): number => {
    const { inputs } = functions[fn]!;
    return isLowered(def) ? localAt(functions[fn]!, inputs, output) - inputs : output;
  };
  const reads = (exprs: readonly (Expr | undefined)[]): Set<number> => {
    const found = new Set<number>();
    const visit = (node: Expr): boolean => {
      if (node.kind === 'local') for (const source of sources[node.index]!) found.add(source);
      return false;
    };
    const acting = (node: Expr): readonly Expr[] =>
      node.kind === 'call' ? actingOn(functions, node, outputOf(node)) : children(node);
    const seen = new Set<Expr>();
    for (const expr of exprs) if (expr) reachable(expr, visit, seen, acting);
    return found;
  };
  const assign = (target: Expr, from: Sources, path: Sources): void => {
    if (target.kind !== 'local') return;
    for (const part of [from, reads(target.subscripts), path, exits]) add(sources[target.index]!, part);
  };
  const visit = (body: readonly FunctionStatement[], path: Sources): void => {
    for (const statement of body) {
      const acting = calls(statement).filter(({ fn }) => hasEffects(functions, functions[fn]!));
      for (const { args } of acting) for (const part of [reads(args), path, exits]) add(effective, part);
      const places = subscriptsIn(statement);
      if (places.length > 0) for (const part of [reads(places), path, exits]) add(effective, part);
      switch (statement.kind) {
        case 'assign':
          assign(statement.target, reads([statement.value]), path);
          break;
        case 'multiassign':
          for (const [k, target] of statement.targets.entries())
            if (target) assign(target, reads(actingOn(functions, statement, k)), path);
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
          for (const part of [reads([statement.condition]), path, exits]) add(effective, part);
          visit(statement.body, new Set([...path, ...reads([statement.condition])]));
          break;
        case 'break':
        case 'return':
          add(exits, path);
          break;
        case 'assert':
          for (const part of [reads([statement.condition, statement.message]), path, exits])
            add(effective, part);
          break;
      }
    }
  };
  while (grown) {
    grown = false;
    for (const [k, { initial }] of def.locals.entries()) if (initial) add(sources[k]!, reads([initial]));
    visit(def.body, new Set());
  }
  return { sources, effective };
}
