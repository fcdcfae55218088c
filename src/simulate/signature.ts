/**
 * Modes that people ask for: `closed, not broken` gives values to conditions. A part is the label of a condition as it
 * stands in signatures, or `not` and a label; spaces do not count.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { nearest } from '../diagnostic/nearest.ts';
import type { Condition } from '../modes/guarded.ts';

export interface Wish {
  /** Values of the conditions that are named, by index. */
  readonly values: ReadonlyMap<number, boolean>;
  readonly diagnostics: readonly Diagnostic[];
}

export function readSignature(text: string, conditions: readonly Condition[]): Wish {
  const values = new Map<number, boolean>();
  const diagnostics: Diagnostic[] = [];
  for (const part of partsOf(text)) {
    const meant = readPart(part, conditions);
    if (meant.length === 0) diagnostics.push(unknown(part, conditions.filter(selects)));
    const literals = meant.filter(({ condition }) => selects(conditions[condition]!));
    if (literals.length === 0 && meant.length > 0) diagnostics.push(idle(conditions[meant[0]!.condition]!));
    for (const { condition, value } of literals) {
      const { label } = conditions[condition]!;
      if (values.get(condition) === !value)
        diagnostics.push(
          error('bad-option', `The mode \`${text}\` wants \`${label}\` to be true and false.`),
        );
      else values.set(condition, value);
    }
  }
  return { values, diagnostics };
}

/** States exclude each other, and all conditions matter only where what they choose between exists. */
export function impossible({ label }: Condition, signature: string): Diagnostic {
  return error('bad-option', `There is no mode \`${signature}\`: \`${label}\` is impossible in it.`, {
    hint: 'A machine is in one of its states at a time, and what lies inside a state or branch matters only while that is active.',
  });
}

const selects = ({ structural, constant }: Condition): boolean => structural && !constant;

/** Splits at commas outside brackets. */
function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if ('([{'.includes(c)) depth++;
    if (')]}'.includes(c)) depth--;
    if (c === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

interface Literal {
  readonly condition: number;
  readonly value: boolean;
}

/** The conditions that a part speaks of: the same one may be written at several places, with `not` or without. */
function readPart(part: string, conditions: readonly Condition[]): Literal[] {
  const positive = without(part);
  const opposites = positive === undefined ? [`not ${part}`, `not (${part})`] : [positive];
  const [same, opposite] = [[part], opposites].map((texts) => texts.map(bare)) as [string[], string[]];
  return conditions.flatMap(({ label }, condition): Literal[] => {
    if (same.includes(bare(label))) return [{ condition, value: true }];
    return opposite.includes(bare(label)) ? [{ condition, value: false }] : [];
  });
}

/** What stands behind `not`. */
function without(part: string): string | undefined {
  return /^not(?:\s+|(?=\())(.*)$/s.exec(part)?.[1];
}

/** Without spaces, and without brackets around the whole. */
function bare(text: string): string {
  const dense = text.replace(/\s+/g, '');
  let depth = 0;
  for (let i = 0; i < dense.length; i++) {
    if (dense[i] === '(') depth++;
    if (dense[i] === ')') depth--;
    if (depth === 0) return i > 0 && i === dense.length - 1 ? dense.slice(1, -1) : dense;
  }
  return dense;
}

function unknown(part: string, conditions: readonly Condition[]): Diagnostic {
  const labels = conditions.map(({ label }) => label);
  const name = without(part) ?? part;
  const meant = nearest(name, labels);
  const listed = labels.slice(0, 10).map((label) => `\`${label}\``);
  const hint =
    labels.length === 0
      ? 'The model has one mode only.'
      : `Modes differ in: ${listed.join(', ')}${labels.length > listed.length ? ', …' : ''}.`;
  return error('bad-option', `No mode of the model depends on \`${name}\`.`, {
    hint: meant ? `Did you mean \`${meant}\`?` : hint,
  });
}

function idle({ label, constant }: Condition): Diagnostic {
  const why = constant
    ? 'it depends on parameters alone'
    : 'the equations have the same structure either way';
  return error('bad-option', `The condition \`${label}\` selects no modes: ${why}.`, {
    ...(constant && {
      hint: 'Give the parameters other values.',
      commandHint: 'Give the parameters other values with `--set`.',
    }),
  });
}
