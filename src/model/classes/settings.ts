/**
 * Settings of this system that annotations carry. Those of classes, `annotation(__Mutabor(builtIn = "tank", uniform = true))`: a class has those of
 * the classes that it extends, unless it says otherwise. Those of variables: `Real E annotation(__Mutabor(conserved = true))`.
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { suggestion } from '../../diagnostic/nearest.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { argumentsNamed } from '../../syntax/lazy.ts';
import type { ClassEntity } from './class.ts';
import { findClass } from './lookup.ts';

/** Settings with the kind of literal that each of them is. */
type Kinds = Readonly<Record<string, 'string' | 'boolean' | 'hints'>>;
const kinds = { builtIn: 'string', uniform: 'boolean', instead: 'hints' } as const satisfies Kinds;
const variableKinds = {
  conserved: 'boolean',
  dissipated: 'boolean',
  potential: 'boolean',
} as const satisfies Kinds;

export interface Setting<Value> {
  readonly value: Value;
  readonly span: Span;
}

/** Whether the instances of a class are to be taken for uniform, however few, or never; undefined where nothing is said. */
export function markedUniform(entity: ClassEntity): boolean | undefined {
  return find(entity, 'uniform', new Set(), (setting) => {
    const value = written(setting);
    return value?.kind === 'boolean' ? value.value : undefined;
  })?.value;
}

/** The name of the code that the instances of a class are. */
export function builtInName(entity: ClassEntity): Setting<string> | undefined {
  return find(entity, 'builtIn', new Set(), textOf);
}

/** What to use in place of an element that people may look for in a class: `instead(locked = "Use a `Brake`.")`. */
export function insteadOf(entity: ClassEntity, element: string): string | undefined {
  return find(entity, 'instead', new Set(), (setting) => {
    const hint = hintsIn(setting).find(({ name }) => name.parts[0]?.text === element);
    return hint && textOf(hint);
  })?.value;
}

const hintsIn = (setting: ast.ElementModification): ast.ElementModification[] =>
  (setting.modification?.arguments?.arguments ?? []).filter((hint) => hint.kind === 'modify');

function written({ modification }: ast.ElementModification): ast.Expression | undefined {
  const value = modification?.value;
  return value === 'break' ? undefined : value;
}

function textOf(setting: ast.ElementModification): string | undefined {
  const value = written(setting);
  return value?.kind === 'string' ? value.value : undefined;
}

function find<Value>(
  entity: ClassEntity,
  name: keyof typeof kinds,
  seen: Set<ast.ClassDef>,
  read: (setting: ast.ElementModification) => Value | undefined,
): Setting<Value> | undefined {
  const { definition } = entity;
  if (seen.has(definition)) return undefined;
  seen.add(definition);
  for (const setting of settingsIn(annotationOf(definition))) {
    const value = setting.name.parts[0]?.text === name ? read(setting) : undefined;
    if (value !== undefined) return { value, span: entity.span(setting) };
  }
  for (const base of basesOf(definition)) {
    const parent = findClass(entity, base);
    const inherited = parent && find(parent, name, seen, read);
    if (inherited) return inherited;
  }
  return undefined;
}

/** What the annotation of a variable says of its value over a run: it is conserved, or does not grow. */
export function markedKept(annotation: ast.Annotation | undefined): 'conserved' | 'dissipated' | undefined {
  if (marked(annotation, 'conserved')) return 'conserved';
  return marked(annotation, 'dissipated') ? 'dissipated' : undefined;
}

/** Whether a variable is said to be the potential of a connector, although it is in none. */
export const markedPotential = (annotation: ast.Annotation | undefined): boolean =>
  marked(annotation, 'potential');

function marked(annotation: ast.Annotation | undefined, name: keyof typeof variableKinds): boolean {
  return settingsIn(annotation).some((setting) => {
    const value = written(setting);
    return setting.name.parts[0]?.text === name && value?.kind === 'boolean' && value.value;
  });
}

/** How many continuous derivatives the annotation of a function promises (Modelica 3.6, section 18.3). */
export function smoothOrder(definition: ast.ClassDef): number | undefined {
  const value = annotated(annotationOf(definition), 'smoothOrder');
  return value?.kind === 'number' ? value.value : undefined;
}

/**
 * Whether the annotation of a function asks to write its calls out (Modelica 3.6, section 12.8), and whether relations in it then
 * cause events, which `GenerateEvents` demands; undefined where it says nothing. What is to be written out after differentiation is so at once: its derivative is
 * that of the formula.
 */
export function inlining(definition: ast.ClassDef): 'demanded' | 'events' | 'silent' | 'never' | undefined {
  const annotation = annotationOf(definition);
  const flag = (name: string): boolean | undefined => {
    const value = annotated(annotation, name);
    return value?.kind === 'boolean' ? value.value : undefined;
  };
  const events = flag('GenerateEvents');
  const inline = flag('Inline');
  if (events) return 'demanded';
  if (inline) return events === false ? 'silent' : 'events';
  if (inline === false) return 'never';
  const late = flag('LateInline') || flag('InlineAfterIndexReduction');
  return late ? 'silent' : undefined;
}

/** `annotation(derivative(order = 2, zeroDerivative = k, noDerivative = a) = f)`. */
export interface DerivativeAnnotation {
  readonly at: ast.ElementModification;
  readonly fn: ast.ComponentRef;
  readonly order: number;
  /** Names of inputs that must be constant. */
  readonly constant: readonly string[];
  /** Names of inputs whose derivatives are left out. */
  readonly ignored: readonly string[];
}

/** The functions that compute the derivatives of a function, by preference (Modelica 3.6, section 12.7.1). */
export function derivativeAnnotations(definition: ast.ClassDef): DerivativeAnnotation[] {
  return argumentsNamed(annotationOf(definition), 'derivative').flatMap((at) => {
    const fn = written(at);
    if (fn?.kind !== 'ref') return [];
    const named = (name: string): ast.Expression[] =>
      hintsIn(at).flatMap((hint) => (hint.name.parts[0]?.text === name ? (written(hint) ?? []) : []));
    const inputs = (name: string): string[] =>
      named(name).flatMap((value) => (value.kind === 'ref' ? [value.parts[0]!.name] : []));
    const [order] = named('order');
    return [
      {
        at,
        fn,
        order: order?.kind === 'number' ? order.value : 1,
        constant: inputs('zeroDerivative'),
        ignored: inputs('noDerivative'),
      },
    ];
  });
}

/** `annotation(inverse(u = f_inv(y, v)))`: an input, and the call that gives it. */
export interface InverseAnnotation {
  readonly input: string;
  readonly call: ast.Call;
}

/** The calls that compute inputs of a function from its output (Modelica 3.6, section 12.8). */
export function inverseAnnotations(definition: ast.ClassDef): InverseAnnotation[] {
  return argumentsNamed(annotationOf(definition), 'inverse').flatMap((at) =>
    hintsIn(at).flatMap((hint) => {
      const call = written(hint);
      return call?.kind === 'call' && hint.name.parts.length === 1
        ? [{ input: hint.name.parts[0]!.text, call }]
        : [];
    }),
  );
}

/** False where an annotation says that values are differences, so that units with another zero do not shift them (section 18.6). */
export function absoluteValue(annotation: ast.Annotation | undefined): boolean | undefined {
  const value = annotated(annotation, 'absoluteValue');
  return value?.kind === 'boolean' ? value.value : undefined;
}

/** What a class says to those who forget to declare a component of it `inner` (section 18.7). */
export function missingInnerMessage(definition: ast.ClassDef): string | undefined {
  const value = annotated(annotationOf(definition), 'missingInnerMessage');
  return value?.kind === 'string' ? value.value : undefined;
}

/** Whether a variable is to be left out of results. */
export function markedHidden(annotation: ast.Annotation | undefined): boolean {
  const value = annotated(annotation, 'HideResult');
  return value?.kind === 'boolean' && value.value;
}

/** The value of a standard annotation. */
function annotated(annotation: ast.Annotation | undefined, name: string): ast.Expression | undefined {
  for (const argument of argumentsNamed(annotation, name)) {
    const value = written(argument);
    if (value) return value;
  }
  return undefined;
}

/** Settings of a class that mean nothing. */
export function settingProblems(entity: ClassEntity): Diagnostic[] {
  const settings = settingsIn(annotationOf(entity.definition));
  return settings.flatMap((setting) => problems(setting, kinds, entity.span(setting)));
}

/** Settings of a variable that mean nothing; `span` is its declaration. */
export function variableSettingProblems(annotation: ast.Annotation | undefined, span: Span): Diagnostic[] {
  return settingsIn(annotation).flatMap((setting) => problems(setting, variableKinds, span));
}

function problems(setting: ast.ElementModification, known: Kinds, span: Span): Diagnostic[] {
  const name = setting.name.parts.map(({ text }) => text).join('.');
  const names = Object.keys(known);
  if (!Object.hasOwn(known, name)) {
    const hint = suggestion(name, names) ?? `There are ${names.map((n) => `\`${n}\``).join(' and ')}.`;
    const message = `\`__Mutabor\` has no setting \`${name}\`: it is ignored.`;
    return [warning('unknown-modifier', message, { span, hint })];
  }
  const kind = known[name]!;
  if (kind === 'hints') {
    const hints = hintsIn(setting);
    if (hints.length > 0 && hints.every((hint) => textOf(hint) !== undefined)) return [];
  } else if (written(setting)?.kind === kind) return [];
  const wanted = wantedTexts[kind];
  const message = `The setting \`${name}\` of \`__Mutabor\` ${wanted}: it is ignored.`;
  return [warning('type-mismatch', message, { span })];
}

const wantedTexts = {
  boolean: 'must be `true` or `false`',
  string: 'must be a string',
  hints: 'must hold names with strings',
};

function settingsIn(annotation: ast.Annotation | undefined): ast.ElementModification[] {
  return argumentsNamed(annotation, '__Mutabor').flatMap(hintsIn);
}

/** The annotation of a class itself. */
export function annotationOf({ body }: ast.ClassDef): ast.Annotation | undefined {
  return body.kind === 'long' ? body.annotation : body.comment.annotation;
}

/** Classes that a class extends. */
export function basesOf({ body }: ast.ClassDef): readonly ast.Name[] {
  if (body.kind === 'short') return [body.base];
  if (body.kind !== 'long') return [];
  return body.sections.flatMap((section) =>
    section.kind === 'elements'
      ? section.elements.flatMap((element) => (element.kind === 'extends' ? [element.base] : []))
      : [],
  );
}
