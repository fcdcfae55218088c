/**
 * The notation of these tests. `tree` writes an expression with every operator in front of its operands in parentheses, so that a
 * test can say in one line how a text is understood; `bare` takes the places out of a tree; `messages` writes each diagnostic
 * as `line:column what is wrong`.
 */
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { Source } from '../../src/diagnostic/source.ts';
import type {
  ClassDef,
  Element,
  Equation,
  Expression,
  PartialApplication,
  Section,
  Statement,
  StoredDefinition,
  Subscript,
} from '../../src/syntax/ast.ts';
import { parse, parseExpression } from '../../src/syntax/parser.ts';

export const source = (text: string): Source => new Source('test.mo', text);

/** The definition of a text that must have no mistakes. */
export function read(text: string): StoredDefinition {
  const { definition, diagnostics } = parse(source(text));
  if (diagnostics.length > 0) throw new Error(messages(diagnostics).join('\n'));
  return definition;
}

export const readClass = (text: string): ClassDef => read(text).classes[0]!;

/** The sections of `model M <text> end M`. */
export function readSections(text: string): readonly Section[] {
  const { body } = readClass(`model M ${text} end M;`);
  if (body.kind !== 'long') throw new Error('not a long class');
  return body.sections;
}

export function readElement(text: string): Element {
  const [section] = readSections(text);
  if (section?.kind !== 'elements') throw new Error('no elements');
  return section.elements[0]!;
}

export function readEquation(text: string): Equation {
  const [section] = readSections(`equation ${text}`);
  if (section?.kind !== 'equations') throw new Error('no equations');
  return section.equations[0]!;
}

export function readStatement(text: string): Statement {
  const [section] = readSections(`algorithm ${text}`);
  if (section?.kind !== 'algorithm') throw new Error('no statements');
  return section.statements[0]!;
}

export function readExpression(text: string): Expression {
  const { expression, diagnostics } = parseExpression(source(text));
  if (!expression) throw new Error(messages(diagnostics).join('\n'));
  return expression;
}

export function tree(e: Expression | Subscript | PartialApplication | undefined): string {
  if (!e) return '_';
  const all = (list: readonly (Expression | Subscript | PartialApplication | undefined)[]): string =>
    list.map(tree).join(' ');
  switch (e.kind) {
    case 'number':
      return e.integer ? String(e.value) : `${e.value}r`;
    case 'string':
      return JSON.stringify(e.value);
    case 'boolean':
      return String(e.value);
    case 'end':
      return 'end';
    case 'colon':
      return ':';
    case 'ref': {
      const parts = e.parts.map((p) => p.name + (p.subscripts.length > 0 ? `[${all(p.subscripts)}]` : ''));
      return (e.global ? '.' : '') + parts.join('.');
    }
    case 'call': {
      const named = e.named.map((n) => ` ${n.name.text}=${tree(n.value)}`).join('');
      const loops = e.iterators?.map((i) => ` for ${i.name.text}:${tree(i.range)}`).join('') ?? '';
      return `(${tree(e.callee)}!${e.positional.map((a) => ` ${tree(a)}`).join('')}${named}${loops})`;
    }
    case 'partial': {
      const name = (e.function.global ? '.' : '') + e.function.parts.map((p) => p.text).join('.');
      return `(function ${name}${e.arguments.map((n) => ` ${n.name.text}=${tree(n.value)}`).join('')})`;
    }
    case 'unary':
      return `(${e.operator} ${tree(e.operand)})`;
    case 'binary':
      return `(${e.operator} ${tree(e.left)} ${tree(e.right)})`;
    case 'if':
      return `(if ${e.branches.map((b) => `${tree(b.condition)} ${tree(b.value)}`).join(' ')} ${tree(e.otherwise)})`;
    case 'range':
      return `(: ${all(e.step ? [e.first, e.step, e.last] : [e.first, e.last])})`;
    case 'array':
      return `{${all(e.elements)}}`;
    case 'matrix':
      return `[${e.rows.map(all).join('; ')}]`;
    case 'comprehension':
      return `{${tree(e.value)}${e.iterators.map((i) => ` for ${i.name.text}:${tree(i.range)}`).join('')}}`;
    case 'index':
      return `(at ${tree(e.array)} ${all(e.subscripts)})`;
    case 'tuple':
      return `<${all(e.members)}>`;
  }
}

/** A copy of a tree without places, sources and comments, and without properties that are undefined. */
export function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).filter(([key, value]) => value !== undefined && !placeKeys.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, bare(value)]));
}

/** Whether two trees are equal in the sense of `bare`; for trees too large to copy and to compare by a matcher. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => placeKeys.has(key) || same(left[key], right[key]));
}

const placeKeys = new Set(['start', 'end', 'source', 'comments']);

export function messages(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ span, message }) => {
    const { line, column } = span!.source.position(span!.start);
    return `${line}:${column} ${message}`;
  });
}
