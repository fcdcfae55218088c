/** What a definition has, together with what it inherits. */
import { remember } from '../collections/memo.ts';
import { type Declared, declared } from './declared.ts';
import type { Template } from './template.ts';
import type { Definition, Experiment, Member, Modified, SectionName } from './value.ts';

/** A member by its name, own or inherited. */
export function memberOf(definition: Definition, name: string): Member | undefined {
  if (definition.kind === 'named') return undefined;
  const own = definition.members.get(name);
  if (own) return own;
  for (const base of definition.extends) {
    const inherited = memberOf(base.definition, name);
    if (inherited) return inherited;
  }
  return undefined;
}

const depths = new WeakMap<Definition, number>();

/** The length of the longest chain of models that a definition extends. */
export function depthOf(definition: Definition): number {
  if (definition.kind === 'named') return 0;
  return remember(depths, definition, () =>
    definition.extends.reduce((most, base) => Math.max(most, depthOf(base.definition) + 1), 0),
  );
}

/** The names of all members, those that are inherited first. */
export function memberNames(definition: Definition): string[] {
  if (definition.kind === 'named') return Object.keys(definition.members ?? {});
  const inherited = definition.extends.flatMap((base) => memberNames(base.definition));
  return [...inherited, ...definition.members.keys()];
}

/** Whether something of this name may be declared in Modelica: in a template, or in a class of a library. */
export function isInModelica(definition: Definition, name: string): boolean {
  if (definition.kind === 'named') return !definition.members || Object.hasOwn(definition.members, name);
  const { declarations, extends: bases } = definition;
  return (
    declarations.some((template) => template.declares(name)) ||
    bases.some((base) => isInModelica(base.definition, name))
  );
}

/** What a class of a library, or one that is inherited, declares under a name, where that is known. */
export function declaredIn(definition: Definition, name: string): Declared | undefined {
  if (definition.kind === 'written') {
    for (const base of definition.extends) {
      const found = declaredIn(base.definition, name);
      if (found) return found;
    }
    return undefined;
  }
  const { members } = definition;
  return members && Object.hasOwn(members, name) ? declared(members[name]!) : undefined;
}

/** Whether classes of Modelica libraries are inherited, whose names nobody knows here. */
export function inheritsModelica(definition: Definition): boolean {
  if (definition.kind === 'named') return false;
  return definition.extends.some(
    (base) => base.definition.kind === 'named' || inheritsModelica(base.definition),
  );
}

/** The templates of a section with those that are inherited. */
export function sectionOf(definition: Definition, section: SectionName): Template[] {
  if (definition.kind === 'named') return [];
  const inherited = definition.extends.flatMap((base) => sectionOf(base.definition, section));
  return [...inherited, ...definition.sections[section]];
}

/** How a model is simulated; what extends it is simulated in the same way unless it says otherwise. */
export const experimentOf = ({ definition }: Modified): Experiment | undefined =>
  definition.kind === 'written' ? definition.experiment : undefined;

/** A definition in messages. */
export const title = (definition: Definition): string =>
  definition.name === undefined ? 'the model' : `\`${definition.name}\``;
