/**
 * Values of variables of functions: they have the type that is declared, with Integers for Reals as the only conversion
 * (specification 3.6, section 6.6).
 */
import type { ClassEntity } from '../classes/class.ts';
import { findClass } from '../classes/lookup.ts';
import { type ShapeComponent, shapeOf } from '../classes/shape.ts';
import { boolean, elementsOf, integer, real, string, type Value } from '../value.ts';

/** An element of a predefined type or an enumeration before it is assigned: of numbers, none, so that its use does not go unnoticed. Undefined for other types. */
export function blankOf(type: ClassEntity | undefined): Value | undefined {
  if (!type) return undefined;
  const { predefined, enumeration } = shapeOf(type);
  switch (predefined) {
    case 'Real':
      return real(Number.NaN);
    case 'Integer':
      return integer(Number.NaN);
    case 'Boolean':
      return boolean(false);
    case 'String':
      return string('');
    case 'enumeration':
      return enumeration ? { kind: 'enumeration', ...enumeration, index: 1 } : integer(1);
    case 'Clock':
      return integer(0);
    default:
      return undefined;
  }
}

/** The type of a component, or of what is under it. */
export function typeUnder(
  component: ShapeComponent | undefined,
  fields: readonly string[],
): ClassEntity | undefined {
  let at = component;
  for (const field of fields) {
    const record = at && findClass(at.lexical, at.clause.type);
    at = record && shapeOf(record).components.get(field);
  }
  return at && findClass(at.lexical, at.clause.type);
}

/** A value as one of a type: Integers become Reals; undefined where it cannot be one. */
export function converted(type: ClassEntity | undefined, value: Value): Value | undefined {
  const like = blankOf(type);
  if (!like) {
    const isRecord = type && /record$/.test(shapeOf(type).restriction);
    return isRecord && elementsOf(value).some(({ kind }) => kind !== 'record') ? undefined : value;
  }
  if (like.kind === 'real') return asReal(value);
  return elementsOf(value).every((element) => isLike(element, like)) ? value : undefined;
}

const isLike = (value: Value, like: Value): boolean =>
  value.kind === like.kind &&
  (value.kind !== 'enumeration' || like.kind !== 'enumeration' || value.path === like.path);

function asReal(value: Value): Value | undefined {
  if (value.kind === 'real') return value;
  if (value.kind === 'integer') return real(value.value);
  if (value.kind !== 'array') return undefined;
  const elements: Value[] = [];
  for (const element of value.elements) {
    const own = asReal(element);
    if (!own) return undefined;
    elements.push(own);
  }
  return { ...value, elements };
}
