/**
 * What the Modelica Standard Library leaves to tools: classes of `ModelicaServices`, which its own classes inherit, have no equations there; a tool
 * gives them their meaning. Those of animations say by their variables what is to be seen.
 */
import { type ClassEntity, entityOf } from './class.ts';
import { findClass } from './lookup.ts';
import { basesOf } from './settings.ts';

/** What is seen of a component: a shape, an arrow, a surface; or the world, which says where up is. */
export type VisualKind = 'shape' | 'vector' | 'surface' | 'world';

const kinds: ReadonlyMap<string, VisualKind> = new Map([
  ['ModelicaServices.Animation.Shape', 'shape'],
  ['ModelicaServices.Animation.Vector', 'vector'],
  ['ModelicaServices.Animation.Surface', 'surface'],
  ['Modelica.Mechanics.MultiBody.World', 'world'],
]);

/** Of a class that is one of those, or inherits it. */
export function visualKind(entity: ClassEntity): VisualKind | undefined {
  const waiting = [entityOf(entity)];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const kind = kinds.get(next.path);
    if (kind) return kind;
    if (seen.has(next.path)) continue;
    seen.add(next.path);
    for (const base of basesOf(next.definition)) {
      const parent = findClass(next, base);
      if (parent) waiting.push(parent);
    }
  }
  return undefined;
}
