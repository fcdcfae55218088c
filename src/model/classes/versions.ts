/**
 * Versions of libraries, and what the annotation of a top-level class says of them (specification 3.6, section 18.8): its own `version`, the
 * libraries that it `uses`, and from which earlier versions a `conversion` leads to it.
 */
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { argumentsNamed } from '../../syntax/lazy.ts';

/** `uses(Name(version = "1.2"))`. */
export interface Use {
  readonly name: string;
  readonly version: string;
  readonly span: Span;
}

/** `from(version = {"1.0", "1.1"}, to = "2.0", script = "…", change = {…})`; without `to` it leads to the version at hand. */
export interface ConversionStep {
  readonly from: readonly string[];
  readonly to: string | undefined;
  readonly script: string | undefined;
  readonly changes: readonly ast.Expression[];
  readonly span: Span;
}

export function versionOf(definition: ast.ClassDef): string | undefined {
  return argumentsOf(definition, 'version').flatMap(textsOf)[0];
}

export function usesOf(definition: ast.ClassDef): Use[] {
  return argumentsOf(definition, 'uses')
    .flatMap(inside)
    .flatMap((item) => {
      const [version] = inside(item).flatMap((own) => (nameOf(own) === 'version' ? textsOf(own) : []));
      const span = { source: definition.source, start: item.start, end: item.end };
      return version === undefined ? [] : [{ name: nameOf(item), version, span }];
    });
}

/**
 * The steps that lead from a version of a library to the one at hand, none where they are the same or need no conversion; undefined where
 * the library knows no way.
 */
export function conversionFrom(definition: ast.ClassDef, version: string): ConversionStep[] | undefined {
  const { steps, none } = conversionsOf(definition);
  const own = versionOf(definition);
  const way: ConversionStep[] = [];
  let at = version;
  while (!(own !== undefined && sameVersion(at, own)) && !none.some((one) => sameVersion(one, at))) {
    const step = steps.find((one) => !way.includes(one) && one.from.some((from) => sameVersion(from, at)));
    if (!step) return undefined;
    way.push(step);
    if (step.to === undefined) break;
    at = step.to;
  }
  return way;
}

function conversionsOf(definition: ast.ClassDef): { none: string[]; steps: ConversionStep[] } {
  const none: string[] = [];
  const steps: ConversionStep[] = [];
  for (const item of argumentsOf(definition, 'conversion').flatMap(inside)) {
    if (nameOf(item) === 'noneFromVersion') none.push(...textsOf(item));
    if (nameOf(item) !== 'from') continue;
    const valuesOf = (name: string) => inside(item).filter((own) => nameOf(own) === name);
    const change = valuesOf('change').flatMap(({ modification }) => modification?.value ?? []);
    steps.push({
      from: valuesOf('version').flatMap(textsOf),
      to: valuesOf('to').flatMap(textsOf)[0],
      script: valuesOf('script').flatMap(textsOf)[0],
      changes: change.flatMap((list) =>
        list === 'break' ? [] : list.kind === 'array' ? list.elements : list,
      ),
      span: { source: definition.source, start: item.start, end: item.end },
    });
  }
  return { none, steps };
}

/** Builds of a version, `4.0.0+maint`, are the same version, and so are `4.0` and `4.0.0`. */
export const sameVersion = (a: string, b: string): boolean => a === b || compareVersions(a, b) === 0;

/** Negative where `a` is older: by its numbers, one after the other; `3.0 Beta 1` is older than `3.0` (section 18.8.1). */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let k = 0; k < Math.max(left.numbers.length, right.numbers.length); k++) {
    const difference = (left.numbers[k] ?? 0) - (right.numbers[k] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.rest === right.rest) return 0;
  if (left.rest === '' || right.rest === '') return left.rest === '' ? 1 : -1;
  return left.rest.localeCompare(right.rest, 'en', { numeric: true });
}

function partsOf(version: string): { numbers: number[]; rest: string } {
  const [, numbers = '', rest = ''] =
    /^((?:\d+(?:\.\d+)*)?)(.*)$/s.exec(version.replace(/\+.*/s, '').trim()) ?? [];
  return { numbers: numbers === '' ? [] : numbers.split('.').map(Number), rest: rest.trim() };
}

const argumentsOf = ({ body }: ast.ClassDef, name: string): ast.ElementModification[] =>
  argumentsNamed(body.kind === 'long' ? body.annotation : body.comment.annotation, name);

const inside = ({ modification }: ast.ElementModification): ast.ElementModification[] =>
  (modification?.arguments?.arguments ?? []).filter((item) => item.kind === 'modify');

const nameOf = ({ name }: ast.ElementModification): string => name.parts.map(({ text }) => text).join('.');

/** The strings that are a value, or the elements of one. */
function textsOf({ modification }: ast.ElementModification): string[] {
  const value = modification?.value;
  if (!value || value === 'break') return [];
  const list = value.kind === 'array' ? value.elements : [value];
  return list.flatMap((item) => (item.kind === 'string' ? [item.value] : []));
}
