/**
 * What follows from the values of a variable that does not say it itself: its type and its sizes. In Modelica they are declared; here
 * `` y: modelica`2*x` `` has as many dimensions as `x`, and `` on: modelica`y > 0` `` is a Boolean. Only the form of expressions is looked
 * at, and names of variables of the same definition; what cannot be known in this way is a scalar Real, unless it is declared.
 */

import { remember } from '../collections/memo.ts';
import { shapeOf } from '../names/literals.ts';
import { type Intrinsic, intrinsics } from '../symbolic/intrinsics.ts';
import type * as ast from '../syntax/ast.ts';
import { dimensionsOf } from './attributes.ts';
import { declaredIn, memberOf } from './members.ts';
import { Template } from './template.ts';
import {
  type Attributes,
  type Definition,
  type Dimension,
  type Literal,
  type Member,
  Quantity,
  type Value,
} from './value.ts';

/** What names mean where an expression stands. */
export interface InferenceScope {
  /** The type of a variable, if that is known. */
  type(name: string): string | undefined;
  /** The number of dimensions of a member; 0 where it is not known. */
  rank(name: string): number;
}

const scopes = new WeakMap<Definition, InferenceScope>();

/** Names that are defined by names, one after the other; what lies deeper is not looked for. */
const MOST_NAMES = 100;

/** The names of a definition. Each is asked for once; what is defined by itself is not known. */
export function scopeOf(definition: Definition): InferenceScope {
  return remember(scopes, definition, () => makeScope(definition));
}

function makeScope(definition: Definition): InferenceScope {
  let depth = 0;
  const remembered = <Found>(unknown: Found, find: (member: Member) => Found): ((name: string) => Found) => {
    const found = new Map<string, Found>();
    return (name) => {
      if (found.has(name)) return found.get(name)!;
      const member = depth < MOST_NAMES ? memberOf(definition, name) : undefined;
      if (!member) return unknown;
      found.set(name, unknown);
      depth++;
      found.set(name, find(member));
      depth--;
      return found.get(name)!;
    };
  };
  const rankOfMember = remembered(0, (member) =>
    member.kind === 'variable'
      ? sizesOf(member.attributes, scope).length
      : dimensionsOf(member.attributes.size).length,
  );
  const scope: InferenceScope = {
    type: remembered<string | undefined>(undefined, (member) =>
      member.kind === 'variable' ? typeOf(member.attributes, scope) : undefined,
    ),
    rank: (name) => declaredIn(definition, name)?.sizes.length ?? rankOfMember(name),
  };
  return scope;
}

/** Where no names are known. */
export const noScope: InferenceScope = { type: () => undefined, rank: () => 0 };

/** The number of dimensions of a value. */
export function rankOfValue(value: Value, scope: InferenceScope): number {
  if (value instanceof Template) return rankOf(value.expression(), scope);
  return shapeOf(value instanceof Quantity ? value.value : value)?.length ?? 0;
}

/** The type of a variable: as declared, or as its values show. */
export function typeOf(attributes: Attributes, scope: InferenceScope): string {
  if (attributes.type) return attributes.type;
  for (const value of [attributes.value, attributes.start]) {
    const type = value === undefined || value === null ? undefined : typeOfValue(value, scope);
    if (type) return type;
  }
  return 'Real';
}

function typeOfValue(value: Value, scope: InferenceScope): string | undefined {
  if (value instanceof Template) return typeOfExpression(value.expression(), scope);
  if (value instanceof Quantity) return 'Real';
  if (typeof value === 'object') return value.length > 0 ? typeOfValue(value[0]!, scope) : undefined;
  return typeof value === 'boolean' ? 'Boolean' : typeof value === 'string' ? 'String' : undefined;
}

const logical: readonly string[] = ['<', '<=', '>', '>=', '==', '<>', 'and', 'or'];
/** What the form of an expression shows; numbers are taken for Real. */
function typeOfExpression(tree: ast.Expression | undefined, scope: InferenceScope): string | undefined {
  switch (tree?.kind) {
    case 'boolean':
      return 'Boolean';
    case 'string':
      return 'String';
    case 'unary':
      return tree.operator === 'not' ? 'Boolean' : undefined;
    case 'binary':
      return logical.includes(tree.operator) ? 'Boolean' : undefined;
    case 'if':
      return typeOfExpression(tree.otherwise, scope);
    case 'index':
      return typeOfExpression(tree.array, scope);
    case 'tuple':
      return tree.members.length === 1 ? typeOfExpression(tree.members[0], scope) : undefined;
    case 'array':
      return typeOfExpression(tree.elements[0], scope);
    case 'ref':
      return tree.parts.length === 1 ? scope.type(tree.parts[0]!.name) : undefined;
    case 'call':
      return typeOfCall(tree, scope);
    default:
      return undefined;
  }
}

function typeOfCall({ callee, positional }: ast.Call, scope: InferenceScope): string | undefined {
  const type = intrinsicOf(callee)?.type;
  if (type !== 'same') return type;
  const [first] = positional;
  return first && first.kind !== 'partial' ? typeOfExpression(first, scope) : undefined;
}

/** The sizes of a variable: as declared, otherwise those of its value or start value; `:` where the value decides them. */
export function sizesOf(attributes: Attributes, scope: InferenceScope): readonly Dimension[] {
  const { size, value, start } = attributes;
  if (size !== undefined && size !== null) return dimensionsOf(size);
  if (value instanceof Template) return Array.from({ length: rankOf(value.expression(), scope) }, () => ':');
  const given = literalOf(value);
  // A parameter takes the sizes of whatever value it is given.
  if (given !== undefined) {
    const shape = shapeOf(given) ?? [];
    return attributes.parameter || attributes.constant ? shape.map(() => ':') : shape;
  }
  const guess = literalOf(start);
  return guess === undefined ? [] : (shapeOf(guess) ?? []);
}

function literalOf(value: Value | null | undefined): Literal | undefined {
  if (value === undefined || value === null || value instanceof Template) return undefined;
  return value instanceof Quantity ? value.value : value;
}

const intrinsicOf = ({ parts }: ast.ComponentRef): Intrinsic | undefined =>
  intrinsics.get(parts.map((part) => part.name).join('.'));

/** The number of dimensions of an expression, as far as its form and the names in it show. */
function rankOf(tree: ast.Expression | undefined, scope: InferenceScope): number {
  const rank = (one: ast.Expression | undefined): number => rankOf(one, scope);
  switch (tree?.kind) {
    case 'array':
      return 1 + rank(tree.elements[0]);
    case 'matrix':
      return 2;
    case 'range':
      return 1;
    case 'comprehension':
      return tree.iterators.length + rank(tree.value);
    case 'if':
      return rank(tree.otherwise);
    case 'unary':
      return rank(tree.operand);
    case 'index':
      return (
        rank(tree.array) - tree.subscripts.filter((one) => one.kind !== 'colon' && rank(one) === 0).length
      );
    case 'tuple':
      return tree.members.length === 1 ? rank(tree.members[0]) : 0;
    case 'binary':
      return rankOfOperation(tree.operator, rank(tree.left), rank(tree.right));
    case 'ref':
      return rankOfReference(tree, scope);
    case 'call': {
      const { sizes, rank: known } = intrinsicOf(tree.callee) ?? {};
      if (known) return known(tree.positional.length);
      const ranks = tree.positional.map((one) => (one.kind === 'partial' ? 0 : rank(one)));
      // What follows from sizes follows from any sizes of as many dimensions.
      const any = (k: number): number[] => new Array<number>(ranks[k] ?? 0).fill(1);
      return typeof sizes === 'number' ? (ranks[sizes] ?? 0) : (sizes?.(any)?.length ?? 0);
    }
    default:
      return 0;
  }
}

function rankOfOperation(operator: ast.BinaryOperator, left: number, right: number): number {
  if (operator === '*' && left > 0 && right > 0) return left + right - 2;
  return Math.max(left, right);
}

/** Of `x`, `x[2]` and `x[2:3, :]`; names inside components are taken for scalars. */
function rankOfReference({ parts }: ast.ComponentRef, scope: InferenceScope): number {
  const [only, ...others] = parts;
  const subscripts = parts.flatMap((part) => part.subscripts);
  const ranges = subscripts.filter((one) => one.kind === 'colon' || one.kind === 'range').length;
  if (!only || others.length > 0) return ranges;
  return Math.max(0, scope.rank(only.name) - subscripts.length) + ranges;
}
