/** Array sizes of declarations (specification 3.6, section 10.1); `:` takes the size of the binding. */
import { error } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode } from '../../syntax/walk.ts';
import { type ClassEntity, instanceFor } from '../classes/class.ts';
import { countedType, countOf } from '../classes/counted.ts';
import { resolve } from '../classes/lookup.ts';
import type { Modifier, Report } from '../classes/modification.ts';
import type { Shape } from '../classes/shape.ts';
import type { Bound, IndexType, InstanceBase, Scope } from '../instance.ts';
import { dimsOf, typeName } from '../value.ts';
import { recordPart } from '../values/evaluate.ts';
import { Evaluator } from '../values/evaluator.ts';
import { Budget, Stop, stop } from '../values/frame.ts';
import { inferSizes, referenceSizes } from '../values/sizes.ts';
import type { DeclaredNode, ObjectNode } from './node.ts';

/** The sizes of a component: of its name, its clause and its type, outermost first; `undefined` after a report. */
export function componentSizes(
  owner: ObjectNode,
  base: InstanceBase,
  declared: DeclaredNode,
  shape: Shape,
  modifier: Modifier | undefined,
  report: Report,
): readonly number[] | undefined {
  const all = subscriptsOf(owner, declared, shape);
  let ofBinding: readonly number[] | undefined;
  const asked = new Set<number>();
  const sizeAt = (d: number): number => {
    const { subscript, scope } = all[d]!;
    if (subscript.kind === 'colon') {
      const value = modifier?.value ?? startOf(modifier);
      ofBinding ??= bindingSizes(value, base);
      return ofBinding[d] ?? tooFewSizes(ofBinding, all.length, base, value);
    }
    const same = ownDimension(subscript, base.name);
    if (same === undefined || same >= all.length || asked.has(d)) return sizeOf(scope, subscript);
    asked.add(d);
    return sizeAt(same);
  };
  try {
    const dims = all.map((_, d) => {
      asked.clear();
      return sizeAt(d);
    });
    compareWithReplaced(dims, declared, base, report);
    return dims;
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    if (thrown.problem) report(thrown.problem);
    return undefined;
  }
}

/** A redeclaration has the sizes of what it replaces (section 6.4); those that are numbers in both were compared with the types. */
function compareWithReplaced(
  dims: readonly number[],
  { replaced = [] }: DeclaredNode,
  { name, span }: InstanceBase,
  report: Report,
): void {
  for (const [d, { subscript, scope }] of replaced.entries()) {
    if (subscript.kind === 'colon' || subscript.kind === 'number') continue;
    const wanted = ownDimension(subscript, name) === undefined ? sizeOf(scope, subscript) : dims[d];
    if (dims[d] === wanted) continue;
    const message = `\`${name}\` cannot be redeclared so: it has the size ${dims[d]}, not ${wanted}.`;
    report(error('type-mismatch', message, { span }));
  }
}

/** Start values of all elements, which have the size of an array that nothing else gives one. */
function startOf(modifier: Modifier | undefined): Bound | undefined {
  const start = modifier?.children.get('start')?.value;
  return start?.each ? undefined : start;
}

/** A size that is another one of the same array, as in `A[:, size(A, 1)]`: which, counted from 0. */
function ownDimension(subscript: ast.Subscript, name: string): number | undefined {
  if (subscript.kind !== 'call' || subscript.callee.parts.length !== 1) return undefined;
  const [array, dimension] = subscript.positional;
  if (subscript.callee.parts[0]!.name !== 'size' || array?.kind !== 'ref' || dimension?.kind !== 'number')
    return undefined;
  const isOwn = array.parts.length === 1 && array.parts[0]!.name === name;
  return isOwn && Number.isInteger(dimension.value) && dimension.value > 0 ? dimension.value - 1 : undefined;
}

/** Subscripts of the name, the clause and the type, with the scopes that they are written in. */
const subscriptsOf = (owner: ObjectNode, declared: DeclaredNode, shape: Shape) => [
  ...declared.subscripts,
  ...shape.subscripts.map(({ subscript, lexical }) => ({ subscript, scope: scopeOf(lexical, owner) })),
];

/** What the dimensions of a component are counted by. */
export function indexTypesOf(owner: ObjectNode, declared: DeclaredNode, shape: Shape): readonly IndexType[] {
  return subscriptsOf(owner, declared, shape).map(({ subscript, scope }) =>
    subscript.kind === 'colon' ? undefined : (countedType(scope, subscript) ?? 'Integer'),
  );
}

/** Whether a size follows from a parameter, or from the value that the array is given. */
export function isResizable(owner: ObjectNode, declared: DeclaredNode, shape: Shape): boolean {
  const { text: name } = declared.declaration.name;
  const all = subscriptsOf(owner, declared, shape);
  return all.some(
    ({ subscript, scope }) =>
      subscript.kind === 'colon' ||
      (ownDimension(subscript, name) === undefined &&
        [...everyNode(subscript)].some((node) => node.kind === 'ref' && hasFreeSize(scope, node))),
  );
}

/** A parameter, or an array that can have another size itself. */
function hasFreeSize(scope: Scope, ref: ast.ComponentRef): boolean {
  const resolution = resolve(scope, ref);
  if (resolution.kind !== 'component') return false;
  const instance = resolution.parts.at(-1)!.instance;
  return instance.kind === 'variable' && (instance.variability === 'parameter' || instance.resizable);
}

function scopeOf(lexical: ClassEntity, owner: ObjectNode): Scope {
  const scope: Scope = { instance: undefined, lexical };
  return { instance: instanceFor(scope, owner), lexical };
}

function bindingSizes(bound: Bound | undefined, base: InstanceBase): readonly number[] {
  if (!bound) return recordSizes(base) ?? noSizes(base);
  const evaluator = new Evaluator(new Budget(), bound.scope, bound.span.source);
  const dims = inferSizes(evaluator, bound.value) ?? dimsOf(evaluator.value(bound.value));
  return dims.slice(bound.subscripts.length);
}

/** `:` in more dimensions than the value has. */
function tooFewSizes(
  given: readonly number[],
  count: number,
  base: InstanceBase,
  value: Bound | undefined,
): never {
  if (!value) return noSizes(base);
  const found = given.length === 0 ? 'a scalar' : `[${given.join(', ')}]`;
  const dimensions = count === 1 ? 'one dimension' : `${count} dimensions`;
  const message = `\`${base.path}\` has ${dimensions} with the sizes of its value, but is given ${found}.`;
  const hint = `Give it a list${' of lists'.repeat(count - 1)}.`;
  return stop('dimension-mismatch', message, {
    span: value.span,
    hint,
    notes: [{ message: `\`${base.path}\` is declared here`, span: base.span }],
  });
}

function noSizes({ path, span }: InstanceBase): never {
  const message = `The size of \`${path}\` is not known: \`:\` takes it from a value, which is missing.`;
  return stop('no-value', message, { span, hint: 'Give the array a value or a size.' });
}

/** The sizes of a member of a record that is given as a whole: `r.x` of `R r = s` is as large as `s.x`. */
function recordSizes(base: InstanceBase): readonly number[] | undefined {
  const { parent, name } = base;
  if (parent?.kind !== 'object') return undefined;
  const { binding } = parent;
  if (binding?.value.kind !== 'ref') {
    const value = recordPart(new Budget(), base);
    return value && dimsOf(value);
  }
  const { value } = binding;
  const part: ast.RefPart = { start: value.end, end: value.end, name, subscripts: [] };
  const member: ast.ComponentRef = { ...value, parts: [...value.parts, part] };
  const evaluator = new Evaluator(new Budget(), binding.scope, binding.span.source);
  return referenceSizes(evaluator, member)?.slice(binding.subscripts.length);
}

/** A size: an Integer expression, or a type whose values count. */
function sizeOf(scope: Scope, subscript: ast.Expression): number {
  const evaluator = new Evaluator(new Budget(), scope);
  if (subscript.kind === 'number' && subscript.integer) return subscript.value;
  const type = countedType(scope, subscript);
  if (type) return countOf(type);
  const value = evaluator.value(subscript);
  if (value.kind !== 'integer') {
    const name = subscript.kind === 'ref' && value.kind === 'real' ? subscript.parts.at(-1)!.name : undefined;
    return evaluator.fail(
      'type-mismatch',
      `An array size must be an Integer, not ${typeName(value)}.`,
      subscript,
      { hint: name && `Declare \`${name}\` as Integer; in TypeScript, \`${name}: Integer(…)\`.` },
    );
  }
  if (value.value < 0) {
    return evaluator.fail(
      'dimension-mismatch',
      `An array size cannot be negative (${value.value}).`,
      subscript,
    );
  }
  return value.value;
}
