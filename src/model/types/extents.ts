/**
 * Sizes of arrays that cannot agree, whatever numbers parameters and arguments give them (specification 3.6, sections 10.1 and 10.6), so that they are told before
 * there are numbers. A size is a sum of multiples of names, `n`, `size(u, 1)`, `2*n + 1`, and a number: two that differ by a number other than zero never agree.
 *
 * Expressions whose sizes are not known in this way fit with everything: ranges, which may be empty, calls of functions, components of components. Branches of `if` are
 * left alone, since sizes may have chosen them.
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/unparse.ts';
import { nodesIn } from '../../syntax/walk.ts';
import { targetsOf } from '../classes/assigned.ts';
import type { ClassEntity } from '../classes/class.ts';
import { findClass } from '../classes/lookup.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../classes/shape.ts';

/** What is wrong in the equations, statements and declarations of a class. */
export const extentProblems = (shape: Shape): readonly Diagnostic[] =>
  remember(known, shape, () => problemsOf(shape));

const known = new WeakMap<Shape, readonly Diagnostic[]>();

function problemsOf({ restriction, components, sections }: Shape): readonly Diagnostic[] {
  const isOpen = [...components.values()].some(({ declaration, clause }) =>
    [...declaration.subscripts, ...clause.subscripts].some(({ kind }) => kind !== 'number'),
  );
  if (!isOpen) return [];
  const statements = sections.flatMap(({ section }) =>
    section.kind === 'algorithm' ? section.statements : [],
  );
  const assigned = new Set([...nodesIn(statements)].flatMap(targetsOf));
  const extents = new Extents(components, restriction.endsWith('function'), assigned);
  for (const component of components.values()) extents.declaration(component);
  for (const { section, lexical } of sections)
    for (const node of section.kind === 'algorithm' ? section.statements : section.equations)
      extents.row(node, { lexical, iterators: new Set() });
  return extents.problems;
}

/** A sum of multiples of names and a number. */
interface Size {
  readonly number: number;
  readonly terms: ReadonlyMap<string, number>;
}

type Sizes = readonly (Size | undefined)[];

/** Where an expression stands. */
interface Place {
  readonly lexical: ClassEntity;
  /** Names that loops around it give to other things. */
  readonly iterators: ReadonlySet<string>;
}

class Extents {
  readonly problems: Diagnostic[] = [];
  private readonly declared = new Map<ShapeComponent, Sizes | undefined>();

  constructor(
    private readonly components: ReadonlyMap<string, ShapeComponent>,
    private readonly inFunction: boolean,
    /** Names of variables that statements change. */
    private readonly assigned: ReadonlySet<string>,
  ) {}

  declaration(component: ShapeComponent): void {
    const { declaration, lexical } = component;
    const value = declaration.modification?.value;
    if (!value || value === 'break') return;
    const given = this.sizes(value, { lexical, iterators: new Set() });
    const what = `\`${component.name}\` has the sizes`;
    this.compare(this.sizesOf(component), given, value, lexical, what, 'but its value has');
  }

  row(node: ast.Equation | ast.Statement, place: Place): void {
    switch (node.kind) {
      case 'equal':
        this.compare(
          this.sizes(node.left, place),
          this.sizes(node.right, place),
          node,
          place.lexical,
          'The sides of the equation have different sizes:',
          'and',
        );
        return;
      case 'assign': {
        const what = `\`${printExpression(node.target)}\` has the sizes`;
        const own = this.sizes(node.target, place);
        const value = this.sizes(node.value, place);
        this.compare(own, value, node, place.lexical, what, 'but is given');
        return;
      }
      case 'for': {
        const iterators = new Set([...place.iterators, ...node.iterators.map(({ name }) => name.text)]);
        for (const inner of node.body) this.row(inner, { ...place, iterators });
        return;
      }
      case 'while':
        for (const inner of node.body) this.row(inner, place);
        return;
      case 'when':
        for (const { body } of node.branches) for (const inner of body) this.row(inner, place);
        return;
      default:
        return;
    }
  }

  /** The sizes of an expression; undefined where not even their number is known. */
  private sizes(e: ast.Expression, place: Place): Sizes | undefined {
    switch (e.kind) {
      case 'number':
      case 'string':
      case 'boolean':
        return [];
      case 'array': {
        const inner = e.elements.map((element) => this.sizes(element, place));
        return inner[0] && [numeric(e.elements.length), ...inner[0]];
      }
      case 'ref':
        return this.reference(e, place);
      case 'unary':
        return this.sizes(e.operand, place);
      case 'binary':
        return this.binary(e, place);
      case 'call':
        return this.call(e, place);
      case 'tuple':
        return e.members.length === 1 && e.members[0] ? this.sizes(e.members[0], place) : undefined;
      default:
        return undefined;
    }
  }

  private reference({ parts, global }: ast.ComponentRef, place: Place): Sizes | undefined {
    const [part] = parts;
    if (global || parts.length > 1 || !part || place.iterators.has(part.name)) return undefined;
    if (part.name === 'time') return [];
    const component = this.components.get(part.name);
    const dims = component && this.sizesOf(component);
    if (!dims || part.subscripts.length > dims.length) return undefined;
    const kept: (Size | undefined)[] = [];
    for (const [d, dim] of dims.entries()) {
      const subscript = part.subscripts[d];
      if (!subscript || subscript.kind === 'colon') kept.push(dim);
      else {
        const own = subscript.kind === 'range' ? [undefined] : this.subscript(subscript, place);
        if (!own) return undefined;
        kept.push(...own);
      }
    }
    return kept;
  }

  private subscript(e: ast.Expression, place: Place): Sizes | undefined {
    const isIterator = e.kind === 'ref' && e.parts.length === 1 && place.iterators.has(e.parts[0]!.name);
    return isIterator || e.kind === 'end' ? [] : this.sizes(e, place);
  }

  private binary(e: ast.Binary, place: Place): Sizes | undefined {
    const [left, right] = [this.sizes(e.left, place), this.sizes(e.right, place)];
    if (!left || !right) return undefined;
    const text = `\`${printExpression(e.left)} ${e.operator} ${printExpression(e.right)}\` needs equal sizes:`;
    const same = (a: Sizes, b: Sizes): void => this.compare(a, b, e, place.lexical, text, 'and');
    switch (e.operator) {
      case '+':
      case '-':
        same(left, right);
        return left;
      case '.+':
      case '.-':
      case '.*':
      case './':
      case '.^':
        if (left.length > 0 && right.length > 0) same(left, right);
        return left.length > 0 ? left : right;
      case '*':
        if (left.length === 0) return right;
        if (right.length === 0) return left;
        if (left.length > 2 || right.length > 2) return undefined;
        same([left.at(-1)], [right[0]]);
        return [...left.slice(0, -1), ...right.slice(1)];
      case '/':
      case '^':
        return left;
      default:
        return left.length > 0 ? left : right;
    }
  }

  private call({ callee, positional, named, iterators }: ast.Call, place: Place): Sizes | undefined {
    if (callee.parts.length !== 1 || iterators || named.length > 0) return undefined;
    const { name } = callee.parts[0]!;
    const args = positional.flatMap((one) => (one.kind === 'partial' ? [] : [one]));
    if (this.components.has(name) || args.length === 0) return undefined;
    if (args.length === 1 && (elementwise.has(name) || scalars.has(name))) {
      const own = this.sizes(args[0]!, place);
      return scalars.has(name) ? [] : own;
    }
    const sizes = (all: readonly ast.Expression[]): Sizes => all.map((one) => this.size(one, place));
    switch (name) {
      case 'zeros':
      case 'ones':
        return sizes(args);
      case 'fill': {
        const inner = this.sizes(args[0]!, place);
        return inner && [...sizes(args.slice(1)), ...inner];
      }
      case 'identity':
        return sizes([args[0]!, args[0]!]);
      case 'transpose': {
        const own = this.sizes(args[0]!, place);
        return own?.length === 2 ? [own[1], own[0]] : undefined;
      }
      case 'size':
        return args.length === 2 ? [] : undefined;
      default:
        return undefined;
    }
  }

  /** The sizes of a variable of a predefined type. */
  private sizesOf(component: ShapeComponent): Sizes | undefined {
    if (this.declared.has(component)) return this.declared.get(component);
    // One whose sizes depend on itself.
    this.declared.set(component, undefined);
    const found = this.sizesDeclared(component);
    this.declared.set(component, found);
    return found;
  }

  private sizesDeclared(component: ShapeComponent): Sizes | undefined {
    const { declaration, clause, lexical, name, replaced } = component;
    const type = findClass(lexical, clause.type);
    const shape = type && shapeOf(type);
    if (!shape?.predefined || shape.subscripts.length > 0 || replaced) return undefined;
    const place: Place = { lexical, iterators: new Set() };
    const isFlexible = this.inFunction && clause.causality !== 'input';
    return [...declaration.subscripts, ...clause.subscripts].map((subscript, d) => {
      if (subscript.kind !== 'colon') return this.size(subscript, place);
      return isFlexible ? undefined : named(`size(${name}, ${d + 1})`);
    });
  }

  /** A size, where it is a sum of multiples of what does not change. */
  private size(e: ast.Expression, place: Place): Size | undefined {
    switch (e.kind) {
      case 'number':
        return e.integer ? numeric(e.value) : undefined;
      case 'tuple':
        return e.members.length === 1 && e.members[0] ? this.size(e.members[0], place) : undefined;
      case 'ref':
        return this.name(e, place);
      case 'binary': {
        const [left, right] = [this.size(e.left, place), this.size(e.right, place)];
        if (!left || !right) return undefined;
        if (e.operator === '+') return sum(left, right, 1);
        if (e.operator === '-') return sum(left, right, -1);
        if (e.operator !== '*') return undefined;
        if (left.terms.size === 0) return sum(numeric(0), right, left.number);
        return right.terms.size === 0 ? sum(numeric(0), left, right.number) : undefined;
      }
      case 'call':
        return this.sizeCall(e, place);
      default:
        return undefined;
    }
  }

  private sizeCall({ callee, positional }: ast.Call, place: Place): Size | undefined {
    const [array, dimension] = positional;
    if (callee.parts.length !== 1 || callee.parts[0]!.name !== 'size' || array?.kind !== 'ref')
      return undefined;
    const sizes = array.parts[0]!.subscripts.length === 0 ? this.reference(array, place) : undefined;
    return dimension?.kind === 'number' ? sizes?.[dimension.value - 1] : undefined;
  }

  /** A name that means the same number wherever it stands in the class. */
  private name(ref: ast.ComponentRef, { lexical, iterators }: Place): Size | undefined {
    const { parts, global } = ref;
    const { name } = parts[0]!;
    if (global || iterators.has(name) || this.assigned.has(name)) return undefined;
    if (parts.some(({ subscripts }) => subscripts.length > 0)) return undefined;
    const component = this.components.get(name);
    const text = printExpression(ref);
    // Other names may mean different things where parts of the class are inherited.
    if (!component) return named(text, `${lexical.path}: ${text}`);
    const { clause } = component;
    const isFixed = this.inFunction
      ? clause.causality === 'input' || clause.variability !== undefined
      : clause.variability === 'parameter' || clause.variability === 'constant';
    return isFixed || (parts.length > 1 && !this.inFunction) ? named(text) : undefined;
  }

  private compare(
    left: Sizes | undefined,
    right: Sizes | undefined,
    node: ast.Node,
    lexical: ClassEntity,
    what: string,
    and: string,
  ): void {
    if (!left || !right || !isConflict(left, right)) return;
    const message = `${what} ${sizesText(left)} ${and} ${sizesText(right)}.`;
    this.problems.push(error('dimension-mismatch', message, { span: lexical.span(node) }));
  }
}

const elementwise: ReadonlySet<string> = new Set(
  'sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs sign der pre noEvent floor ceil integer'.split(
    ' ',
  ),
);
const scalars: ReadonlySet<string> = new Set(['sum', 'product', 'min', 'max', 'ndims']);

const numeric = (number: number): Size => ({ number, terms: new Map() });
const named = (text: string, key = text): Size => ({ number: 0, terms: new Map([[key, 1]]) });

function sum(a: Size, b: Size, factor: number): Size {
  const terms = new Map(a.terms);
  for (const [name, k] of b.terms) {
    const total = (terms.get(name) ?? 0) + factor * k;
    if (total === 0) terms.delete(name);
    else terms.set(name, total);
  }
  return { number: a.number + factor * b.number, terms };
}

/** Whether sizes cannot agree: they are not as many, or two differ by a number. */
function isConflict(left: Sizes, right: Sizes): boolean {
  if (left.length !== right.length) return true;
  return left.some((size, d) => {
    const other = right[d];
    if (!size || !other) return false;
    const { number, terms } = sum(size, other, -1);
    return terms.size === 0 && number !== 0;
  });
}

const sizesText = (sizes: Sizes): string =>
  sizes.length === 0 ? 'a scalar' : `[${sizes.map(sizeText).join(', ')}]`;

function sizeText(size: Size | undefined): string {
  if (!size) return '…';
  const parts = [...size.terms].map(([key, k]) => {
    const name = key.slice(key.indexOf(': ') < 0 ? 0 : key.indexOf(': ') + 2);
    return k === 1 ? name : k === -1 ? `-${name}` : `${k}*${name}`;
  });
  if (size.number !== 0 || parts.length === 0) parts.push(`${size.number}`);
  return parts.join(' + ').replaceAll('+ -', '- ');
}
