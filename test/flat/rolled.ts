/**
 * Notation of tests of uniform arrays: a text translated twice, once with its arrays of components as families and once with
 * all elements written out before flattening. Both models written out as scalars must be the same; `scalarText` is what is compared.
 */
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { Source } from '../../src/diagnostic/source.ts';
import type { FlatModel } from '../../src/flat/flat.ts';
import { flatten } from '../../src/flat/flatten.ts';
import type { Instance } from '../../src/model/instance.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { type Names, printExpr } from '../../src/symbolic/print.ts';
import { parse } from '../../src/syntax/parser.ts';

export interface Translated {
  readonly model: FlatModel | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function translated(text: string, writtenOut: boolean, name?: string): Translated {
  const { definition, diagnostics } = parse(new Source('test.mo', text));
  if (diagnostics.length > 0) throw new Error(diagnostics.map((d) => d.message).join('\n'));
  const library = new Library();
  library.add(definition);
  const instance = instantiate(library, name ?? definition.classes.at(-1)!.name.text);
  if (!instance.root || instance.diagnostics.some((d) => d.severity === 'error'))
    return { model: undefined, diagnostics: instance.diagnostics };
  if (writtenOut) writeOut(instance.root);
  const result = flatten(instance.root, library);
  return { model: result.model, diagnostics: [...instance.diagnostics, ...result.diagnostics] };
}

/** Asking an array for its elements makes them. */
function writeOut(instance: Instance): void {
  if (instance.kind === 'variable') return;
  for (const element of instance.elements) writeOut(element);
  for (const member of instance.members.values()) writeOut(member);
}

/** The arrays of components that a model keeps as families: their paths, from the names of its variables. */
export function familiesOf(model: FlatModel): string[] {
  const paths = model.variables.flatMap(({ within = [] }) => within.map(({ path }) => path));
  return [...new Set(paths)];
}

/** Scalars with their attributes in the order of the model, then equations and actions, sorted. */
export function scalarText(model: FlatModel): string[] {
  const { scalars, equations, initialEquations, actions, relations, pool } = lowerModel(model);
  const names: Names = {
    nameOfSymbol: (symbol: number) => scalars[symbol]!.name,
    nameOfFunction: (fn: number) => model.functions[fn]!.name,
    nameOfRelation: (relation: number): string => {
      const { op, left, right } = relations[relation]!;
      return `${op}(${canonical(left, names)}, ${canonical(right, names)})`;
    },
  };
  const text = (expr: Expr | undefined): string => (expr ? canonical(expr, names) : '-');
  const row = ({ left, right, guard }: (typeof equations)[number]): string =>
    right === pool.zero
      ? `${terms(left, text).sort().join(' ')} = 0`
      : `${text(left)} = ${text(right)} ${JSON.stringify(guard)}`;
  const variables = scalars
    .filter(({ variable }) => variable)
    .map((s) => {
      const { unit, flow, hidden, causality, description } = s.variable!;
      const attributes = [s.start, s.binding, s.min, s.max, s.nominal].map(text).join(' ');
      return `${s.name} ${s.kind} ${s.type} ${s.fixed} ${attributes} ${unit} ${flow} ${hidden} ${causality} ${description}`;
    });
  return [
    ...variables,
    ...equations.map(row).sort(),
    ...initialEquations.map((equation) => `initial ${row(equation)}`).sort(),
    ...actions.map((action) => `${action.kind} ${action.origin.component}`).sort(),
    `${relations.length} relations`,
  ];
}

/** The operands of some operators are in the order in which they were met first: here in that of their texts. */
const commutative = new Set(['add', 'mul', 'and', 'or', 'eq', 'ne', 'min', 'max']);

function canonical(expr: Expr, names: Names): string {
  if (expr.kind !== 'apply' && expr.kind !== 'call') return printExpr(expr, names);
  const args = expr.args.map((arg) => canonical(arg, names));
  if (expr.kind === 'call')
    return `${names.nameOfFunction!(expr.fn, expr.output)}.${expr.output}(${args.join(', ')})`;
  return `${expr.op}(${(commutative.has(expr.op) ? args.sort() : args).join(', ')})`;
}

/** A sum as its terms: in which order flows are added makes no difference. */
function terms(expr: Expr, text: (expr: Expr) => string, sign = '+'): string[] {
  const other = sign === '+' ? '-' : '+';
  if (expr.kind === 'apply' && expr.op === 'neg') return terms(expr.args[0]!, text, other);
  if (expr.kind !== 'apply' || (expr.op !== 'add' && expr.op !== 'sub')) return [sign + text(expr)];
  const [a, b] = expr.args as [Expr, Expr];
  return [...terms(a, text, sign), ...terms(b, text, expr.op === 'add' ? sign : other)];
}
