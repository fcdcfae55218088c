/**
 * What can be folded: classes, sections, blocks of equations and statements, annotations, comments, imports in a row, brackets over several lines. A fold
 * hides the text from the end of its first line to its own end.
 */

import type * as ast from '../syntax/ast.ts';
import type { Trivia } from '../syntax/ast.ts';
import type { Tokens } from '../syntax/lexer.ts';
import { T } from '../syntax/tokens.ts';
import type { Document } from './document.ts';
import type { TextRange } from './places.ts';

export interface Fold extends TextRange {
  readonly kind: 'class' | 'section' | 'block' | 'annotation' | 'comment' | 'imports' | 'brackets';
}

export function foldsOf({ definition, text, tokens }: Document): Fold[] {
  const found: (TextRange & Pick<Fold, 'kind'>)[] = [
    ...inTree(definition),
    ...comments(definition.comments, text),
    ...brackets(tokens),
  ];
  const folds = new Map<number, Fold>();
  for (const { from, to, kind } of found) {
    const lineEnd = endOfLine(text, from);
    if (lineEnd >= to) continue;
    const known = folds.get(lineEnd);
    // Of those that begin in one line, the largest is meant.
    if (!known || known.to < to) folds.set(lineEnd, { from: lineEnd, to, kind });
  }
  return [...folds.values()].sort((a, b) => a.from - b.from);
}

function endOfLine(text: string, at: number): number {
  const found = /[\r\n]/g;
  found.lastIndex = at;
  return found.exec(text)?.index ?? text.length;
}

function* inTree(root: ast.StoredDefinition): Iterable<Fold> {
  const stack: unknown[] = [...root.classes];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      for (const item of node) stack.push(item);
      continue;
    }
    const { kind, start: from, end: to } = node as { kind?: string } & ast.Node;
    if (kind === 'class') yield { kind, from: (node as ast.ClassDef).name.start, to };
    else if (kind === 'equations' || kind === 'algorithm') yield { kind: 'section', from, to };
    else if (kind === 'elements') {
      if ((node as ast.ElementSection).visibility) yield { kind: 'section', from, to };
      yield* imports((node as ast.ElementSection).elements);
    } else if (isBlock(kind) && 'comment' in node) yield { kind: 'block', from, to };
    for (const [name, part] of Object.entries(node))
      if (name === 'annotation') {
        const annotation = part as ast.Annotation | undefined;
        if (annotation) yield { kind: 'annotation', from: annotation.start, to: annotation.end };
      } else if (name !== 'source') stack.push(part);
  }
}

const isBlock = (kind: string | undefined): boolean =>
  kind === 'if' || kind === 'for' || kind === 'when' || kind === 'while';

function* imports(elements: readonly ast.Element[]): Iterable<Fold> {
  for (let first = 0; first < elements.length; first++) {
    let last = first;
    while (elements[last + 1]?.kind === 'import' && elements[first]!.kind === 'import') last++;
    if (last > first) yield { kind: 'imports', from: elements[first]!.start, to: elements[last]!.end };
    first = last;
  }
}

/** Long comments, and short ones in lines one below the other. */
function* comments(all: readonly Trivia[], text: string): Iterable<Fold> {
  for (let first = 0; first < all.length; first++) {
    let last = first;
    const next = (k: number): boolean =>
      all[k]!.text.startsWith('//') &&
      all[k + 1]?.text.startsWith('//') === true &&
      /^\s*$/.test(text.slice(all[k]!.end, all[k + 1]!.start));
    while (next(last)) last++;
    yield { kind: 'comment', from: all[first]!.start, to: all[last]!.end };
    first = last;
  }
}

/** What stands between brackets. */
function* brackets({ kind, start, end, count }: Tokens): Iterable<Fold> {
  const open: number[] = [];
  for (let k = 0; k < count; k++)
    if (kind[k] === T['('] || kind[k] === T['['] || kind[k] === T['{']) open.push(start[k]!);
    else if (kind[k] === T[')'] || kind[k] === T[']'] || kind[k] === T['}']) {
      const from = open.pop();
      if (from !== undefined) yield { kind: 'brackets', from, to: end[k]! };
    }
}
