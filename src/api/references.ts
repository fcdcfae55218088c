/**
 * Members that name each other. In Modelica some components name others by texts (`parent = "arm"`); here they may be given the other one itself:
 *
 *     const arm = Object3D();
 *     Model({ arm, hand: Box({ parent: arm }) });      // parent = "arm"
 *
 * What it is called is known when both are members of one model.
 */
import { Failure } from '../diagnostic/failure.ts';
import type { Problems } from './attributes.ts';
import { withChange } from './changes.ts';
import { withChanged } from './maps.ts';
import { type Changes, type Item, ModelData, Redeclared } from './value.ts';

/** The members of a model, as they were given, with their names. */
export type Siblings = ReadonlyMap<Item, readonly string[]>;

/** Something of a model with the names of the members that it is given. */
export function withNamesIn(item: Item, owner: string, siblings: Siblings, problems: Problems): Item {
  if (item instanceof Redeclared) {
    const inner = withNamesIn(item.item, owner, siblings, problems) as typeof item.item;
    return inner === item.item ? item : new Redeclared(inner, item.kind);
  }
  if (!(item instanceof ModelData)) return item;
  const { definition } = item;
  return withChanged(item, { definition, changes: withNames(item.changes, `${owner}.`, siblings, problems) });
}

/** Changes with the names of the members that they are given; `prefix` leads to what they change. */
export function withNames(changes: Changes, prefix: string, siblings: Siblings, problems: Problems): Changes {
  let named = changes;
  for (const [name, { member, ...change }] of changes) {
    if (!member) continue;
    const value = nameOf(member, `\`${prefix}${name}\``, siblings, problems);
    named = withChange(named, name, { ...change, value });
  }
  return named;
}

function nameOf(member: ModelData, what: string, siblings: Siblings, problems: Problems): string {
  const [name, ...others] = siblings.get(member) ?? [];
  if (name === undefined)
    problems.add(
      'unknown-name',
      `${what} is given something that is not a member of the model.`,
      "Make it a member as it is, or give its name as a text: `'arm.hand'`.",
    );
  else if (others.length > 0)
    problems.add(
      'duplicate-name',
      `${what} is given something that is a member by several names: ${[name, ...others].join(', ')}.`,
      'Give one of the names as a text.',
    );
  else if (member.attributes.size !== undefined)
    problems.add(
      'bad-binding',
      `${what} is given \`${name}\`, which is an array.`,
      `Give the name of an element as a text: \`'${name}[1]'\`.`,
    );
  return name ?? '';
}

/** What is wrong with a change that was given a member of no model. */
export const unnamed = (name: string): Failure =>
  Failure.of('syntax', 'unknown-name', `\`${name}\` is given a component instead of its name.`, {
    hint: "Only members of one `Model` can name each other in this way; elsewhere give a text: `'arm.hand'`.",
  });
