/** Texts of units that cannot be read, and units that results cannot be shown in. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { replaced } from '../../diagnostic/fix.ts';
import type { Span } from '../../diagnostic/source.ts';
import type { Bound } from '../../model/instance.ts';
import { readUnit, sameKind, unitOf } from '../../units/unit.ts';
import { type FlatBuilder, spanOf } from '../core/context.ts';
import type { FlatVariable } from '../flat.ts';

/** Each text, and each pair of texts, is told once. */
export function badUnits(builder: FlatBuilder, variables: readonly FlatVariable[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  const isNew = (text: string): boolean => text !== '' && !seen.has(text) && seen.add(text).size > 0;
  for (const [symbol, variable] of variables.entries()) {
    const { unit, displayUnit } = variable;
    if (isNew(unit)) found.push(...misspelt(builder, symbol, variable, 'unit'));
    if (displayUnit === '' || displayUnit === unit) continue;
    if (isNew(displayUnit)) found.push(...misspelt(builder, symbol, variable, 'displayUnit'));
    if (unit !== '' && isNew(`${unit} ${displayUnit}`)) found.push(...notShown(builder, symbol, variable));
  }
  return found;
}

function misspelt(
  builder: FlatBuilder,
  symbol: number,
  variable: FlatVariable,
  name: 'unit' | 'displayUnit',
): Diagnostic[] {
  const text = variable[name];
  const { problem, unit } = readUnit(text);
  if (!problem) return [];
  const { message, hint, instead, start, end } = problem;
  const bound = builder.instances[symbol]?.attributes.get(name);
  const { span } = variable.origin;
  const effect = unit
    ? ''
    : name === 'unit'
      ? ' Equations with it are not checked.'
      : ' Values are not shown in it.';
  return [
    warning('bad-unit', `\`${shortened(text)}\` is not a unit: ${message}.${effect}`, {
      span: bound ? partOf(bound, start, end) : span,
      hint,
      fix:
        bound && instead !== undefined && isWritten(bound)
          ? replaced(partOf(bound, start, end), instead)
          : undefined,
      notes: bound && span ? [{ message: `\`${variable.name}\` has it`, span }] : [],
    }),
  ];
}

function notShown(
  builder: FlatBuilder,
  symbol: number,
  { name, unit, displayUnit, origin }: FlatVariable,
): Diagnostic[] {
  const own = unitOf(unit);
  const shown = unitOf(displayUnit);
  if (!own || !shown || sameKind(own, shown)) return [];
  const bound = builder.instances[symbol]?.attributes.get('displayUnit');
  const message = `\`${name}\` is in \`${unit}\`, and cannot be shown in \`${displayUnit}\`, which measures something else.`;
  return [warning('unit-mismatch', message, { span: bound?.span ?? origin.span })];
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
const LONGEST = 40;

/** Whether a text is a literal that is written as it is. */
function isWritten({ value, scope }: Bound): boolean {
  if (value.kind !== 'string') return false;
  const { source, start, end } = spanOf(value, { scope });
  return source.text.slice(start + 1, end - 1) === value.value;
}

/** Characters of a text that is written as a literal; the whole value otherwise. */
function partOf(bound: Bound, start: number, end: number): Span {
  const { value, scope, span } = bound;
  if (value.kind !== 'string') return span;
  const whole = spanOf(value, { scope });
  const written = whole.source.text.slice(whole.start + 1, whole.end - 1);
  if (written !== value.value) return whole;
  const first = whole.start + 1 + start;
  return { source: whole.source, start: first, end: Math.max(first + 1, whole.start + 1 + end) };
}
