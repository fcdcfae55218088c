/**
 * A small interpreter of functions and record constructors (specification 3.6, chapter 12), for calls whose value is
 * needed during instantiation. It works on syntax; the budget of the evaluation bounds loops and recursion.
 */

import { sameItems } from '../../collections/lists.ts';
import { warning } from '../../diagnostic/diagnostic.ts';
import { subscriptsOf } from '../../names/names.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ClassEntity, entityOf, instanceFor } from '../classes/class.ts';
import { countedType, countOf } from '../classes/counted.ts';
import { declarationOrder } from '../classes/functions.ts';
import { findClass, resolve } from '../classes/lookup.ts';
import { hasConstructors, operatorRecordOf } from '../classes/overloads.ts';
import {
  isModifiable,
  modifiedMember,
  modifierOfField,
  type ShapeComponent,
  shapeOf,
} from '../classes/shape.ts';
import type { ObjectInstance, Scope } from '../instance.ts';
import { arrayOf, at, dimsOf, elementsOf, integer, product, typeName, type Value } from '../value.ts';
import { blankOf, converted, typeUnder } from './declared.ts';
import { Evaluator } from './evaluator.ts';
import { callForeign } from './foreign.ts';
import { Frame, stop } from './frame.ts';
import { callBuiltin, LARGEST_VALUE } from './operators.ts';
import { overloadedCall } from './overloads.ts';

/** The outputs of a call, in order. `holder` is the component through which the function was found. */
export function callFunction(
  caller: Evaluator,
  entity: ClassEntity,
  holder: ObjectInstance | undefined,
  call: ast.Call,
): Value[] {
  if (shapeOf(entity).partial) caller.fail('bad-call', `The function \`${entity.path}\` is partial.`, call);
  const frame = argumentFrame(caller, entity, call, (c) => c.clause.causality === 'input');
  const dims = excessSizes(caller, entity, frame, call);
  if (dims.length === 0) return run(caller, entity, holder, frame, call);
  const results = Array.from({ length: product(dims) }, (_, k) => {
    const values = [...frame.values].map(([name, value]): [string, Value | undefined] => [
      name,
      value && excessOf(entity, name, value) > 0 ? at(value, subscriptsOf(dims, k)) : value,
    ]);
    return run(caller, entity, holder, new Frame(undefined, new Map(values)), call);
  });
  const outputs = results[0]?.length ?? 0;
  return Array.from(
    { length: outputs },
    (_, j): Value => ({
      kind: 'array',
      dims: [...dims, ...dimsOf(results[0]![j]!)],
      elements: results.flatMap((own) => elementsOf(own[j]!)),
    }),
  );
}

/** Leading sizes of arrays that are given for inputs with fewer dimensions: the function is called for each element (section 12.4.6). */
function excessSizes(
  caller: Evaluator,
  entity: ClassEntity,
  { values }: Frame,
  call: ast.Call,
): readonly number[] {
  let dims: readonly number[] = [];
  for (const [name, value] of values) {
    const excess = value ? excessOf(entity, name, value) : 0;
    if (excess <= 0) continue;
    const found = dimsOf(value!).slice(0, excess);
    if (dims.length > 0 && !sameItems(dims, found))
      caller.fail('dimension-mismatch', `Arguments of \`${entity.path}\` have different sizes.`, call);
    dims = found;
  }
  return dims;
}

/** How many dimensions a value has more than the input that it is given for. */
function excessOf(entity: ClassEntity, name: string, value: Value): number {
  const component = shapeOf(entity).components.get(name);
  const type = component && findClass(component.lexical, component.clause.type);
  if (!component || !type) return 0;
  const { declaration, clause } = component;
  const rank = declaration.subscripts.length + clause.subscripts.length + shapeOf(type).subscripts.length;
  return dimsOf(value).length - rank;
}

/** The first output of a function for values of its inputs; missing ones have defaults. */
export function callWith(
  caller: Evaluator,
  entity: ClassEntity,
  values: ReadonlyMap<string, Value>,
  at: ast.Node,
): Value {
  return run(caller, entity, undefined, new Frame(undefined, values), at)[0]!;
}

/** All outputs of a function for values of its inputs. */
export function outputsWith(
  caller: Evaluator,
  entity: ClassEntity,
  values: ReadonlyMap<string, Value>,
  at: ast.Node,
): Value[] {
  return run(caller, entity, undefined, new Frame(undefined, values), at);
}

function run(
  caller: Evaluator,
  entity: ClassEntity,
  holder: ObjectInstance | undefined,
  frame: Frame,
  call: ast.Node,
): Value[] {
  const shape = shapeOf(entity);
  if (shape.derived)
    caller.fail('unsupported', `The partial derivative \`${entity.path}\` cannot be evaluated here.`, call);
  caller.budget.enter(caller.span(call));
  const activation = new Activation(caller, entity, holder, frame);
  for (const component of declarationOrder(shape)) activation.declare(component, call);
  if (shape.external) {
    external(activation, entity, shape.external.external, call);
  } else {
    for (const { section, lexical } of shape.sections) {
      if (
        section.kind === 'algorithm' &&
        activation.run(section.statements, activation.evaluator(lexical)) === 'return'
      )
        break;
    }
  }
  caller.budget.leave();
  return [...shape.components.values()]
    .filter((component) => component.clause.causality === 'output')
    .map(
      (component) =>
        frame.values.get(component.name) ??
        caller.fail(
          'no-value',
          `The output \`${component.name}\` of \`${entity.path}\` was not assigned.`,
          call,
        ),
    );
}

/** `R(x = 1, y = 2)`. */
export function constructRecord(caller: Evaluator, entity: ClassEntity, call: ast.Call): Value {
  const operators = operatorRecordOf(entity);
  if (operators && hasConstructors(operators)) return overloadedCall(caller, operators, 'constructor', call);
  const frame = castFrame(caller, entity, call) ?? argumentFrame(caller, entity, call, isModifiable);
  const activation = new Activation(caller, entity, undefined, frame);
  const fields = new Map<string, Value>();
  for (const component of shapeOf(entity).components.values()) {
    activation.declare(component, call);
    const value = frame.values.get(component.name);
    if (value) fields.set(component.name, value);
  }
  return { kind: 'record', path: entity.path, operators, fields };
}

/** `R(m)` of a model, block or connector: the fields that have namesakes among its public components (section 12.6.1). */
function castFrame(caller: Evaluator, entity: ClassEntity, call: ast.Call): Frame | undefined {
  const [ref] = call.positional;
  if (call.positional.length !== 1 || call.named.length > 0 || ref?.kind !== 'ref') return undefined;
  const resolution = resolve(caller.scope, ref);
  const source = resolution.kind === 'component' ? resolution.parts.at(-1)!.instance : undefined;
  if (source?.kind !== 'object' || isRecord(entityOf(source.class))) return undefined;
  const members = shapeOf(entityOf(source.class)).components;
  const values = new Map<string, Value>();
  for (const component of shapeOf(entity).components.values()) {
    const { name, lexical, clause } = component;
    const member = members.get(name);
    if (!member || member.protected || !isModifiable(component)) continue;
    const part = { ...ref.parts.at(-1)!, name, subscripts: [] };
    const field: ast.ComponentRef = { ...ref, parts: [...ref.parts, part] };
    const type = findClass(lexical, clause.type);
    const nested: ast.Call = { ...call, positional: [field] };
    const isCast = type && isRecord(type) && castFrame(caller, type, nested);
    values.set(name, isCast ? constructRecord(caller, type, nested) : caller.value(field));
  }
  return new Frame(undefined, values);
}

const isRecord = (entity: ClassEntity): boolean => shapeOf(entity).restriction.endsWith('record');

/** Pairs arguments with inputs by position, then by name. */
function argumentFrame(
  caller: Evaluator,
  entity: ClassEntity,
  call: ast.Call,
  isInput: (component: ShapeComponent) => boolean,
): Frame {
  const inputs = [...shapeOf(entity).components.values()].filter(isInput);
  const values = new Map<string, Value>();
  if (call.positional.length > inputs.length) {
    caller.fail('bad-call', `\`${entity.path}\` takes ${inputs.length} arguments.`, call);
  }
  for (const [k, value] of caller.positional(call).entries()) values.set(inputs[k]!.name, value);
  for (const { name, value } of call.named) {
    if (!inputs.some((input) => input.name === name.text)) {
      caller.fail('bad-call', `\`${entity.path}\` has no argument \`${name.text}\`.`, name);
    }
    if (values.has(name.text)) caller.fail('bad-call', `The argument \`${name.text}\` is given twice.`, name);
    if (value.kind === 'partial')
      caller.fail(
        'unsupported',
        'A function cannot be an argument where calls are interpreted: before the simulation, and in functions with sizes that are known only when they run.',
        value,
      );
    else values.set(name.text, caller.value(value));
  }
  return new Frame(undefined, values);
}

/** `external "builtin" y = sin(x)` is a function of the language; others have an implementation, or no value. */
function external(activation: Activation, entity: ClassEntity, item: ast.External, call: ast.Node): void {
  const { caller, frame } = activation;
  const target = item.result?.parts[0]?.name;
  const name = item.functionName?.text;
  if (item.language?.value !== 'builtin' || !name || !target) {
    callForeign(entity, item, activation.evaluator(entity), frame, call);
    return;
  }
  const inside = activation.evaluator(entity);
  const args = item.arguments.map((argument) => inside.value(argument));
  frame.values.set(target, caller.checked(callBuiltin(name, args), call));
}

/** How statements end before the last of them. */
type JumpKind = ast.JumpStatement['kind'];

class Activation {
  constructor(
    readonly caller: Evaluator,
    private readonly entity: ClassEntity,
    private readonly holder: ObjectInstance | undefined,
    readonly frame: Frame,
  ) {}

  evaluator(lexical: ClassEntity): Evaluator {
    return new Evaluator(this.caller.budget, { instance: undefined, lexical }, undefined, this.frame);
  }

  /** Gives a variable its argument, default or, for arrays, room for assignments to its elements. */
  declare(component: ShapeComponent, call: ast.Node): void {
    const { name, clause, declaration, lexical } = component;
    const type = findClass(lexical, clause.type);
    const value = this.frame.values.get(name) ?? this.initial(component);
    if (value) {
      this.frame.values.set(name, this.converted(this.caller, name, type, value, call));
      return;
    }
    if (clause.causality === 'input') {
      this.caller.fail('bad-call', `\`${this.entity.path}\` needs the argument \`${name}\`.`, call);
    }
    const simple = blankOf(type);
    const element = simple ?? (type && this.blankRecord(type, component));
    const isScalar = declaration.subscripts.length + clause.subscripts.length === 0;
    this.frame.values.set(name, isScalar && simple ? undefined : element && this.room(component, element));
  }

  /** A value for a variable, or a part of it, of a type. */
  private converted(
    inside: Evaluator,
    name: string,
    type: ClassEntity | undefined,
    value: Value,
    at: ast.Node,
  ): Value {
    const own = converted(type, value);
    if (own) return own;
    const what = `\`${name}\` of \`${this.entity.path}\``;
    return inside.fail('type-mismatch', `${what} is ${type!.path} but is given ${typeName(value)}.`, at);
  }

  /** An element, or an array of the declared sizes that has it everywhere. */
  private room({ name, clause, declaration, lexical }: ShapeComponent, element: Value): Value {
    const subscripts = [...declaration.subscripts, ...clause.subscripts];
    if (subscripts.length === 0) return element;
    const inside = this.evaluator(lexical);
    const dims = subscripts.map((subscript) =>
      subscript.kind === 'colon' ? 0 : this.size(inside, subscript),
    );
    if (product(dims) > LARGEST_VALUE)
      inside.fail('limit-exceeded', `The array \`${name}\` is too large.`, declaration);
    return arrayOf(dims, () => element);
  }

  private size(inside: Evaluator, subscript: ast.Expression): number {
    const type = countedType(inside.scope, subscript);
    if (type) return countOf(type);
    const value = inside.value(subscript);
    if (value.kind === 'integer' && value.value >= 0) return value.value;
    return inside.fail('type-mismatch', 'An array size must be an Integer that is not negative.', subscript);
  }

  /** A record whose fields can be assigned one by one; `modified` is the declaration that may give them values. */
  private blankRecord(type: ClassEntity, modified: ShapeComponent): Value {
    const fields = new Map<string, Value>();
    const given = (name: string): Value | undefined => {
      const value = modifierOfField(modified, name);
      return value && this.evaluator(value.lexical).value(value.expr);
    };
    const shape = shapeOf(type);
    for (const component of declarationOrder(shape)) {
      const inner = findClass(component.lexical, component.clause.type);
      const record = new Activation(this.caller, type, undefined, new Frame(undefined, fields));
      const empty = (): Value | undefined =>
        blankOf(inner) ?? (inner && this.blankRecord(inner, modifiedMember(modified, component)));
      const element = given(component.name) ?? record.initial(component);
      const blankOne = element ? undefined : empty();
      const value = element
        ? record.converted(this.caller, component.name, inner, element, component.declaration)
        : blankOne && record.room(component, blankOne);
      if (value) fields.set(component.name, value);
    }
    const names = [...shape.components.keys()].filter((name) => fields.has(name));
    const inOrder = new Map(names.map((name) => [name, fields.get(name)!]));
    return { kind: 'record', path: type.path, operators: operatorRecordOf(type), fields: inOrder };
  }

  private initial(component: ShapeComponent): Value | undefined {
    const outer = component.modifier?.value;
    if (outer) {
      const lexical = entityOf(outer.scope.lexical);
      const instance = outer.scope.instance ?? (this.holder && instanceFor(outer.scope, this.holder));
      const scope: Scope = { instance, lexical };
      return new Evaluator(this.caller.budget, scope, outer.span.source).value(outer.value);
    }
    const written = component.declaration.modification?.value;
    return written && written !== 'break' ? this.evaluator(component.lexical).value(written) : undefined;
  }

  /** Runs statements; says whether a loop or the function ends. */
  run(statements: readonly ast.Statement[], inside: Evaluator): JumpKind | undefined {
    for (const statement of statements) {
      inside.budget.step(inside.span(statement));
      const end = this.statement(statement, inside);
      if (end) return end;
    }
    return undefined;
  }

  private statement(s: ast.Statement, inside: Evaluator): JumpKind | undefined {
    switch (s.kind) {
      case 'assign':
        this.assign(inside, s.target, inside.value(s.value));
        return undefined;
      case 'multiassign':
        this.multiassign(inside, s);
        return undefined;
      case 'call':
        this.callStatement(inside, s.call);
        return undefined;
      case 'if': {
        const branch = s.branches.find(({ condition }) => inside.condition(condition));
        return this.run(branch?.body ?? s.otherwise ?? [], inside);
      }
      case 'for':
        return this.loop(s.iterators, s.body, inside);
      case 'while':
        while (inside.condition(s.condition)) {
          const end = this.run(s.body, inside);
          if (end === 'return') return end;
          if (end === 'break') break;
        }
        return undefined;
      case 'when':
        return inside.fail('bad-call', 'A function cannot contain a when-statement.', s);
      case 'break':
      case 'return':
        return s.kind;
      default:
        return s satisfies never;
    }
  }

  private loop(
    iterators: readonly ast.Iterator[],
    body: readonly ast.Statement[],
    inside: Evaluator,
  ): JumpKind | undefined {
    const [first, ...rest] = iterators;
    if (!first) return this.run(body, inside);
    for (const value of inside.iterate(first, [rest, body])) {
      const inner = inside.within(new Map([[first.name.text, value]]));
      const end = this.loop(rest, body, inner);
      if (end === 'return') return end;
      if (end === 'break') break;
    }
    return undefined;
  }

  private multiassign(inside: Evaluator, s: ast.MultiAssignStatement): void {
    const outputs = this.outputsOf(inside, s.call);
    for (const [k, target] of s.targets.entries()) {
      const value = outputs[k];
      if (target && value) this.assign(inside, target, value);
    }
  }

  private outputsOf(inside: Evaluator, call: ast.Call): Value[] {
    const entity = findClass(entityOf(inside.scope.lexical), nameOf(call.callee));
    if (!entity) inside.fail('unknown-name', 'This function is not known.', call.callee);
    return callFunction(inside, entity!, undefined, call);
  }

  /** An assertion, or a call for what a function does. */
  private callStatement(inside: Evaluator, call: ast.Call): void {
    const name = call.callee.parts.map((part) => part.name).join('.');
    if (name !== 'assert') {
      this.outputsOf(inside, call);
      return;
    }
    const [condition, message] = call.positional;
    if (!condition || condition.kind === 'partial') return;
    if (inside.condition(condition)) return;
    const text = message && message.kind !== 'partial' ? inside.value(message) : undefined;
    const words = text?.kind === 'string' ? text.value : 'An assertion is violated.';
    const options = { span: inside.span(call) };
    if (!isWarning(call)) stop('assertion', words, options);
    this.entity.library.addProblems([warning('assertion', words, options)]);
  }

  private assign(inside: Evaluator, target: ast.ComponentRef, value: Value): void {
    const [first, ...rest] = target.parts;
    const holder = inside.frame?.holder(first!.name);
    if (!holder) inside.fail('unknown-name', `\`${first!.name}\` is not a variable of the function.`, target);
    const old = holder!.values.get(first!.name);
    const fields = rest.map(({ name }) => name);
    const type = typeUnder(shapeOf(this.entity).components.get(first!.name), fields);
    const own = this.converted(inside, [first!.name, ...fields].join('.'), type, value, target);
    const placed = this.placed(inside, old, first!.subscripts, rest, own, target);
    if (old?.kind === 'array' && !sameItems(dimsOf(old), dimsOf(placed)) && !this.isFlexible(first!.name))
      inside.fail(
        'dimension-mismatch',
        `\`${first!.name}\` has the size [${dimsOf(old).join(', ')}] and is given [${dimsOf(placed).join(', ')}].`,
        target,
      );
    holder!.values.set(first!.name, placed);
  }

  /** Whether the size of a variable may change. */
  private isFlexible(name: string): boolean {
    const { declaration, clause } = shapeOf(this.entity).components.get(name) ?? {};
    const subscripts = [...(declaration?.subscripts ?? []), ...(clause?.subscripts ?? [])];
    return subscripts.some(({ kind }) => kind === 'colon');
  }

  /** `old` with `value` put at subscripts and fields. */
  private placed(
    inside: Evaluator,
    old: Value | undefined,
    subscripts: readonly ast.Subscript[],
    rest: readonly ast.RefPart[],
    value: Value,
    at: ast.Node,
  ): Value {
    if (subscripts.length === 0 && rest.length === 0) return value;
    if (!old) return inside.fail('no-value', 'An element is assigned before its array has a size.', at);
    if (subscripts.length === 0) {
      const [part, ...further] = rest;
      if (old.kind !== 'record') return inside.fail('type-mismatch', `${typeName(old)} has no elements.`, at);
      const fields = new Map(old.fields);
      fields.set(
        part!.name,
        this.placed(inside, fields.get(part!.name), part!.subscripts, further, value, at),
      );
      return { ...old, fields };
    }
    return this.placedInArray(inside, old, subscripts, rest, value, at);
  }

  private placedInArray(
    inside: Evaluator,
    old: Value,
    subscripts: readonly ast.Subscript[],
    rest: readonly ast.RefPart[],
    value: Value,
    node: ast.Node,
  ): Value {
    // The positions that the subscripts select are found by applying them to an array of positions.
    const positions = arrayOf(dimsOf(old), (k) => integer(k));
    const selected = elementsOf(inside.subscripted(positions, subscripts, node));
    const given = elementsOf(value);
    if (rest.length === 0 && given.length !== selected.length) {
      return inside.fail(
        'dimension-mismatch',
        `${given.length} values are assigned to ${selected.length} elements.`,
        node,
      );
    }
    const elements = [...elementsOf(old)];
    for (const [k, position] of selected.entries()) {
      const index = (position as { value: number }).value;
      elements[index] =
        rest.length === 0
          ? given[k]!
          : this.placed(inside, elements[index], [], rest, at(value, []) ?? value, node);
    }
    return { kind: 'array', dims: dimsOf(old), elements };
  }
}

const nameOf = (ref: ast.ComponentRef): ast.Name => ({
  start: ref.start,
  end: ref.end,
  global: ref.global,
  parts: ref.parts.map((part) => ({ start: part.start, end: part.end, text: part.name })),
});

/** Whether a violated assertion is no reason to stop. */
function isWarning({ positional, named }: ast.Call): boolean {
  const level = positional[2] ?? named.find(({ name }) => name.text === 'level')?.value;
  return level?.kind === 'ref' && level.parts.at(-1)!.name === 'warning';
}
