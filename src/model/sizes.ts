/**
 * Array sizes (specification 3.6, section 10.1): of declarations, where `:` takes the size of the binding, and of expressions, as
 * far as they follow from the sizes of their parts without any value.
 */
import { error } from '../diagnostic/diagnostic.ts';
import type * as ast from '../syntax/ast.ts';
import { type ClassEntity, entityOf } from './class.ts';
import type { Declared } from './declare.ts';
import { Budget, Evaluator, Stop } from './evaluate.ts';
import type { Bound, Resolution, Scope } from './instance.ts';
import type { Library } from './library.ts';
import { resolve } from './lookup.ts';
import type { Modifier, Report } from './modification.ts';
import { instanceFor, type NodeBase, type ObjectNode } from './node.ts';
import { type Shape, shapeOf } from './shape.ts';
import { dimsOf, typeName } from './value.ts';

/** The sizes of a component: of its name, its clause and its type, outermost first; `undefined` after a report. */
export function componentSizes(
  library: Library,
  owner: ObjectNode,
  base: NodeBase,
  declared: Declared,
  shape: Shape,
  modifier: Modifier | undefined,
  report: Report,
): readonly number[] | undefined {
  const all = [
    ...declared.subscripts,
    ...shape.subscripts.map(({ subscript, lexical }) => ({ subscript, scope: scopeOf(lexical, owner) })),
  ];
  let ofBinding: readonly number[] | undefined;
  const dims: number[] = [];
  try {
    for (const [d, { subscript, scope }] of all.entries()) {
      if (subscript.kind !== 'colon') {
        dims.push(sizeOf(library, scope, subscript));
        continue;
      }
      ofBinding ??= bindingSizes(library, modifier?.value, base);
      const n = ofBinding[d];
      if (n === undefined) throw new Stop(noSize(base));
      dims.push(n);
    }
    return dims;
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    report(thrown.problem);
    return undefined;
  }
}

function scopeOf(lexical: ClassEntity, owner: ObjectNode): Scope {
  const scope: Scope = { instance: undefined, lexical };
  return { instance: instanceFor(scope, owner), lexical };
}

const noSize = (base: NodeBase) =>
  error(
    'no-value',
    `The size of \`${base.path}\` is not known: \`:\` takes it from a value, which is missing.`,
    {
      span: base.span,
      hint: 'Give the array a value or a size.',
    },
  );

function bindingSizes(library: Library, bound: Bound | undefined, base: NodeBase): readonly number[] {
  if (!bound || bound.each) throw new Stop(noSize(base));
  const evaluator = new Evaluator(library, new Budget(), bound.scope, bound.span.source, undefined);
  const dims = inferSizes(evaluator, bound.value) ?? dimsOf(evaluator.value(bound.value));
  return dims.slice(bound.subscripts.length);
}

/** A size: an Integer expression, or a type whose values count. */
function sizeOf(library: Library, scope: Scope, subscript: ast.Expression): number {
  const evaluator = new Evaluator(library, new Budget(), scope, scope.lexical.definition.source, undefined);
  if (subscript.kind === 'number' && subscript.integer) return subscript.value;
  if (subscript.kind === 'ref') {
    const resolution = resolve(library, scope, subscript);
    if (resolution.kind === 'builtin' && resolution.name === 'Boolean') return 2;
    if (resolution.kind === 'class') {
      const { enumeration } = shapeOf(entityOf(resolution.class));
      if (enumeration) return enumeration.literals.length;
    }
  }
  const value = evaluator.value(subscript);
  if (value.kind !== 'integer') {
    return evaluator.fail(
      'type-mismatch',
      `An array size must be an Integer, not ${typeName(value)}.`,
      subscript,
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

/** Functions that keep the sizes of their argument. */
const sizeKeeping: ReadonlySet<string> = new Set(
  'abs sign sqrt sin cos tan asin acos atan sinh cosh tanh exp log log10 ceil floor integer der pre noEvent homotopy previous hold'.split(
    ' ',
  ),
);

/** The sizes of an expression, or `undefined` where only its value tells. */
export function inferSizes(evaluator: Evaluator, e: ast.Expression): readonly number[] | undefined {
  switch (e.kind) {
    case 'number':
    case 'string':
    case 'boolean':
      return [];
    case 'array': {
      const first = e.elements[0];
      const inner = first ? inferSizes(evaluator, first) : [];
      return inner && [e.elements.length, ...inner];
    }
    case 'ref':
      return evaluator.frame?.holder(e.parts[0]!.name) ? undefined : referenceSizes(evaluator, e);
    case 'unary':
      return inferSizes(evaluator, e.operand);
    case 'binary':
      return binarySizes(e.operator, inferSizes(evaluator, e.left), inferSizes(evaluator, e.right));
    case 'if':
      return inferSizes(evaluator, e.otherwise);
    case 'call':
      return callSizes(evaluator, e);
    case 'tuple':
      return e.members.length === 1 && e.members[0] ? inferSizes(evaluator, e.members[0]) : undefined;
    case 'end':
    case 'range':
    case 'matrix':
    case 'comprehension':
      return undefined;
    default:
      return e satisfies never;
  }
}

function binarySizes(
  operator: ast.BinaryOperator,
  left: readonly number[] | undefined,
  right: readonly number[] | undefined,
): readonly number[] | undefined {
  if (!left || !right) return undefined;
  if (operator !== '*') return left.length > 0 ? left : right;
  if (left.length === 0) return right;
  return right.length === 0 ? left : [...left.slice(0, -1), ...right.slice(1)];
}

function callSizes(evaluator: Evaluator, call: ast.Call): readonly number[] | undefined {
  const name = call.callee.parts.map((part) => part.name).join('.');
  const [first] = call.positional;
  if (!first || first.kind === 'partial' || call.iterators) return undefined;
  if (sizeKeeping.has(name)) return inferSizes(evaluator, first);
  if (name === 'transpose') {
    const dims = inferSizes(evaluator, first);
    return dims && dims.length >= 2 ? [dims[1]!, dims[0]!, ...dims.slice(2)] : undefined;
  }
  return undefined;
}

function referenceSizes(evaluator: Evaluator, ref: ast.ComponentRef): readonly number[] | undefined {
  const resolution = resolve(evaluator.library, evaluator.scope, ref);
  if (resolution.kind === 'component') return partSizes(evaluator, resolution);
  if (resolution.kind !== 'constant') return undefined;
  return subscriptedSizes(evaluator, resolution.instance.dims, resolution.subscripts);
}

function partSizes(
  evaluator: Evaluator,
  { parts }: Extract<Resolution, { kind: 'component' }>,
): readonly number[] | undefined {
  const dims: number[] = [];
  for (const { part, instance } of parts) {
    const own = subscriptedSizes(evaluator, instance.dims, part.subscripts);
    if (!own) return undefined;
    dims.push(...own);
  }
  return dims;
}

function subscriptedSizes(
  evaluator: Evaluator,
  dims: readonly number[],
  subscripts: readonly ast.Subscript[],
): readonly number[] | undefined {
  if (subscripts.length > dims.length) return undefined;
  const left: number[] = [];
  for (const [d, n] of dims.entries()) {
    const subscript = subscripts[d];
    const index = subscript ? evaluator.index(subscript, n) : 'all';
    if (index === 'all') left.push(n);
    else if (typeof index !== 'number') left.push(index.length);
  }
  return left;
}
