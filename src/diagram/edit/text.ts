/**
 * Edits of a class as changes of the text in which it is written. Nothing else of the text is touched: comments, line breaks and the order of things stay. New text follows the manner of what stands
 * around it: its indentation, and blanks around `=` and after commas.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { didYouMean, nearest } from '../../diagnostic/nearest.ts';
import { type ClassEntity, elementsOf, type OwnComponent } from '../../model/classes/class.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type * as ast from '../../syntax/ast.ts';
import type { TextChange } from '../../syntax/change.ts';
import { nodesIn } from '../../syntax/walk.ts';
import type { Point } from '../geometry.ts';

/** The changes of the file of the class, in the order of the text; or why there are none. */
export type Edit = Edited | Refused;

export interface Edited {
  readonly ok: true;
  readonly changes: readonly TextChange[];
  /** What is worth knowing about them. */
  readonly warnings: readonly Diagnostic[];
}

export interface Refused {
  readonly ok: false;
  readonly problems: readonly Diagnostic[];
}

export const edited = (changes: readonly TextChange[], warnings: readonly Diagnostic[] = []): Edited => ({
  ok: true,
  changes: [...changes].sort((a, b) => a.from - b.from || a.to - b.to),
  warnings,
});

export const refused = (...problem: Parameters<typeof error>): Refused => ({
  ok: false,
  problems: [error(...problem)],
});

export const insertion = (at: number, insert: string): TextChange => ({ from: at, to: at, insert });

export const replacement = ({ start, end }: ast.Node, insert: string): TextChange => ({
  from: start,
  to: end,
  insert,
});

/** The body of a class that can be edited: one with `end`, as it stands in its file. */
export function editableBody({ definition, path }: ClassEntity): ast.LongBody | Refused {
  const { body, name, source } = definition;
  if (source.text.slice(name.start, name.end) !== name.text)
    return refused('not-allowed', `\`${path}\` cannot be edited: it was made by another text.`, {
      hint: 'Edit what it was made from.',
    });
  const span = { source, start: name.start, end: name.end };
  if (body.kind !== 'long')
    return refused('not-allowed', `\`${path}\` is a short class, which has no components of its own.`, {
      span,
      hint: 'Write `model … extends …; end …;` in its place.',
    });
  return body;
}

/** A component that the class itself declares; others are refused with the reason. */
export function ownComponent(entity: ClassEntity, name: string): OwnComponent | Refused {
  const body = editableBody(entity);
  if ('ok' in body) return body;
  const own = elementsOf(entity.definition).components.find(
    ({ declaration }) => declaration.name.text === name,
  );
  if (own) return own;
  const { components } = shapeOf(entity);
  const inherited = components.get(name);
  if (inherited)
    return refused('not-allowed', `\`${name}\` is inherited from \`${inherited.lexical.path}\`.`, {
      span: inherited.lexical.span(inherited.declaration.name),
      hint: `Change it in \`${inherited.lexical.path}\`, where it is declared.`,
    });
  return refused('unknown-name', `\`${entity.path}\` has no component \`${name}\`.`, {
    span: entity.span(entity.definition.name),
    hint: didYouMean(nearest(name, components.keys())),
  });
}

/** The connect equations that a class writes itself. */
export function connectsIn({ definition }: ClassEntity): ast.ConnectEquation[] {
  return elementsOf(definition).sections.flatMap((section) =>
    section.kind === 'equations'
      ? [...nodesIn(section.equations)].filter((node) => node.kind === 'connect')
      : [],
  );
}

// ---------------------------------------------------------------- the manner of a text

/** How a text is written. */
export interface Manner {
  /** Around `=`. */
  readonly equals: string;
  /** After commas. */
  readonly comma: string;
}

const airy: Manner = { equals: ' = ', comma: ', ' };
const dense: Manner = { equals: '=', comma: ',' };

/** That of the annotations that a text has; blanks where it has none. */
export const mannerOf = (text: string): Manner => (/\bextent=\{|\bpoints=\{/.test(text) ? dense : airy);

export const pointText = ([x, y]: Point, { comma }: Manner): string =>
  `{${numberText(x)}${comma}${numberText(y)}}`;

export const pointsText = (points: readonly Point[], manner: Manner): string =>
  `{${points.map((point) => pointText(point, manner)).join(manner.comma)}}`;

/** Coordinates with what digits they need, six behind the point at most. */
export const numberText = (value: number): string => String(Math.round(value * 1e6) / 1e6 || 0);

export const colorText = (color: string, { comma }: Manner): string =>
  `{${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(comma)}}`;

// ---------------------------------------------------------------- places in a text

/** What a line begins with, up to its first other character. */
export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))![0];
}

/** Whether nothing but blanks stands before a place on its line. */
export const beginsLine = (text: string, at: number): boolean =>
  /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

/** The line break that the text uses. */
export const lineBreak = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The end of comments and blanks from a place on. */
export function gapEnd(text: string, at: number): number {
  const gap = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  gap.lastIndex = at;
  gap.exec(text);
  return gap.lastIndex;
}

/** Behind the next sign after blanks and comments, if it is this one; otherwise the place itself. */
export function behind(text: string, at: number, sign: string): number {
  const next = gapEnd(text, at);
  return text.startsWith(sign, next) ? next + sign.length : at;
}

/**
 * The removal of a part of the text that ends with `;`, with its line where nothing else stands there. Comments beside it stay.
 */
export function removal(text: string, start: number, end: number): TextChange {
  const to = behind(text, end, ';');
  const rest = /^[ \t]*(\r\n|\n|\r|$)/.exec(text.slice(to));
  if (beginsLine(text, start) && rest) {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    return { from, to: to + rest[0].length, insert: '' };
  }
  const blanks = /^[ \t]*/.exec(text.slice(to))![0].length;
  return { from: start, to: to + blanks, insert: '' };
}

/** The removal of one item of a list with one comma beside it. */
export function itemRemoval(items: readonly ast.Node[], k: number): TextChange {
  const { start, end } = items[k]!;
  if (k > 0) return { from: items[k - 1]!.end, to: end, insert: '' };
  return { from: start, to: items[1] ? items[1].start : end, insert: '' };
}
