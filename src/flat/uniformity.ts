/**
 * Which arrays of components can be families (`flat/core/families.ts`), by the instances and their text; and arrays that cannot, written out.
 */
import { entityOf } from '../model/classes/class.ts';
import { builtInName } from '../model/classes/settings.ts';
import type { Instance, ObjectInstance } from '../model/instance.ts';
import { isExpandable } from '../model/types/connectors.ts';
import { mentionsState } from './behaviour/machines.ts';
import { partsOf } from './core/families.ts';
import { constraintOf } from './expressions/graph.ts';

/** The arrays whose elements have what only a single component can have. */
export function variousIn(root: ObjectInstance): ReadonlySet<ObjectInstance> {
  const various = new Set<ObjectInstance>();
  const stack: [object: ObjectInstance, around: readonly ObjectInstance[]][] = [[root, []]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [object, around] = next;
    if (around.length > 0 && isSingle(object)) for (const array of around) various.add(array);
    const inner = object.template ? [...around, object] : around;
    for (const part of partsOf(object))
      if (part.kind === 'object' && (part.inner || !part.outer)) stack.push([part, inner]);
  }
  return various;
}

/** Whether an object has algorithms, a state machine, code, overdetermined types, expandable connectors, or variables outside of it that it determines. */
function isSingle({ class: own, dims, sections, outerOutputs, members }: ObjectInstance): boolean {
  if (dims.length > 0) return false;
  return (
    (outerOutputs !== undefined && outerOutputs.size > 0) ||
    builtInName(entityOf(own)) !== undefined ||
    hasSingular(members.values()) ||
    sections.some(
      ({ section }) =>
        section.kind === 'algorithm' || (!section.initial && section.equations.some(mentionsState)),
    )
  );
}

/** The place of overdetermined types and records in the graph of connections, and what expandable connectors become, are those of a single component. */
function hasSingular(members: Iterable<Instance>): boolean {
  for (const member of members) if (constraintOf(member) || isExpandable(member)) return true;
  return false;
}

/** Writes out arrays, and those that have the same declarations: they will not be uniform either. Without `arrays`, all of them. */
export function writeOut(root: ObjectInstance, arrays?: Iterable<ObjectInstance>): void {
  const placeOf = ({ span }: ObjectInstance) => `${span.source.name} ${span.start}`;
  const places = arrays && new Set(Array.from(arrays, placeOf));
  if (places?.size === 0) return;
  const stack: Instance[] = [root];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.kind === 'variable') continue;
    if (!places || places.has(placeOf(next))) next.writeOut();
    for (const part of partsOf(next)) stack.push(part);
  }
}
