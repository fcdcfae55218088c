/** Changes inside of annotations: one argument is put in or changed, all others stay as they are. */
import type * as ast from '../../syntax/ast.ts';
import type { TextChange } from '../../syntax/change.ts';
import { gapEnd, insertion, type Manner, replacement } from './text.ts';

/** Arguments with what follows their names; those with a value have it as text, others hold arguments. */
export type Wanted = readonly (readonly [name: string, value: string | Wanted])[];

/** The text of arguments, without the brackets around them. */
export const wantedText = (wanted: Wanted, manner: Manner): string =>
  wanted
    .map(([name, value]) =>
      typeof value === 'string' ? `${name}${manner.equals}${value}` : `${name}(${wantedText(value, manner)})`,
    )
    .join(manner.comma);

/** Puts arguments into an annotation, or a new annotation at `end` where there is none. */
export function annotate(
  text: string,
  annotation: ast.Annotation | undefined,
  end: number,
  wanted: Wanted,
  manner: Manner,
): TextChange[] {
  if (annotation) return setArguments(text, annotation.modification, wanted, manner);
  const blank = manner.comma === ',' ? ' ' : '';
  return [insertion(end, ` annotation${blank}(${wantedText(wanted, manner)})`)];
}

/** Gives arguments of a modification these values: those that are there are changed, others are added behind. */
export function setArguments(
  text: string,
  modification: ast.ClassModification,
  wanted: Wanted,
  manner: Manner,
): TextChange[] {
  const changes: TextChange[] = [];
  const missing: (readonly [string, string | Wanted])[] = [];
  for (const [name, value] of wanted) {
    const present = argumentOf(modification, name);
    if (!present) missing.push([name, value]);
    else changes.push(...changed(text, present, value, manner));
  }
  if (missing.length > 0) changes.push(addition(text, modification, wantedText(missing, manner), manner));
  return changes;
}

export function argumentOf(
  { arguments: list }: ast.ClassModification,
  name: string,
): ast.ElementModification | undefined {
  return list.find(
    (argument): argument is ast.ElementModification =>
      argument.kind === 'modify' && argument.name.parts.length === 1 && argument.name.parts[0]!.text === name,
  );
}

function changed(
  text: string,
  { name, modification }: ast.ElementModification,
  value: string | Wanted,
  manner: Manner,
): TextChange[] {
  if (typeof value !== 'string')
    return modification?.arguments
      ? setArguments(text, modification.arguments, value, manner)
      : [insertion(name.end, `(${wantedText(value, manner)})`)];
  const written = modification?.value;
  if (!written || written === 'break')
    return [insertion(modification?.end ?? name.end, `${manner.equals}${value}`)];
  return text.slice(written.start, written.end) === value ? [] : [replacement(written, value)];
}

/** More text behind the last argument of a list in brackets. */
export function addition(
  text: string,
  { start, arguments: list }: { readonly start: number; readonly arguments: readonly ast.Node[] },
  more: string,
  manner: Manner,
): TextChange {
  const last = list.at(-1);
  if (last) return insertion(last.end, `${manner.comma}${more}`);
  return insertion(gapEnd(text, start) + 1, more);
}
