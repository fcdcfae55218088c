/** Which classes can be simulated, and which can be the class of a component; each check gives what is wrong. */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { didYouMean, nearest } from '../../diagnostic/nearest.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from '../classes/class.ts';
import type { Modifier } from '../classes/modification.ts';
import type { Shape } from '../classes/shape.ts';
import type { ClassStore } from '../classes/store.ts';
import type { Instance, InstanceBase } from '../instance.ts';
import type { ObjectNode } from './node.ts';

const DEEPEST = 500;
/** So many objects of one class nested in each other, none of them conditional, can only be a class that contains itself. */
const DEEPEST_SAME = 20;

export function noSuchClass(library: ClassStore, name: string): Diagnostic {
  const hidden = library.byPath(name.split('.'));
  if (hidden)
    return error('duplicate-name', `\`${name}\` is a class, and a component of the same class as well.`, {
      span: hidden.span(hidden.definition.name),
      hint: 'Rename one of the two.',
    });
  const hint = didYouMean(nearestClass(library, name));
  return error('unknown-class', `There is no class \`${name}\`.`, { hint });
}

/** A class that a qualified name may mean: one of the innermost package that there is, or one of that name in a package. */
function nearestClass(library: ClassStore, name: string): string | undefined {
  const parts = name.split('.');
  let known = 0;
  while (known < parts.length && library.byPath(parts.slice(0, known + 1))) known++;
  const within = known > 0 ? library.byPath(parts.slice(0, known)) : undefined;
  if (within) {
    const near = nearest(parts[known]!, library.nestedNames(within));
    return near && [within.path, near, ...parts.slice(known + 1)].join('.');
  }
  const [first, ...rest] = parts;
  if (rest.length > 0) {
    const near = nearest(first!, library.topLevelNames());
    return near && [near, ...rest].join('.');
  }
  const packages = [
    ...library.classes,
    ...library.topLevelNames().flatMap((top) => library.topLevel(top) ?? []),
  ];
  const nested = packages.flatMap((given) =>
    library.nestedNames(given).map((own) => [own, `${given.path}.${own}`] as const),
  );
  const exact = nested.find(([own]) => own === name);
  if (exact) return exact[1];
  const paths = [...library.classes.map(({ path }) => path), ...library.topLevelNames()];
  const near = nearest(name, [...paths, ...nested.map(([own]) => own)]);
  return nested.find(([own]) => own === near && !paths.includes(own))?.[1] ?? near;
}

const models: readonly ast.Restriction[] = [
  'model',
  'block',
  'class',
  'record',
  'connector',
  'operator record',
];

export function notAModel(entity: ClassEntity, shape: Shape): Diagnostic | undefined {
  const { definition, path } = entity;
  const options = { span: entity.span(definition.name) };
  if (definition.partial)
    return error('no-model', `\`${path}\` is partial, so it cannot be simulated by itself.`, {
      ...options,
      hint: 'Choose a model that extends it.',
    });
  if (!shape.predefined && models.includes(shape.restriction)) return undefined;
  if (shape.predefined && models.includes(definition.restriction))
    return error(
      'no-model',
      `\`${path}\` is of a predefined type: it has no variables that could be simulated.`,
      {
        ...options,
        hint: 'Choose a model that has a component of this type.',
      },
    );
  const article = /^[aeio]/.test(definition.restriction) ? 'an' : 'a';
  return error('no-model', `\`${path}\` is ${article} ${definition.restriction}, not a model.`, options);
}

export function partialClass(
  { path }: ClassEntity,
  { partial }: Shape,
  base: InstanceBase,
): Diagnostic | undefined {
  if (!partial || base.outer) return undefined;
  return error('type-mismatch', `\`${base.path}\` has the partial class \`${path}\`.`, {
    span: base.span,
    hint: 'Use, or redeclare it to, a class that is not partial.',
  });
}

/** Whether an object, or one around it, is of a class. */
export function isWithin({ definition }: ClassEntity, owner: ObjectNode): boolean {
  for (let at: Instance | undefined = owner; at; at = at.parent)
    if (at.kind === 'object' && at.class.definition === definition) return true;
  return false;
}

/** A class that contains itself without end is found by the depth of its repetition. */
export function endlessNesting(
  entity: ClassEntity,
  base: InstanceBase,
  owner: ObjectNode,
): Diagnostic | undefined {
  let same = 0;
  for (let at: Instance | undefined = owner; at; at = at.parent) {
    if (at.kind === 'object' && at.dims.length === 0 && at.class.definition === entity.definition) same++;
  }
  if (same < DEEPEST_SAME && owner.depth < DEEPEST) return undefined;
  const message =
    same >= DEEPEST_SAME
      ? `The class \`${entity.path}\` contains itself.`
      : `Components are nested more than ${DEEPEST} deep.`;
  const code = same >= DEEPEST_SAME ? 'cyclic-definition' : 'limit-exceeded';
  const start = base.path.split('.').slice(0, 4).join('.');
  const hint = `Its components would be \`${start}\` and so on without end; a condition (\`if n > 0\`) ends them.`;
  return error(code, message, { span: base.span, hint });
}

/** What is wrong with a component that is a connector (sections 4.4.2 and 9.3). */
export function connectorProblem(
  shape: Shape,
  { variability }: ast.ComponentClause,
  modifier: Modifier | undefined,
  base: InstanceBase,
): Diagnostic | undefined {
  if (variability === 'parameter' || variability === 'constant')
    return error('bad-connector', `\`${base.path}\` is a connector, which cannot be a ${variability}.`, {
      span: base.span,
      hint: `Declare the variables in it as \`${variability}\`.`,
    });
  for (const { name, clause, lexical, declaration } of shape.components.values())
    if (clause.prefixes.outer || clause.prefixes.inner)
      return error(
        'bad-connector',
        `\`${name}\` is ${clause.prefixes.outer ? 'outer' : 'inner'}, which nothing in a connector can be.`,
        {
          span: lexical.span(declaration.name),
        },
      );
  return shape.restriction === 'expandable connector' ? expandableProblem(shape, modifier, base) : undefined;
}

/** What is wrong with a value of a component that is no record and no connector (section 4.4.2.1); `outside.ts` says it of values that are given to a run. */
export function valueProblem(
  { restriction }: Shape,
  modifier: Modifier | undefined,
  { path }: InstanceBase,
): Diagnostic | undefined {
  const value = modifier?.value;
  if (!value || value.outside || restriction.endsWith('record')) return undefined;
  return error('bad-binding', `\`${path}\` is a ${restriction}, which has no value of its own.`, {
    span: value.span,
    hint: 'Give values to its parameters and inputs: `M m(p = 1)`. Only variables, records and connectors have values.',
  });
}

/** What an expandable connector declares cannot be a flow by itself, and has no values from outside (section 9.1.3). */
function expandableProblem(
  { components }: Shape,
  modifier: Modifier | undefined,
  { path, span }: InstanceBase,
): Diagnostic | undefined {
  for (const { name, clause, lexical, declaration } of components.values()) {
    if (clause.connection === 'flow')
      return error(
        'bad-connector',
        `\`${path}.${name}\` is a flow, which an expandable connector cannot have.`,
        {
          span: lexical.span(declaration.name),
          hint: 'Put it, with its potential, into a connector of its own that the expandable connector contains.',
        },
      );
    const value = modifier?.children.get(name)?.value;
    if (value && clause.variability !== 'parameter' && clause.variability !== 'constant')
      return error(
        'bad-connector',
        `\`${path}.${name}\` is given a value, but it exists only where it is connected.`,
        {
          span: value.span ?? span,
          hint: 'Connect it with a component that gives the value.',
        },
      );
  }
  return undefined;
}
