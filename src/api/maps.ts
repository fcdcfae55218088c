/** Merging of maps: two sets of changes become one that does what they do one after the other. */
import { isShortcut, type Problems } from './attributes.ts';
import { changed } from './merge.ts';
import { flat } from './sections.ts';
import type { Template } from './template.ts';
import {
  type Attributes,
  DEEPEST,
  type Item,
  type Items,
  isReserved,
  itemsOf,
  ModelData,
  type Modified,
  Redeclared,
  Variable,
} from './value.ts';

/** What the second map says of a name is merged with what the first says. */
export function mergeItems(first: Items, second: Items, problems: Problems, depth = 0): Items {
  // Any name may be one of a model, also those that objects inherit.
  const merged: Record<string, Item> = Object.assign(Object.create(null), first);
  for (const [name, item] of Object.entries(second)) {
    if (item === undefined) continue;
    const before = merged[name];
    // The order of attributes counts: `start` after `init` is another start value.
    delete merged[name];
    merged[name] = before === undefined ? item : mergeItem(name, before, item, problems, depth);
  }
  return merged;
}

function mergeItem(name: string, first: Item, second: Item, problems: Problems, depth: number): Item {
  if (depth > DEEPEST) {
    problems.add('cyclic-definition', `The changes of \`${name}\` contain themselves.`);
    return second;
  }
  if (isReserved(name)) return second === null ? null : (flat([first, second]) as readonly Template[]);
  if (first === null || second === null) return second;
  if (second instanceof Redeclared || second instanceof ModelData) return second;
  if (first instanceof Redeclared) return new Redeclared(mergeData(first.item, second, problems), first.kind);
  if (first instanceof ModelData) return mergeData(first, second, problems);
  if (isValue(first) && isValue(second)) return second;
  const merged = mergeItems(contentOf(first), contentOf(second), problems, depth + 1);
  return isMap(first) && isMap(second) ? merged : new Variable(merged as Attributes);
}

const isMap = (item: Item): boolean => itemsOf(item) !== undefined;

const isValue = (item: Item): boolean => !isMap(item) && !(item instanceof Variable) && !isShortcut(item);

/** An item as names with values; a value is that of a variable. */
function contentOf(item: Item): Items {
  if (item instanceof Variable) return item.attributes as Items;
  if (isShortcut(item)) return item.variable.attributes as Items;
  return itemsOf(item) ?? { value: item };
}

function mergeData<Data extends ModelData | Variable>(data: Data, item: Item, problems: Problems): Data {
  if (data instanceof Variable)
    return new Variable({ ...data.attributes, ...(contentOf(item) as Attributes) }) as Data;
  if (isMap(item)) return withChanged(data, changed(data, contentOf(item), problems)) as Data;
  problems.add('bad-binding', 'A component cannot have a value.');
  return data;
}

/** The same kind of thing with other data. */
export function withChanged(model: ModelData, { definition, changes }: Modified): ModelData {
  if (definition === model.definition && changes === model.changes) return model;
  return Object.assign(Object.create(Object.getPrototypeOf(model)), model, { definition, changes });
}
