/** Changes of names and layers of them: small persistent maps, edited by copying. */
import { type Change, type Changes, noChanges, type Value } from './value.ts';

/** Layers of changes of one model, the strongest last; they are replaced as they change. */
export type Layers = Changes[];

/** Changes with another one for a name; an empty one is left out. */
export function withChange(changes: Changes, name: string, change: Change | undefined): Changes {
  const empty = !change || (change.value === undefined && change.inside.size === 0);
  if (empty && !changes.has(name)) return changes;
  const edited = new Map(changes);
  if (empty) edited.delete(name);
  else edited.set(name, change);
  return edited;
}

/** Puts the value of a variable, or of one of its attributes, into the strongest layer. */
export function setAttribute(layers: Layers, name: string, key: string, value: Value): void {
  const last = layers.length - 1;
  const { value: own, inside } = layers[last]!.get(name) ?? { value: undefined, inside: noChanges };
  const change =
    key === 'value'
      ? { value, inside }
      : { value: own, inside: withChange(inside, key, { value, inside: noChanges }) };
  layers[last] = withChange(layers[last]!, name, change);
}

/** Takes the value of a variable, or one of its attributes, out of all layers. */
export function dropAttribute(layers: Layers, name: string, key: string): void {
  for (const [k, layer] of layers.entries()) {
    const change = layer.get(name);
    if (!change) continue;
    const { value, inside } = change;
    const rest =
      key === 'value' ? { value: undefined, inside } : { value, inside: withChange(inside, key, undefined) };
    layers[k] = withChange(layer, name, rest);
  }
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
    const { value, inside: before } = layer.get(name) ?? { value: undefined, inside: noChanges };
    if (inside[k] !== before) layers[k] = withChange(layer, name, { value, inside: inside[k]! });
  }
}
