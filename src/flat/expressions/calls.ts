/**
 * Calls: what the called name means, and how arguments find their parameters (Modelica 3.6, chapter 12.4.1). Built-in
 * functions are in `builtins.ts`, user functions in `functions.ts`.
 */
import { remember } from '../../collections/memo.ts';
import { respelt } from '../../diagnostic/fix.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { type ClassEntity, entityOf } from '../../model/classes/class.ts';
import { nestedClass, resolve } from '../../model/classes/lookup.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type { Enumeration, ObjectInstance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, refuse, report, spanOf } from '../core/context.ts';
import { atMost, isUnknown, type Simple, type Value } from '../core/values.ts';
import { builtin, builtinNames, severalOutputs } from './builtins.ts';
import { type ClosureValue, isClosure } from './closures.ts';
import { fixedValue } from './constants.ts';
import { expression } from './expressions.ts';
import { callClosure, callFunction, callOutputs, closureOutputs, type Outputs } from './functions.ts';
import { constructOperatorRecord } from './overloads.ts';
import { isUsable, localValue, refName, stacked, unresolved } from './references.ts';
import { elementsOf } from './subscripts.ts';

/** A call as a value: of a function with several outputs the first one. */
export function call(node: ast.Call, context: Context): Value {
  const callee = calleeOf(node, context);
  switch (callee?.kind) {
    case undefined:
      return context.builder.unknown;
    case 'builtin':
      return builtin(callee.name, node, context);
    case 'function':
      return callFunction(callee.class, node, context, callee.holder);
    case 'record':
      return constructOperatorRecord(callee.class, node, context);
    case 'enumeration':
      return toEnumeration(callee.class, node, context);
    case 'closure':
      return callClosure(callee.value, node, context);
  }
}

/** All outputs of a call for so many targets, as in `(a, b) = f(x)`; `at` is the place of all of it. */
export function outputsOf(
  node: ast.Call,
  wanted: number,
  at: ast.Node,
  context: Context,
): Outputs | undefined {
  const callee = calleeOf(node, context);
  if (!callee) return undefined;
  const name = refName(node.callee);
  if (callee.kind !== 'function' && callee.kind !== 'closure')
    return refuse('bad-call', `\`${name}\` has one output only.`, node, context);
  const outputs =
    callee.kind === 'closure'
      ? closureOutputs(callee.value, node, context)
      : callOutputs(callee.class, node, context, callee.holder);
  if (!outputs || wanted <= outputs.values.length) return outputs;
  const message = `\`${name}\` has ${outputs.values.length} outputs but ${wanted} are wanted.`;
  return refuse('bad-call', message, at, context);
}

/** Pairs the outputs of a built-in function that has several with their targets; undefined for all other calls. */
export function builtinOutputs<Target>(
  node: ast.Call,
  wanted: readonly (Target | undefined)[],
  context: Context,
): { readonly target: Target; readonly value: Value }[] | undefined {
  const name = refName(node.callee);
  const outputs = severalOutputs.get(name);
  if (!outputs || calleeOf(node, context)?.kind !== 'builtin') return undefined;
  const values = outputs(node, context) ?? [];
  if (values.length > 0 && wanted.length > values.length) {
    const message = `\`${name}\` has ${values.length} outputs but ${wanted.length} are wanted.`;
    report('bad-call', message, node, context);
    return [];
  }
  return values.flatMap((value, k) => {
    const target = wanted[k];
    return target ? [{ target, value }] : [];
  });
}

/** A call with the expressions that get its outputs; `exprsOf` gives those of a target, checked against its output. */
export function assignedCall<Target>(
  node: ast.Call,
  wanted: readonly (Target | undefined)[],
  at: ast.Node,
  context: Context,
  exprsOf: (target: Target, output: Value) => readonly Expr[],
) {
  const outputs = outputsOf(node, wanted.length, at, context);
  if (!outputs) return undefined;
  const targets: (Expr | undefined)[] = Array(outputs.count).fill(undefined);
  for (const [k, target] of wanted.entries()) {
    const { first, value } = outputs.values[k]!;
    if (target) for (const [i, expr] of exprsOf(target, value).entries()) targets[first + i] = expr;
  }
  return { targets, fn: outputs.fn, args: outputs.args };
}

type Callee =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'closure'; readonly value: ClosureValue }
  | {
      readonly kind: 'function' | 'record' | 'enumeration';
      readonly class: ClassEntity;
      /** The component in which the class was found, if any. */
      readonly holder?: ObjectInstance;
    };

function calleeOf(node: ast.Call, context: Context): Callee | undefined {
  const name = refName(node.callee);
  const local = localValue(name, context);
  if (isClosure(local)) return { kind: 'closure', value: local };
  if (local && !builtinNames.has(name))
    return refuse('bad-call', `\`${name}\` is not a function.`, node.callee, context);
  // Operators with a syntax of their own cannot be redefined, and are not looked up.
  if (name === 'der' || name === 'initial' || name === 'pure') return { kind: 'builtin', name };
  const resolution = resolve(context.scope, node.callee);
  if (resolution.kind === 'builtin') return { kind: 'builtin', name: resolution.name };
  if (resolution.kind === 'unknown' && node.callee.parts.length === 1) {
    if (builtinNames.has(name)) return { kind: 'builtin', name };
    if (resolution.reason) return void unresolved(node.callee, resolution, context);
    const hint = nearest(name, builtinNames) ?? resolution.nearest;
    return refuse('unknown-name', `There is no function \`${name}\`.`, node.callee, context, {
      hint: hint && `Did you mean \`${hint}\`?`,
      fix: respelt(spanOf(node.callee, context), name, hint),
    });
  }
  if (resolution.kind !== 'class') {
    if (resolution.kind === 'component' || resolution.kind === 'constant') {
      report('bad-call', `\`${name}\` is not a function.`, node.callee, context, {
        hint: `Subscripts stand in square brackets: \`${name}[…]\`.`,
      });
    } else unresolved(node.callee, resolution, context);
    return undefined;
  }
  const { instance } = resolution;
  // Text inside a conditional component calls the functions of its class; nobody else reaches them through it.
  const isOwn = instance === context.scope.instance;
  if (instance && !isOwn && !isUsable([instance], node.callee, context)) return undefined;
  const callee = classCallee(entityOf(resolution.class), node, context);
  return callee?.kind === 'function' && instance ? { ...callee, holder: instance } : callee;
}

function classCallee(node: ClassEntity, at: ast.Call, context: Context): Callee | undefined {
  const { restriction, enumeration, externalObject } = shapeOf(node);
  if (externalObject) {
    const maker = nestedClass(node, 'constructor');
    if (maker) return { kind: 'function', class: maker };
    return refuse('bad-call', `\`${node.path}\` has no function \`constructor\`.`, at.callee, context);
  }
  if (enumeration) return { kind: 'enumeration', class: node };
  const message = `\`${node.path}\` is a ${restriction}, not a function.`;
  switch (restriction) {
    case 'function':
    case 'operator function':
      return { kind: 'function', class: node };
    case 'record':
    case 'operator record':
      return { kind: 'record', class: node };
    default:
      return refuse('bad-call', message, at.callee, context);
  }
}

/** `E(i)`: the literal number `i` of an enumeration. */
function toEnumeration(node: ClassEntity, at: ast.Call, context: Context): Value {
  const [value] = matchArguments(at, ['i'], 1, node.path, context) ?? [];
  if (!value || isUnknown(value.value)) return context.builder.unknown;
  if (value.value.kind !== 'simple' || value.value.type !== 'Integer') {
    return report('type-mismatch', `\`${node.path}(…)\` needs an Integer.`, value.node, context);
  }
  const type = shapeOf(node).enumeration!;
  const { builder } = context;
  const most = type.literals.length;
  const { expr, dims } = value.value;
  const known = atMost(value.value.variability, 'parameter') ? fixedValue(builder, expr)?.items : undefined;
  const wrong = known?.find((item) => !(Number(item) >= 1 && Number(item) <= most));
  if (wrong !== undefined) {
    const message = `\`${node.path}\` has ${most} literals: there is none for ${wrong}.`;
    return report('bad-call', message, value.node, context);
  }
  if (known) return { ...value.value, type };
  const fn = conversion(builder, type);
  if (dims.length === 0) return { ...value.value, type, expr: builder.pool.call(fn, [expr]) };
  const elements = elementsOf(builder, value.value) as Simple[];
  return stacked(
    builder,
    elements.map((element) => ({ ...element, type, expr: builder.pool.call(fn, [element.expr]) })),
    dims,
  );
}

/** A function that gives a number on, and checks that one of the literals stands for it. */
function conversion(builder: FlatBuilder, { path, literals }: Enumeration): number {
  return remember(builder.fromIntegers, path, () => {
    const { pool, functions } = builder;
    const [i, y] = [pool.local(0), pool.local(1)];
    const isOne = pool.and(pool.apply('ge', i, pool.one), pool.apply('le', i, pool.const(literals.length)));
    const local = { type: 'Integer', dims: [], initial: undefined } as const;
    const message = pool.apply(
      'concat',
      pool.text(`\`${path}\` has ${literals.length} literals: there is none for `),
      pool.apply('string', i),
      pool.text('.'),
    );
    const fn: FunctionDef = {
      name: `${path}.fromInteger`,
      locals: [
        { name: 'i', ...local },
        { name: 'y', ...local },
      ],
      inputs: 1,
      outputs: 1,
      body: [
        { kind: 'assert', condition: isOne, message, span: undefined },
        { kind: 'assign', target: y, value: i, span: undefined },
      ],
      span: undefined,
    };
    return functions.push(fn) - 1;
  });
}

// ---------------------------------------------------------------- arguments

export interface CallArgument {
  readonly value: Value;
  readonly node: ast.Node;
}

/** Arguments by position and name, translated; holes where an optional one is missing; undefined after an error. */
export function matchArguments(
  node: ast.Call,
  parameters: readonly string[],
  required: number,
  name: string,
  context: Context,
): (CallArgument | undefined)[] | undefined {
  const slots = matchSlots(node, parameters, name, context);
  if (!slots) return undefined;
  const missing = parameters.find((_, i) => i < required && !slots[i]);
  if (missing !== undefined) {
    const message = `The call of \`${name}\` lacks its argument \`${missing}\`.`;
    return refuse('bad-call', message, node, context, {
      hint: signature(name, parameters),
    });
  }
  return slots.map((slot) => {
    if (slot?.kind !== 'partial') return slot && { node: slot, value: expression(slot, context) };
    const message = `\`${name}\` takes no functions.`;
    return { node: slot, value: report('type-mismatch', message, slot, context) };
  });
}

type Argument = ast.Expression | ast.PartialApplication;

/** Which expression goes to which parameter. */
export function matchSlots(
  node: ast.Call,
  parameters: readonly string[],
  name: string,
  context: Context,
): (Argument | undefined)[] | undefined {
  const slots: (Argument | undefined)[] = parameters.map(() => undefined);
  const hint = signature(name, parameters);
  if (node.iterators)
    return refuse('bad-call', `\`${name}\` cannot be used with \`for\`.`, node, context, { hint });
  if (node.positional.length > parameters.length) {
    const message = `\`${name}\` takes ${counted(parameters.length, 'argument')} but is given ${node.positional.length}.`;
    return refuse('bad-call', message, node.positional[parameters.length]!, context, { hint });
  }
  for (const [i, argument] of node.positional.entries()) {
    slots[i] = argument;
  }
  for (const { name: key, value } of node.named) {
    const i = parameters.indexOf(key.text);
    if (i < 0) {
      const near = nearest(key.text, parameters);
      return refuse('bad-call', `\`${name}\` has no argument \`${key.text}\`.`, key, context, {
        hint: near ? `Did you mean \`${near}\`?` : hint,
        fix: respelt(spanOf(key, context), key.text, near),
      });
    }
    if (slots[i]) {
      const message = `The argument \`${key.text}\` of \`${name}\` is given twice.`;
      return refuse('bad-call', message, key, context);
    }
    slots[i] = value;
  }
  return slots;
}

const signature = (name: string, parameters: readonly string[]): string =>
  `Call it as \`${name}(${parameters.join(', ')})\`.`;

const counted = (n: number, what: string): string => `${n === 0 ? 'no' : n} ${what}${n === 1 ? '' : 's'}`;
