/**
 * What a function may not do (specification 3.6, section 12.2): its value depends on its inputs alone, so it knows neither time nor
 * events, and its inputs are given.
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { intrinsics } from '../../symbolic/intrinsics.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode, nodesIn } from '../../syntax/walk.ts';
import { targetsOf } from './assigned.ts';
import type { ClassEntity } from './class.ts';
import { findClass } from './lookup.ts';
import { type Shape, type ShapeComponent, shapeOf } from './shape.ts';

/** `type Argument = input Real` makes components of this type inputs (section 4.5.1). */
export function takeCausality({ components }: Shape): void {
  for (const [name, component] of components) {
    const { clause, lexical } = component;
    if (clause.causality || component.protected) continue;
    const type = findClass(lexical, clause.type);
    const causality = type && shapeOf(type).causality;
    if (causality) components.set(name, { ...component, clause: { ...clause, causality } });
  }
}

export function functionProblems(entity: ClassEntity, shape: Shape): Diagnostic[] {
  if (shape.derived) return derivativeProblems(entity, shape);
  const { components, sections } = shape;
  const found: Diagnostic[] = [];
  const search = (root: unknown, lexical: ClassEntity): void => {
    const report = (message: string, node: ast.Node, hint: string): void => {
      found.push(error('bad-call', message, { span: lexical.span(node), hint }));
    };
    const assigned = (target: ast.ComponentRef): void => {
      const { name } = target.parts[0]!;
      const { variability, causality } = components.get(name)?.clause ?? {};
      if (variability === 'constant' || variability === 'parameter')
        report(
          `\`${name}\` is a ${variability}: a function cannot assign to it.`,
          target,
          `Declare it without \`${variability}\`.`,
        );
      if (causality !== 'input') return;
      const hint = 'Assign to a protected variable instead, which may begin with the value of the input.';
      report(`\`${name}\` is an input: a function cannot assign to it.`, target, hint);
    };
    for (const node of everyNode(root)) {
      if (node.kind === 'assign') assigned(node.target);
      if (node.kind === 'multiassign') for (const target of node.targets) if (target) assigned(target);
      if (node.kind === 'ref' && isName(node, 'time') && !components.has('time'))
        report('A function cannot use `time`.', node, 'Make it an input: call the function with `time`.');
      if (node.kind === 'call' && 'callee' in node) {
        const name = node.callee.parts[0]!.name;
        if (isName(node.callee, 'terminate') && !isDeclared(lexical, node.callee))
          report(
            'A function cannot use `terminate`: it is the model that ends a run.',
            node,
            'Give a Boolean as an output, and write `when` with `terminate` in the model.',
          );
        if (!intrinsics.get(name)?.timed || !isName(node.callee, name) || isDeclared(lexical, node.callee))
          continue;
        const hint = `Use \`${name}\` in the model, and give its value to the function.`;
        report(`A function cannot use \`${name}\`: it depends on time or events.`, node, hint);
      }
    }
  };
  for (const component of components.values()) {
    const { clause, declaration, lexical } = component;
    if (clause.causality !== 'input') search(declaration.modification, lexical);
    found.push(...parameterProblems(component, shape));
  }
  for (const { section, lexical } of sections)
    if (section.kind === 'algorithm') search(section.statements, lexical);
  return found;
}

/** Inputs and outputs are public; what an input is where a call does not give it follows from other inputs alone (sections 12.2 and 12.4.1). */
function parameterProblems(component: ShapeComponent, { components }: Shape): Diagnostic[] {
  const { name, clause, declaration, lexical } = component;
  const { causality } = clause;
  if (!causality) return [];
  const found: Diagnostic[] = [];
  if (component.protected)
    found.push(
      error('not-allowed', `The ${causality} \`${name}\` of a function cannot be protected.`, {
        span: lexical.span(declaration.name),
        hint: `Declare it before \`protected\`, or without \`${causality}\`.`,
      }),
    );
  const value = causality === 'input' ? declaration.modification?.value : undefined;
  for (const node of value ? everyNode(value) : []) {
    if (node.kind !== 'ref' || (node as ast.ComponentRef).global) continue;
    const other = components.get((node as ast.ComponentRef).parts[0]!.name);
    if (!other || other.clause.causality === 'input' || other.clause.variability === 'constant') continue;
    const message = `The value of the input \`${name}\` depends on \`${other.name}\`, which is no input.`;
    const hint = 'Where a call does not give an input, its value follows from other inputs and constants.';
    found.push(error('not-allowed', message, { span: lexical.span(node), hint }));
  }
  return found;
}

/** Names of the variables to which statements of a function assign. */
export function assignedNames(shape: Shape): ReadonlySet<string> {
  return remember(assignments, shape, () => {
    const names = new Set<string>();
    for (const { section } of shape.sections)
      for (const node of section.kind === 'algorithm' ? nodesIn(section.statements) : [])
        for (const name of targetsOf(node)) names.add(name);
    return names;
  });
}

const assignments = new WeakMap<Shape, ReadonlySet<string>>();

/** An output, or a variable that is used, that nothing determines: a function that has one cannot be called (sections 12.2 and 12.4.4). */
export function unassigned(entity: ClassEntity): ShapeComponent | undefined {
  const shape = shapeOf(entity);
  if (shape.external || shape.derived) return undefined;
  const assigned = assignedNames(shape);
  const without = [...shape.components.values()].filter(
    (component) =>
      component.clause.causality !== 'input' && !assigned.has(component.name) && !hasValue(component),
  );
  if (without.length === 0) return undefined;
  const used = remember(uses, shape, () => usedNames(shape));
  return without.find(({ name, clause }) => clause.causality === 'output' || used.has(name));
}

const uses = new WeakMap<Shape, ReadonlySet<string>>();

/**
 * Names that occur in statements; those of arrays count where an element is meant: an empty one has none. A name that is an iterator somewhere counts nowhere:
 * it may be the iterator that is meant.
 */
function usedNames({ sections, components }: Shape): ReadonlySet<string> {
  const names = new Set<string>();
  const iterators = new Set<string>();
  for (const { section } of sections)
    for (const node of section.kind === 'algorithm' ? everyNode(section.statements) : [])
      if (node.kind === 'ref') {
        const { name } = (node as ast.ComponentRef).parts[0]!;
        const { declaration, clause } = components.get(name) ?? {};
        const sizes = [...(declaration?.subscripts ?? []), ...(clause?.subscripts ?? [])];
        if (sizes.length === 0) names.add(name);
      } else if (node.kind === 'for' || node.kind === 'call')
        for (const { name } of (node as ast.ForStatement | ast.Call).iterators ?? [])
          iterators.add(name.text);
  for (const name of iterators) names.delete(name);
  return names;
}

/** Whether the declaration gives a value, or for a record one to some of its fields; nothing needs none. */
function hasValue({ declaration, modifier, clause, lexical }: ShapeComponent): boolean {
  if (declaration.modification || modifier?.value) return true;
  const sizes = [...declaration.subscripts, ...clause.subscripts];
  if (sizes.some((size) => size.kind === 'number' && size.value === 0)) return true;
  const type = findClass(lexical, clause.type);
  const fields = type && !shapeOf(type).predefined ? [...shapeOf(type).components.values()] : [];
  return fields.some(hasValue);
}

/** Variables in an order in which each comes after those that its value and its sizes use; those that have none are a ring. */
export function ordered(components: readonly ShapeComponent[]) {
  const pending = new Map(components.map((component) => [component.name, component]));
  const uses = new Map(components.map((component) => [component.name, mentionedBy(component)]));
  const order: ShapeComponent[] = [];
  for (;;) {
    const next = [...pending.values()].find(({ name }) => {
      for (const used of uses.get(name)!) if (pending.has(used) && used !== name) return false;
      return true;
    });
    if (!next) return { order, ring: [...pending.values()] };
    pending.delete(next.name);
    order.push(next);
  }
}

/** All variables of a function in this order, those of rings last. */
export function declarationOrder(shape: Shape): readonly ShapeComponent[] {
  return remember(orders, shape, () => {
    const { order, ring } = ordered([...shape.components.values()]);
    return [...order, ...ring];
  });
}

const orders = new WeakMap<Shape, readonly ShapeComponent[]>();

/** Names that the value and the sizes of a variable use. */
export function mentionedBy({ declaration, clause, modifier }: ShapeComponent): Set<string> {
  const names = new Set<string>();
  for (const node of everyNode([modifier?.value?.value, declaration, clause.subscripts]))
    if (node.kind === 'ref' && !(node as ast.ComponentRef).global)
      names.add((node as ast.ComponentRef).parts[0]!.name);
  return names;
}

/** Whether a function is declared impure. */
export const isImpure = ({ definition }: ClassEntity): boolean => definition.purity === 'impure';

/** A partial derivative is one of a function, by inputs that are scalars of type Real (section 12.7.2). */
function derivativeProblems(entity: ClassEntity, { components, derived }: Shape): Diagnostic[] {
  const { body } = entity.definition;
  if (!derived || body.kind !== 'der') return [];
  const { base, by } = derived;
  const report = (message: string, node: ast.Node, hint: string): Diagnostic =>
    error('bad-call', message, { span: entity.span(node), hint });
  const inputs = [...components.values()].filter(({ clause }) => clause.causality === 'input');
  const usable = inputs.filter(isScalarReal).map(({ name }) => name);
  const hint = usable.length > 0 ? `It has ${usable.map((name) => `\`${name}\``).join(', ')}.` : undefined;
  return by.flatMap((variable) => {
    if (usable.includes(variable.text)) return [];
    const isInput = inputs.some(({ name }) => name === variable.text);
    const message = isInput
      ? `\`${variable.text}\` is no scalar of type Real: \`${base.path}\` cannot be differentiated by it.`
      : `\`${base.path}\` has no input \`${variable.text}\` to differentiate by.`;
    return [report(message, variable, hint ?? 'Only inputs that are scalars of type Real can stand here.')];
  });
}

function isScalarReal({ clause, declaration, lexical }: ShapeComponent): boolean {
  const type = findClass(lexical, clause.type);
  const { predefined, subscripts } = type ? shapeOf(type) : {};
  const rank = declaration.subscripts.length + clause.subscripts.length + (subscripts?.length ?? 0);
  return predefined === 'Real' && rank === 0;
}

const isName = ({ global, parts }: ast.ComponentRef, name: string): boolean =>
  !global && parts.length === 1 && parts[0]!.name === name;

/** Whether the text declares a class of the name of an operator. */
function isDeclared(lexical: ClassEntity, { start, end, parts }: ast.ComponentRef): boolean {
  const text = parts[0]!.name;
  return (
    text !== 'der' &&
    findClass(lexical, { start, end, global: false, parts: [{ start, end, text }] }) !== undefined
  );
}
