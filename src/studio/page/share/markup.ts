/**
 * HTML as text, in which everything that is put in is escaped unless it is markup itself:
 *
 *     markup`<td>${name}</td>`.text
 */
import { escapeText } from '../../../paint/text.ts';

export class Markup {
  constructor(readonly text: string) {}
}

export type Piece = string | number | Markup | undefined | false | readonly Piece[];

export function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const texts = parts.map((part, k) => (k === 0 ? part : textOf(pieces[k - 1]) + part));
  return new Markup(texts.join(''));
}

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escapeText(String(piece));
}
