/** What the names of a text are, for colours: what a grammar of words alone cannot tell. */
import { shapeOf } from '../model/classes/shape.ts';
import type { Library } from '../model/library.ts';
import type { Document } from './document.ts';
import { type Meaning, typeOf } from './meaning.ts';
import { eachMention } from './mentions.ts';
import type { TextRange } from './places.ts';

export type NameKind =
  | 'package'
  | 'class'
  | 'type'
  | 'function'
  | 'parameter'
  | 'constant'
  | 'variable'
  | 'component'
  | 'connector'
  | 'literal'
  | 'iterator'
  | 'attribute'
  | 'built-in';

export interface ClassifiedName extends TextRange {
  readonly kind: NameKind;
  readonly declares: boolean;
}

/** The names of a text in their order; those that mean nothing are left out. */
export function namesIn(document: Document, library: Library): ClassifiedName[] {
  const found: ClassifiedName[] = [];
  eachMention(document, library, ({ from, to, role, meaning }) => {
    const known = meaning();
    if (known) found.push({ from, to, kind: kindOf(known), declares: role === 'declares' });
  });
  return found.sort((a, b) => a.from - b.from);
}

function kindOf(meaning: Meaning): NameKind {
  switch (meaning.kind) {
    case 'class': {
      const { restriction } = meaning.entity.definition;
      if (restriction === 'package' || restriction === 'type' || restriction === 'connector')
        return restriction;
      return /function|operator$/.test(restriction) ? 'function' : 'class';
    }
    case 'component': {
      const { variability } = meaning.component.clause;
      if (variability === 'parameter' || variability === 'constant') return variability;
      const type = typeOf(meaning.component);
      const shape = type && shapeOf(type.self);
      if (!shape || shape.predefined) return 'variable';
      return shape.restriction.endsWith('connector') ? 'connector' : 'component';
    }
    case 'literal':
    case 'iterator':
    case 'attribute':
      return meaning.kind;
    case 'builtin':
      return 'built-in';
    default:
      return meaning satisfies never;
  }
}
