/** Whether joints with flanges may become part of a loop, as far as names are known before the run. */
import type { Part } from '../../builtin/whole.ts';
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
  return edges.some((edge) => edge.isDriven && isOnRing(edge, edges, objects.length));
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

/** Whether its two ends are joined without it. */
function isOnRing(edge: Edge, edges: readonly Edge[], count: number): boolean {
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (const other of edges) {
    if (other === edge) continue;
    neighbours[other.a]!.push(other.b);
    neighbours[other.b]!.push(other.a);
  }
  const seen = new Set([edge.a]);
  const open = [edge.a];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const next of neighbours[at]!) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  return seen.has(edge.b);
}
