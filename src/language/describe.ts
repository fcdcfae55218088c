/** Declarations in words: what hovering, completion and signatures show. */
import { locate, type Span } from '../diagnostic/source.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import { type Modifier, merge, modifierOf } from '../model/classes/modification.ts';
import { type ShapeComponent, shapeOf } from '../model/classes/shape.ts';
import type { Bound } from '../model/instance.ts';
import type { Value } from '../model/value.ts';
import { evaluateBound } from '../model/values/evaluate.ts';
import { type Literal, literalText } from '../names/literals.ts';
import type * as ast from '../syntax/ast.ts';
import { argumentsNamed } from '../syntax/lazy.ts';
import { attributes, builtins } from './builtins.ts';
import { argumentsOf, isPredefined, type Meaning, silent, typeOf } from './meaning.ts';
import { descriptionOf, nameText } from './outline.ts';

export interface Description {
  /** What it is: `parameter`, `model`, `built-in function`. */
  readonly kind: string;
  /** The declaration, as Modelica. */
  readonly code: string;
  /** The description string. */
  readonly text: string;
  /** The class that declares it, by its qualified name. */
  readonly declaredIn?: string | undefined;
  readonly unit?: string | undefined;
  readonly displayUnit?: string | undefined;
  /** The value, where it is known without instantiation and says more than the declaration. */
  readonly value?: string | undefined;
  /** The annotation `Documentation(info = …)`; most of them are HTML. */
  readonly documentation?: Documentation | undefined;
}

export interface Documentation {
  readonly text: string;
  readonly html: boolean;
  /** The file in which it stands: relative links begin there. */
  readonly path: string;
}

/** Characters of a modifier, or of a value, that are shown. */
const LONGEST = 120;

export function describe(meaning: Meaning): Description {
  switch (meaning.kind) {
    case 'class':
      return describeClass(meaning.entity);
    case 'component':
      return describeComponent(meaning.component, meaning.owner);
    case 'literal': {
      const { name, owner, literal } = meaning;
      return {
        kind: 'literal',
        code: `${owner.path}.${name}`,
        text: literal?.comment.description?.value ?? '',
        declaredIn: owner.path,
      };
    }
    case 'iterator': {
      const { name, range } = meaning.iterator;
      const inside = range
        ? ` in ${textAt({ source: meaning.source, start: range.start, end: range.end })}`
        : '';
      return { kind: 'iterator', code: `for ${name.text}${inside}`, text: '' };
    }
    case 'attribute': {
      const { form, text } = attributes.get(meaning.name) ?? { form: meaning.name, text: '' };
      return { kind: 'attribute', code: form, text };
    }
    case 'builtin': {
      const { form, text } = builtins.get(meaning.name) ?? { form: meaning.name, text: '' };
      return { kind: form.includes('(') ? 'built-in function' : 'built-in variable', code: form, text };
    }
    default:
      return meaning satisfies never;
  }
}

// ---------------------------------------------------------------- classes

function describeClass(entity: ClassEntity): Description {
  const { definition, path } = entity;
  const { restriction, partial, body } = definition;
  const head = `${partial ? 'partial ' : ''}${restriction} ${path}`;
  if (isPredefined(entity)) return { kind: 'predefined type', code: `type ${path}`, text: '' };
  const attributesOf = shapeOf(entity.self).predefined ? shapeOf(entity.self).modifier : undefined;
  return {
    kind: restriction,
    code:
      restriction.endsWith('function') && body.kind === 'long'
        ? callForm(entity)
        : head + bodyText(body, entity),
    text: descriptionOf(definition),
    declaredIn: path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : undefined,
    unit: stringIn(attributesOf, 'unit'),
    displayUnit: stringIn(attributesOf, 'displayUnit'),
    documentation: documentationOf(entity),
  };
}

function bodyText(body: ast.ClassBody, entity: ClassEntity): string {
  switch (body.kind) {
    case 'long':
      return '';
    case 'short':
      return ` = ${nameText(body.base)}${body.modification ? short(textAt(entity.span(body.modification))) : ''}`;
    case 'enumeration':
      return ` = enumeration(${body.literals ? short(body.literals.map(({ name }) => name.text).join(', ')) : ':'})`;
    case 'der':
      return ` = der(${[nameText(body.base), ...body.variables.map((one) => one.text)].join(', ')})`;
    default:
      return body satisfies never;
  }
}

/** `function f(x, n = 2) -> (y)` as a call would be written: `(y, z) = f(x, n = 2)`. */
export function callForm(entity: ClassEntity): string {
  const inputs = argumentsOf(entity).map((one) => parameterText(one));
  const outputs = [...shapeOf(entity.self).components.values()]
    .filter(({ clause }) => clause.causality === 'output')
    .map(({ name }) => name);
  const results =
    outputs.length === 1 ? `${outputs[0]} = ` : outputs.length > 1 ? `(${outputs.join(', ')}) = ` : '';
  return `${results}${entity.path}(${inputs.join(', ')})`;
}

/** A parameter of a function: its type, its name, and the value that it has where it is left out. */
export function parameterText(component: ShapeComponent): string {
  const { clause, declaration, name, modifier, lexical } = component;
  const rank = clause.subscripts.length + declaration.subscripts.length;
  const sizes = rank > 0 ? `[${Array(rank).fill(':').join(', ')}]` : '';
  const own = declaration.modification?.value;
  const value = modifier?.value?.span ?? (own && own !== 'break' ? lexical.span(own) : undefined);
  return `${nameText(clause.type)}${sizes} ${name}${value ? ` = ${short(textAt(value))}` : ''}`;
}

/** What the annotation of a class says. */
export function documentationOf(
  { definition }: ClassEntity,
  what: 'info' | 'revisions' = 'info',
): Documentation | undefined {
  const { body, source } = definition;
  const annotation = body.kind === 'long' ? body.annotation : body.comment.annotation;
  const [documentation] = argumentsNamed(annotation, 'Documentation');
  for (const argument of documentation?.modification?.arguments?.arguments ?? []) {
    if (argument.kind !== 'modify' || argument.name.parts[0]?.text !== what) continue;
    const text = joinedString(argument.modification?.value);
    if (text) return { text, html: /^\s*<html/i.test(text), path: source.name };
  }
  return undefined;
}

/** `"a" + "b"` as well. */
function joinedString(value: ast.Modification['value'] | undefined): string | undefined {
  if (!value || value === 'break') return undefined;
  if (value.kind === 'string') return value.value;
  if (value.kind !== 'binary' || value.operator !== '+') return undefined;
  const [left, right] = [joinedString(value.left), joinedString(value.right)];
  return left !== undefined && right !== undefined ? left + right : undefined;
}

// ---------------------------------------------------------------- components

function describeComponent(component: ShapeComponent, owner: ClassEntity): Description {
  const { clause, declaration, lexical } = component;
  const merged = modifierOfComponent(component);
  const { modification } = declaration;
  const written = modification ? short(textAt(lexical.span(modification))) : '';
  return {
    kind: kindOf(component),
    code: `${prefixText(component)}${nameText(clause.type)}${sizesText(component)} ${declaration.name.text}${spaced(written)}`,
    text: declaration.comment.description?.value ?? '',
    declaredIn: lexical.path || owner.path,
    unit: stringIn(merged, 'unit'),
    displayUnit: stringIn(merged, 'displayUnit'),
    value: valueText(component, merged?.value),
  };
}

export function kindOf({ clause, lexical }: ShapeComponent): string {
  const { variability, causality } = clause;
  if (variability === 'parameter' || variability === 'constant') return variability;
  if (causality) return causality;
  return lexical.definition.restriction.endsWith('record') ? 'field' : 'component';
}

const spaced = (text: string): string => (text.startsWith('=') || text.startsWith(':=') ? ` ${text}` : text);

function prefixText({ clause, protected: hidden }: ShapeComponent): string {
  const { prefixes, connection, variability, causality } = clause;
  const words = [
    hidden && 'protected',
    prefixes.final && 'final',
    prefixes.inner && 'inner',
    prefixes.outer && 'outer',
    prefixes.replaceable && 'replaceable',
    connection,
    variability,
    causality,
  ].filter(Boolean);
  return words.length > 0 ? `${words.join(' ')} ` : '';
}

function sizesText({ clause, declaration, lexical }: ShapeComponent): string {
  const all = [...declaration.subscripts, ...clause.subscripts];
  return all.length > 0 ? `[${all.map((one) => textAt(lexical.span(one))).join(', ')}]` : '';
}

/** All modifiers of a component that classes alone give: those of extends clauses, its own, those of its type. */
function modifierOfComponent(component: ShapeComponent): Modifier | undefined {
  const { declaration, lexical, modifier } = component;
  const own = modifierOf(declaration.modification, { instance: undefined, lexical }, silent);
  const type = typeOf(component);
  return merge(merge(modifier, own, silent), type && shapeOf(type.self).modifier, silent);
}

function stringIn(modifier: Modifier | undefined, name: string): string | undefined {
  const value = modifier?.children.get(name)?.value?.value;
  return value?.kind === 'string' && value.value !== '' ? value.value : undefined;
}

/** The value of a constant or parameter, where that is known and is another text than that of the declaration. */
function valueText(
  { clause, declaration, lexical }: ShapeComponent,
  bound: Bound | undefined,
): string | undefined {
  if (!bound || (clause.variability !== 'constant' && clause.variability !== 'parameter')) return undefined;
  const { value } = evaluateBound(bound);
  const known = value && literalOf(value);
  const written = textAt(bound.span);
  const text = known === undefined ? written : short(literalText(known));
  const own = declaration.modification?.value;
  const isOwn = own && own !== 'break' && textAt(lexical.span(own)) === written;
  return isOwn && text === written ? undefined : text;
}

function literalOf(value: Value): Literal | undefined {
  switch (value.kind) {
    case 'real':
    case 'integer':
    case 'boolean':
    case 'string':
      return value.value;
    case 'array': {
      if (value.elements.length > 9 || value.dims.length !== 1 || value.elements.length === 0)
        return undefined;
      const elements = value.elements.map(literalOf);
      return elements.every((one) => one !== undefined) ? elements : undefined;
    }
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------- texts

/** The text of a span, on one line. */
export function textAt(span: Span): string {
  const { source, start, end } = locate(span);
  return source.text.slice(start, end).replace(/\s+/g, ' ').trim();
}

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
