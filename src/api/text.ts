/** Text that grows from pieces, and remembers which of them are templates, so that places in it can be found in the templates. */
import { type Part, Source } from '../diagnostic/source.ts';
import { Template } from './template.ts';

export class Text {
  private readonly pieces: string[] = [];
  private length = 0;
  private readonly parts: Part[] = [];

  add(...pieces: readonly (string | Template | Text)[]): this {
    for (const piece of pieces) {
      if (piece instanceof Text) this.append(piece);
      else if (piece instanceof Template) this.template(piece);
      else {
        this.pieces.push(piece);
        this.length += piece.length;
      }
    }
    return this;
  }

  toString(): string {
    return this.pieces.join('');
  }

  source(name: string): Source {
    return new Source(name, this.toString(), { parts: this.parts });
  }

  private append(other: Text): void {
    for (const part of other.parts)
      this.parts.push({ ...part, start: part.start + this.length, end: part.end + this.length });
    for (const piece of other.pieces) this.pieces.push(piece);
    this.length += other.length;
  }

  private template(template: Template): void {
    const { source, start, end } = template.span();
    const text = source.text.slice(start, end);
    this.parts.push({ start: this.length, end: this.length + text.length, source, offset: start });
    // A comment at the end of the template must not swallow what follows.
    this.add(text, text.includes('//') ? '\n' : '');
  }
}

/** Texts with a separator between them. */
export const joined = (pieces: readonly Text[], separator: string): Text => {
  const text = new Text();
  for (const [k, piece] of pieces.entries()) text.add(k > 0 ? separator : '', piece);
  return text;
};
