/** Whether joints with flanges may become part of a loop, as far as names are known before the run. */
import type { Part } from '../../builtin/whole.ts';
import { rootIn } from '../../collections/forest.ts';
import { Names } from './names.ts';
import { classOf } from './parts.ts';

/**
 * True where a joint with a flange is on a ring of objects and joints, also of such joints that hold only sometimes, or where that is not known. What
 * is a ring does not change while a model runs; what of it holds may.
 */
export function mayCloseLoops(parts: readonly Part[]): boolean {
  const objects = parts.filter((part) => ['world', 'object'].includes(classOf(part).role));
  const names = new Names(new Map(objects.map(({ path }, k) => [path, k])), 'object');
  const edges: Edge[] = [];
  for (const part of parts) {
    const { role, drive } = classOf(part);
    const ends = role === 'joint' ? ['obj1', 'obj2'] : role === 'object' ? [undefined, 'parent'] : [];
    if (ends.length === 0 || (role === 'object' && part.known('fixed') === false)) continue;
    const [a, b] = ends.map((end) => (end === undefined ? objects.indexOf(part) : placeOf(part, end, names)));
    if (a === 'none' || b === 'none') continue;
    if (a === undefined || b === undefined) return drive !== undefined || hasDrives(parts);
    edges.push({ a: a as number, b: b as number, isDriven: drive !== undefined });
  }
  // What other joints hold together counts as one: then any ring is one of joints with flanges.
  const sets = objects.map((_, k) => k);
  for (const { a, b, isDriven } of edges) if (!isDriven) sets[rootIn(sets, a)] = rootIn(sets, b);
  return edges.some(({ a, b, isDriven }) => {
    if (!isDriven) return false;
    const [first, second] = [rootIn(sets, a), rootIn(sets, b)];
    sets[first] = second;
    return first === second;
  });
}

interface Edge {
  readonly a: number;
  readonly b: number;
  readonly isDriven: boolean;
}

const hasDrives = (parts: readonly Part[]): boolean => parts.some((part) => classOf(part).drive);

/** The object that a parameter names: 'none' where it names none, undefined where that is not known. */
function placeOf(part: Part, parameter: string, names: Names): number | 'none' | undefined {
  const name = part.known(parameter);
  if (typeof name !== 'string') return undefined;
  if (name === '') return 'none';
  return names.lookUp(part, name) ?? 'none';
}

/** True where the world says that contact is rigid, and something may touch, or where that is not known. */
export function mayTouchRigidly(parts: readonly Part[]): boolean {
  const world = parts.find((part) => classOf(part).role === 'world');
  return (
    world !== undefined &&
    world.known('rigidContact') !== false &&
    parts.filter((part) => classOf(part).role === 'object' && part.known('contact') !== false).length > 1
  );
}
