/**
 * Functions that are interpreted, as text: as they were written, with all that they name by the names of the flat text. Constants become their
 * values. What speaks of records, enumerations or code from outside has no text here.
 */
import { type ClassEntity, entityOf } from '../../model/classes/class.ts';
import { findClass, resolve } from '../../model/classes/lookup.ts';
import { type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import { numberLiteral, stringLiteral } from '../../names/literals.ts';
import type { FunctionSource } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, contextOf, type FlatBuilder } from '../core/context.ts';
import { isUnknown } from '../core/values.ts';
import { fixedValue } from './constants.ts';
import { defaultOf } from './functions.ts';
import { reference } from './references.ts';

/** All functions that an interpreted one reaches, itself first; undefined where one of them cannot be written. */
export function sourcesOf(
  entity: ClassEntity,
  builder: FlatBuilder,
  component: string,
): readonly FunctionSource[] | undefined {
  const found = new Map<string, ClassEntity>([[entity.path, entity]]);
  const sources: FunctionSource[] = [];
  // What is found on the way is visited, too.
  for (const one of found.values()) {
    const source = new Writer(one, found, builder, component).source();
    if (!source) return undefined;
    sources.push(source);
  }
  return sources;
}

/** A piece of a line: text, or the path of a function whose name stands there. */
type Piece = string | { readonly path: string };

class Writer {
  private readonly own: ReadonlySet<string>;
  /** Whether something was met that has no text. */
  private isLost = false;

  constructor(
    private readonly entity: ClassEntity,
    private readonly found: Map<string, ClassEntity>,
    private readonly builder: FlatBuilder,
    private readonly component: string,
  ) {
    const { components, sections } = shapeOf(entity);
    const iterators = sections.flatMap(({ section }) => iteratorsIn(section));
    this.own = new Set([...components.keys(), ...iterators]);
  }

  source(): FunctionSource | undefined {
    const { components, sections, external, partial, derived } = shapeOf(this.entity);
    const { path, definition } = this.entity;
    if (external || partial || derived || definition.purity === 'impure') return undefined;
    const declarations = [...components.values()].map((one) => this.declaration(one));
    const statements = sections.flatMap(({ section, lexical }) =>
      section.kind === 'algorithm' ? section.statements.map((node) => this.text(node, lexical)) : [],
    );
    if (this.isLost) return undefined;
    const text = (pieces: readonly Piece[], nameOf: (path: string) => string): string =>
      `  ${pieces.map((piece) => (typeof piece === 'string' ? piece : nameOf(piece.path))).join('')};`;
    return {
      path,
      names: [...this.own],
      lines: (nameOf) => [
        `function ${nameOf(path)}`,
        ...declarations.map((pieces) => text(pieces, nameOf)),
        'algorithm',
        ...statements.map((pieces) => text(pieces, nameOf)),
        `end ${nameOf(path)};`,
      ],
    };
  }

  private declaration(component: ShapeComponent): Piece[] {
    const { name, clause, declaration, lexical } = component;
    const type = findClass(lexical, clause.type);
    const shape = type && shapeOf(type);
    const predefined = shape?.predefined;
    if (!shape || !predefined || predefined === 'Clock' || shape.enumeration) return this.lost();
    const sizes = [
      ...[...declaration.subscripts, ...clause.subscripts].map((node) => ({ node, lexical })),
      ...shape.subscripts.map(({ subscript: node, lexical: around }) => ({ node, lexical: around })),
    ].flatMap(({ node, lexical: around }, k): Piece[] => [
      k > 0 ? ', ' : '[',
      ...(node.kind === 'colon' ? [':'] : this.text(node, around)),
    ]);
    const value = defaultOf(component);
    if (value?.scope?.instance) return this.lost();
    return [
      `${clause.causality ?? 'protected'} ${predefined} ${name}`,
      ...sizes,
      ...(sizes.length > 0 ? [']'] : []),
      ...(value ? [' = ', ...this.text(value.expr, value.lexical)] : []),
    ];
  }

  /** The text of a node as it was written, in one line, with other names for what lies outside of the function. */
  private text(node: ast.Node, lexical: ClassEntity): Piece[] {
    const { text } = lexical.definition.source;
    const pieces: Piece[] = [];
    let at = node.start;
    for (const ref of refsIn(node).sort((a, b) => a.start - b.start)) {
      const piece = this.replacement(ref, lexical);
      if (piece === undefined) continue;
      pieces.push(plain(text.slice(at, ref.start)), piece);
      at = ref.end;
    }
    pieces.push(plain(text.slice(at, node.end)));
    return pieces;
  }

  /** What stands for a name; undefined where it stays. */
  private replacement(ref: ast.ComponentRef, lexical: ClassEntity): Piece | undefined {
    if (!ref.global && this.own.has(ref.parts[0]!.name)) return undefined;
    const resolution = resolve({ instance: undefined, lexical }, ref);
    switch (resolution.kind) {
      case 'builtin':
        return undefined;
      case 'constant':
        return this.constant(ref, lexical) ?? this.lost()[0];
      case 'class': {
        const entity = entityOf(resolution.class);
        const known = this.found.get(entity.path);
        if (shapeOf(entity).restriction !== 'function' || (known && known.self !== entity.self))
          return this.lost()[0];
        this.found.set(entity.path, entity);
        return { path: entity.path };
      }
      default:
        return this.lost()[0];
    }
  }

  private constant(ref: ast.ComponentRef, lexical: ClassEntity): string | undefined {
    const context: Context = contextOf(
      this.builder,
      { instance: undefined, lexical },
      this.component,
      'function',
    );
    const value = reference(ref, context);
    if (isUnknown(value) || value.kind !== 'simple' || value.dims.length > 0) return undefined;
    const item = fixedValue(this.builder, value.expr)?.items[0];
    if (item === undefined) return undefined;
    if (value.type === 'String') return stringLiteral(String(item));
    if (value.type === 'Boolean') return Number(item) === 0 ? 'false' : 'true';
    if (typeof value.type === 'object' || value.type === 'Clock') return undefined;
    const number = numberLiteral(Number(item));
    const isWhole = value.type === 'Real' && /^-?\d+$/.test(number);
    const literal = isWhole ? `${number}.0` : number;
    return literal.startsWith('-') ? `(${literal})` : literal;
  }

  private lost(): string[] {
    this.isLost = true;
    return [''];
  }
}

/** In one line, without comments to the end of it. */
const plain = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\s*\n\s*/g, (part) => (part.startsWith('"') ? part : ' '));

function refsIn(root: ast.Node): ast.ComponentRef[] {
  const refs: ast.ComponentRef[] = [];
  visit(root, (node) => {
    if ('kind' in node && node.kind === 'ref' && 'parts' in node) refs.push(node as ast.ComponentRef);
  });
  return refs;
}

function iteratorsIn(root: ast.Node): string[] {
  const names: string[] = [];
  visit(root, (node) => {
    if ('range' in node && 'name' in node) names.push((node as ast.Iterator).name.text);
  });
  return names;
}

function visit(root: object, action: (node: object) => void): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null) continue;
    action(node);
    for (const [name, part] of Object.entries(node)) if (name !== 'annotation') stack.push(part);
  }
}
