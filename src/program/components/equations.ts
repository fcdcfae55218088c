/**
 * Built-in components that stand in a model with their equations. Their outputs come from states and cannot be differentiated nor inverted; where
 * the structure of a mode asks for that, and a component has equations that say the same, these take the place of its code (`Needs`), and everything
 * is done once more from the beginning. Arrays that stay arrays are such a component, too; their equations are scalars.
 */
import { type Diagnostic, diagnostic, error, type Note } from '../../diagnostic/diagnostic.ts';
import { lowered } from '../../diagnostic/words.ts';
import type { FlatComponent, FlatModel } from '../../flat/flat.ts';
import type { GuardedModel } from '../../modes/guarded.ts';

/** Paths of the components whose equations are used. */
export type WrittenPaths = ReadonlySet<string>;

/** With what work has to begin again. */
export interface Needs {
  /** All arrays written out as scalars. */
  readonly scalars: boolean;
  /** Paths of components whose equations take the place of their code. */
  readonly equations: readonly string[];
}

/** What users are told of components that are not used as code. */
export function writtenNotes({ components }: FlatModel, written: WrittenPaths): Diagnostic[] {
  return components.flatMap((component) =>
    written.has(component.path)
      ? [
          diagnostic(
            'info',
            'component-equations',
            `${titleOf(component)} is used with its equations instead of its code: its outputs have to be differentiated or are determined by other equations too.`,
            { span: component.origin.span },
          ),
        ]
      : [],
  );
}

/** Components whose outputs are among equations that a mode cannot use as they are; what joins parts to a whole is not looked at. */
export function blamedComponents({ components }: GuardedModel, equations: readonly number[]): Blamed[] {
  const wanted = new Set(equations);
  return components.flatMap(({ flat, outputs }) => {
    const names = flat.outputs.flatMap(({ name, value }, k) => {
      if (value.kind === 'ref' && flat.whole?.symbols.has(value.symbol)) return [];
      const { firstEquation, length } = outputs[k]!;
      for (let e = 0; e < length; e++)
        if (wanted.has(firstEquation + e)) return [flat.path === '' ? name : `${flat.path}.${name}`];
      return [];
    });
    return names.length > 0 ? [{ component: flat, outputs: names }] : [];
  });
}

export interface Blamed {
  readonly component: FlatComponent;
  /** Names of the outputs. */
  readonly outputs: readonly string[];
}

/**
 * Outputs that would have to be differentiated or inverted; `causes` is what structural analysis says, `connections` what brings the
 * outputs together.
 */
export function withoutDerivatives(
  blamed: readonly Blamed[],
  causes: readonly Diagnostic[],
  connections: readonly Note[],
): Diagnostic {
  const outputs = blamed.flatMap((b) => b.outputs).join(', ');
  const [first] = blamed as [Blamed];
  const several = blamed.length > 1;
  const isDifferentiated = causes.some(({ code }) => code === 'not-differentiable');
  const own = several ? undefined : inParts(first, isDifferentiated, connections);
  if (own) return own;
  const who = several
    ? `the built-in components ${blamed.map(({ component }) => nameOf(component)).join(' and ')}`
    : lowered(titleOf(first.component));
  const clash = several
    ? `other equations tie ${outputs} together`
    : isDifferentiated
      ? `the derivative of ${outputs} is needed`
      : `other equations determine ${outputs} as well`;
  const message = `Outputs of ${who} follow from hidden states and can neither be differentiated nor inverted, but ${clash}.`;
  return error('not-differentiable', message, {
    span: first.component.origin.span,
    notes: [
      ...connections,
      ...causes.flatMap(({ message, notes }) => (notes.length > 0 ? notes : [{ message }])),
    ],
    hint: several
      ? 'Put something between the components that lets their outputs differ, such as a resistance or a spring, or give them `equations`.'
      : (first.component.builtIn.instead?.(first.outputs[0]!, isDifferentiated ? 'derivative' : 'value') ??
        'Put something between the component and what determines its output, such as a resistance or a spring, or give it `equations`.'),
  });
}

/** The same for parts of a whole that knows what to use instead: models do not speak of the whole. */
function inParts(
  { component: { builtIn, whole, origin }, outputs }: Blamed,
  isDifferentiated: boolean,
  notes: readonly Note[],
): Diagnostic | undefined {
  if (!whole || !builtIn.instead) return undefined;
  const [first] = outputs as [string];
  const names = outputs.map((name) => `\`${name}\``).join(', ');
  const message = isDifferentiated
    ? `${names} cannot be differentiated: it is no equation of the model that gives ${outputs.length > 1 ? 'them' : 'it'}.`
    : `${names} cannot be given by equations: ${outputs.length > 1 ? 'they are results' : 'it is a result'} of the motion.`;
  return error('not-differentiable', message, {
    span: whole.parts.find(({ path }) => first.startsWith(`${path}.`))?.origin.span ?? origin.span,
    notes,
    hint: builtIn.instead(first, isDifferentiated ? 'derivative' : 'value'),
  });
}

/** How messages speak of a component. */
export function titleOf({ path, builtIn }: FlatComponent): string {
  return path === ''
    ? `The built-in component "${builtIn.name}"`
    : `The built-in component ${path} ("${builtIn.name}")`;
}

function nameOf({ path, builtIn }: FlatComponent): string {
  return path === '' ? `"${builtIn.name}"` : path;
}
