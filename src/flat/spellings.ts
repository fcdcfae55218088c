/** Texts of units that cannot be read, and units that results cannot be shown in. */
import { type Diagnostic, type Note, warning } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import type { Bound } from '../model/instance.ts';
import { readUnit } from '../units/unit.ts';
import { type Builder, contextOf, spanOf } from './context.ts';
import type { FlatVariable } from './flat.ts';

/** Each text is told once. */
export function badUnits(builder: Builder, variables: readonly FlatVariable[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const [symbol, variable] of variables.entries()) {
    for (const name of ['unit', 'displayUnit'] as const) {
      const text = variable[name];
      if (text === '' || seen.has(text)) continue;
      seen.add(text);
      const { problem, unit } = readUnit(text);
      if (!problem) continue;
      const { message, hint, start, end } = problem;
      const bound = builder.instances[symbol]?.attributes.get(name);
      const notes: Note[] = bound
        ? [{ message: `\`${variable.name}\` has it`, span: variable.origin.span! }]
        : [];
      const effect = unit ? '' : ' Equations with it are not checked.';
      found.push(
        warning('bad-unit', `\`${text}\` is not a unit: ${message}.${effect}`, {
          span: (bound && partOf(bound, start, end)) ?? variable.origin.span,
          hint,
          notes: notes.filter(({ span }) => span !== undefined),
        }),
      );
    }
  }
  return found;
}

/** Characters of a text that is written as a literal; the whole value otherwise. */
function partOf(bound: Bound, start: number, end: number): Span {
  const { value, scope, span } = bound;
  if (value.kind !== 'string') return span;
  const whole = spanOf(value, contextOf(scope, '', 'declaration'));
  const written = whole.source.text.slice(whole.start + 1, whole.end - 1);
  if (written !== value.value) return whole;
  const first = whole.start + 1 + start;
  return { source: whole.source, start: first, end: Math.max(first + 1, whole.start + 1 + end) };
}
