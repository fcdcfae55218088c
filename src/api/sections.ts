/** Equations and statements of a definition: reading, adding and taking away. */
import type { Problems } from './attributes.ts';
import { sectionOf, title } from './members.ts';
import { Template } from './template.ts';
import {
  type Definition,
  type Item,
  type ReservedName,
  type SectionName,
  sectionNames,
  type Written,
} from './value.ts';

/** A definition with what a change says of a reserved name: equations are added, and `null` takes away those before it. */
export function editSection(
  definition: Definition,
  name: ReservedName,
  item: Item,
  problems: Problems,
): Definition {
  const section = sectionNames.find((one) => one === name);
  if (!section || definition.kind === 'named') {
    const message = section
      ? `Equations cannot be added to ${title(definition)}, which is written in Modelica.`
      : `\`${name}\` cannot be merged.`;
    problems.add('bad-binding', message, 'Use a `Model` that extends it.');
    return definition;
  }
  const list = flat(item);
  const last = list.lastIndexOf(null);
  const kept = last < 0 ? definition : withoutSection(definition, section);
  const known = new Set(sectionOf(kept, section));
  const added = templatesIn(list.slice(last + 1), section, problems).filter((one) => !known.has(one));
  if (added.length === 0) return kept;
  return { ...kept, sections: { ...kept.sections, [section]: [...kept.sections[section], ...added] } };
}

function withoutSection(definition: Written, section: SectionName): Written {
  const bases = definition.extends.map((base) =>
    base.definition.kind === 'named'
      ? base
      : { ...base, definition: withoutSection(base.definition, section) },
  );
  return { ...definition, extends: bases, sections: { ...definition.sections, [section]: [] } };
}

const readings = {
  declarations: 'elements',
  equations: 'equations',
  connections: 'equations',
  initialEquations: 'equations',
  algorithm: 'statements',
  initialAlgorithm: 'statements',
} as const;

/** The templates that a section consists of; each is read to find its mistakes. */
export function templatesIn(item: unknown, section: keyof typeof readings, problems: Problems): Template[] {
  return flat(item).filter((template): template is Template => {
    if (!(template instanceof Template)) {
      return problems.add(
        'bad-binding',
        `\`${section}\` consists of something that is not a template.`,
        'Write it as modelica`…`, or as a list of such templates.',
      );
    }
    const found = template.problems(readings[section]);
    for (const problem of found) problems.list.push(problem);
    return found.length === 0;
  });
}

/** Lists in lists as one. */
export const flat = (item: unknown): readonly unknown[] => (Array.isArray(item) ? item.flat(8) : [item]);
