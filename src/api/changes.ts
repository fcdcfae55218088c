/** Changes of names and layers of them: small persistent maps, edited by copying. */
import { type Change, type Changes, noChanges, type Value } from './value.ts';

/** Layers of changes of one model, the strongest last; they are replaced as they change. */
export type Layers = Changes[];

const unchanged: Change = { value: undefined, inside: noChanges };

/** Changes with another one for a name; an empty one is left out. */
export function withChange(changes: Changes, name: string, change: Change | undefined): Changes {
  const empty =
    !change ||
    (change.value === undefined && change.inside.size === 0 && !change.replacement && !change.member);
  if (empty && !changes.has(name)) return changes;
  const edited = new Map(changes);
  if (empty) edited.delete(name);
  else edited.set(name, change);
  return edited;
}

/** Puts a change into the strongest layer. */
export function setChange(layers: Layers, name: string, change: Change): void {
  layers.push(withChange(layers.pop()!, name, change));
}

/** Puts the value of a variable, or of one of its attributes, into the strongest layer. */
export function setAttribute(layers: Layers, name: string, key: string, value: Value): void {
  const before = layers.at(-1)!.get(name) ?? unchanged;
  setChange(layers, name, withAttribute(before, key, value));
}

/** Takes the value of a variable, or one of its attributes, out of all layers. */
export function dropAttribute(layers: Layers, name: string, key: string): void {
  for (const [k, layer] of layers.entries()) {
    const change = layer.get(name);
    if (change) layers[k] = withChange(layer, name, withAttribute(change, key, undefined));
  }
}

/** A change of a variable with another value of it, or of one of its attributes. */
function withAttribute(change: Change, key: string, value: Value | undefined): Change {
  if (key === 'value') return { ...change, value, member: undefined };
  return { ...change, inside: withChange(change.inside, key, { value, inside: noChanges }) };
}

/** Takes a name out of all layers. */
export function dropName(layers: Layers, name: string): void {
  for (const [k, layer] of layers.entries()) layers[k] = withChange(layer, name, undefined);
}

/** The layers of what is inside a name. */
export const layersInside = (layers: Layers, name: string): Layers =>
  layers.map((layer) => layer.get(name)?.inside ?? noChanges);

/** Puts layers of what is inside a name back into their places. */
export function putInside(layers: Layers, name: string, inside: Layers): void {
  for (const [k, layer] of layers.entries()) {
    const before = layer.get(name) ?? unchanged;
    if (inside[k] !== before.inside) layers[k] = withChange(layer, name, { ...before, inside: inside[k]! });
  }
}
