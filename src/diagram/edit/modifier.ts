/** Values of parameters: the modifiers of a component, and the values of the class's own parameters. */
import { didYouMean, nearest } from '../../diagnostic/nearest.ts';
import { Source } from '../../diagnostic/source.ts';
import type { ClassEntity, OwnComponent } from '../../model/classes/class.ts';
import { elementNames, elementOf, shapeOf } from '../../model/classes/shape.ts';
import { attributesOf } from '../../model/predefined.ts';
import type * as ast from '../../syntax/ast.ts';
import type { TextChange } from '../../syntax/change.ts';
import { parseExpression } from '../../syntax/parser.ts';
import { classView, componentView } from '../view.ts';
import { addition } from './annotation.ts';
import {
  behind,
  type Edit,
  edited,
  gapEnd,
  insertion,
  itemRemoval,
  type Manner,
  ownComponent,
  type Refused,
  refused,
  replacement,
} from './text.ts';

/**
 * Gives a value to something in a component, by its path below it: `['R']`, `['body', 'm']`, `['v', 'start']`; to the component itself, a parameter or variable of the class, where the path is empty.
 * `undefined` takes the value away, so that the one of the class holds again.
 */
export function setModifier(
  entity: ClassEntity,
  component: string,
  path: readonly string[],
  value: string | undefined,
): Edit {
  const own = ownComponent(entity, component);
  if ('ok' in own) return own;
  const wrong =
    (value === undefined ? undefined : valueProblem(value)) ?? targetProblem(entity, component, path);
  if (wrong) return wrong;
  const { text } = entity.definition.source;
  const written = value?.trim();
  return edited(written === undefined ? removed(text, own, path) : given(text, own, path, written));
}

function valueProblem(value: string): Refused | undefined {
  const { diagnostics } = parseExpression(new Source('value', value));
  return diagnostics.length > 0 ? { ok: false, problems: diagnostics } : undefined;
}

/** Names must be those of elements that can be modified. */
function targetProblem(entity: ClassEntity, component: string, path: readonly string[]): Refused | undefined {
  const declared = shapeOf(entity).components.get(component);
  let view = declared && componentView(classView(entity), declared).view;
  let around = component;
  for (const [k, name] of path.entries()) {
    if (!view) return undefined;
    const type = view.entity;
    const { predefined } = shapeOf(type);
    if (predefined) {
      const known = attributesOf[predefined];
      if (known.has(name) && k === path.length - 1) return undefined;
      return refused('unknown-modifier', `\`${around}\` has no attribute \`${name}\`.`, {
        hint: didYouMean(nearest(name, known)),
      });
    }
    const element = elementOf(type, name);
    if (!element)
      return refused('unknown-modifier', `\`${type.path}\` has no element \`${name}\` to modify.`, {
        hint: didYouMean(nearest(name, elementNames(type))),
      });
    const what = `${around}.${name}`;
    if (element.protected) return refused('not-allowed', `\`${what}\` is protected: it cannot be modified.`);
    if (element.kind === 'class') return refused('not-allowed', `\`${what}\` is a class, not a parameter.`);
    if (element.clause.prefixes.final || element.modifier?.final)
      return refused('bad-binding', `\`${what}\` is final: it cannot be modified.`);
    view = componentView(view, element).view;
    around = what;
  }
  return undefined;
}

// ---------------------------------------------------------------- giving a value

/** Blanks around `=` as the declaration has them, or as most people write modifiers. */
function mannerIn(text: string, { declaration, clause }: OwnComponent): Manner {
  const own = text.slice(declaration.start, declaration.modification?.end ?? declaration.start);
  const all = own.includes('=') ? own : text.slice(clause.start, clause.end);
  return { equals: /[^\s=<>:]=[^\s=]/.test(all) && !/ = /.test(all) ? '=' : ' = ', comma: ', ' };
}

function given(text: string, own: OwnComponent, path: readonly string[], value: string): TextChange[] {
  const manner = mannerIn(text, own);
  const { modification } = own.declaration;
  if (path.length === 0) return [setValue(modification, nameEnd(text, own.declaration), value, manner)];
  const list = modification?.arguments;
  if (!list) return [insertion(nameEnd(text, own.declaration), `(${nestedText(path, value, manner)})`)];
  return inList(text, list, path, value, manner);
}

function setValue(
  modification: ast.Modification | undefined,
  end: number,
  value: string,
  { equals }: Manner,
): TextChange {
  const before = modification?.value;
  if (before && before !== 'break') return replacement(before, value);
  return insertion(modification?.end ?? end, `${equals}${value}`);
}

/** Behind the name of a declaration and its sizes. */
function nameEnd(text: string, { name, subscripts }: ast.Declaration): number {
  const last = subscripts.at(-1);
  return last ? behind(text, last.end, ']') : name.end;
}

const nestedText = (path: readonly string[], value: string, { equals }: Manner): string =>
  path
    .slice(0, -1)
    .map((name) => `${name}(`)
    .join('') +
  `${path.at(-1)}${equals}${value}` +
  ')'.repeat(path.length - 1);

function inList(
  text: string,
  list: ast.ClassModification,
  path: readonly string[],
  value: string,
  manner: Manner,
): TextChange[] {
  const found = argumentAt(list, path);
  if (!found) return [addition(text, list, nestedText(path, value, manner), manner)];
  const { argument, rest } = found;
  const end = argument.kind === 'modify' ? argument.name.end : argument.end;
  const modification =
    argument.kind === 'modify' ? argument.modification : declarationIn(argument)?.modification;
  if (rest.length === 0) return [setValue(modification, end, value, manner)];
  if (modification?.arguments) return inList(text, modification.arguments, rest, value, manner);
  const at = argument.kind === 'modify' ? end : (declarationIn(argument)?.name.end ?? end);
  return [insertion(at, `(${nestedText(rest, value, manner)})`)];
}

type Modifying = ast.ElementModification | ast.Redeclaration;

/** The argument that modifies the beginning of a path, and what is left of it: `a.b = 1` and `a(b = 1)` mean the same. */
function argumentAt(
  list: ast.ClassModification,
  path: readonly string[],
): { argument: Modifying; rest: readonly string[] } | undefined {
  for (const argument of list.arguments) {
    if (argument.kind === 'break') continue;
    const names =
      argument.kind === 'modify'
        ? argument.name.parts.map(({ text }) => text)
        : [declarationIn(argument)?.name.text ?? ''];
    if (names.length <= path.length && names.every((name, k) => name === path[k]))
      return { argument, rest: path.slice(names.length) };
  }
  return undefined;
}

/** The component of a redeclaration. */
const declarationIn = ({ element }: ast.Redeclaration): ast.Declaration | undefined =>
  element.kind === 'component' ? element.declarations[0] : undefined;

// ---------------------------------------------------------------- taking a value away

function removed(text: string, { declaration }: OwnComponent, path: readonly string[]): TextChange[] {
  const { modification } = declaration;
  if (!modification) return [];
  if (path.length === 0) return withoutValue(modification, nameEnd(text, declaration));
  const { arguments: list } = modification;
  if (!list) return [];
  const change = fromList(text, list, path);
  if (change !== 'all') return change;
  return [{ from: nameEnd(text, declaration), to: list.end, insert: '' }];
}

/** Without `= value`, with the blanks before it. */
function withoutValue({ arguments: list, value }: ast.Modification, nameAt: number): TextChange[] {
  if (!value || value === 'break') return [];
  return [{ from: list?.end ?? nameAt, to: value.end, insert: '' }];
}

/** The changes that take an argument out of a list, or `all` where nothing else is in it. */
function fromList(text: string, list: ast.ClassModification, path: readonly string[]): TextChange[] | 'all' {
  const found = argumentAt(list, path);
  if (found?.argument.kind !== 'modify') return [];
  const { argument, rest } = found;
  const { modification, name } = argument;
  if (rest.length > 0) {
    const inner = modification?.arguments;
    if (!inner) return [];
    const change = fromList(text, inner, rest);
    if (change !== 'all') return change;
    if (modification.value) return [{ from: name.end, to: inner.end, insert: '' }];
  } else if (modification?.arguments) return withoutValue(modification, name.end);
  if (list.arguments.length === 1 && gapIsClean(text, list)) return 'all';
  return [itemRemoval(list.arguments, list.arguments.indexOf(argument))];
}

/** Comments in a list that would be removed with it keep it. */
function gapIsClean(text: string, { start, end, arguments: [only] }: ast.ClassModification): boolean {
  return gapEnd(text, start + 1) === only!.start
    ? /^\s*$/.test(text.slice(start + 1, only!.start)) && /^\s*$/.test(text.slice(only!.end, end - 1))
    : false;
}
