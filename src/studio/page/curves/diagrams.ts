/** Which curves are in which diagram: what a person does to them. */
import type { DiagramSpec, Store } from '../store.ts';
import { measureOf } from './pictures.ts';

/** An axis at the left, and one at the right. */
const MOST_MEASURES = 2;

/** Puts a signal into a diagram; where that has axes of two other measures, into a new one below it. Without a diagram, into one that measures the same. */
export function addSignal(store: Store, name: string, id?: number): void {
  const { diagrams } = store;
  const chosen = id ?? fitting(store, name);
  const diagram = diagrams.now.find((one) => one.id === chosen);
  store.isSuggested.set(false);
  if (diagram?.signals.includes(name)) return;
  if (!diagram || !hasRoom(store, diagram, name)) {
    const made = { id: nextId(diagrams.now), signals: [name] };
    const place = diagram ? diagrams.now.indexOf(diagram) + 1 : diagrams.now.length;
    diagrams.set(diagrams.now.toSpliced(place, 0, made));
    return;
  }
  replace(store, { ...diagram, signals: [...diagram.signals, name] });
}

export function removeSignal(store: Store, name: string, id: number): void {
  const diagram = store.diagrams.now.find((one) => one.id === id);
  if (!diagram) return;
  store.isSuggested.set(false);
  const signals = diagram.signals.filter((one) => one !== name);
  if (signals.length === 0) removeDiagram(store, id);
  else replace(store, { ...diagram, signals });
}

export function newDiagram(store: Store): void {
  const { diagrams } = store;
  store.isSuggested.set(false);
  diagrams.set([...diagrams.now, { id: nextId(diagrams.now), signals: [] }]);
}

export function removeDiagram(store: Store, id: number): void {
  store.isSuggested.set(false);
  store.diagrams.set(store.diagrams.now.filter((one) => one.id !== id));
}

/** Switches a curve off or on. */
export function toggleSignal(store: Store, name: string): void {
  const hidden = new Set(store.hidden.now);
  if (!hidden.delete(name)) hidden.add(name);
  store.hidden.set(hidden);
}

const replace = ({ diagrams }: Store, other: DiagramSpec): void =>
  diagrams.set(diagrams.now.map((one) => (one.id === other.id ? other : one)));

const nextId = (diagrams: readonly DiagramSpec[]): number =>
  1 + Math.max(-1, ...diagrams.map(({ id }) => id));

const measures = ({ run }: Store, names: readonly string[]): Set<string> =>
  new Set(names.flatMap((name) => run.now?.signal(name) ?? []).map(measureOf));

const hasRoom = (store: Store, { signals }: DiagramSpec, name: string): boolean =>
  measures(store, [...signals, name]).size <= MOST_MEASURES;

function fitting(store: Store, name: string): number | undefined {
  const signal = store.run.now?.signal(name);
  const empty = store.diagrams.now.find(({ signals }) => signals.length === 0);
  const same =
    signal && store.diagrams.now.find(({ signals }) => measures(store, signals).has(measureOf(signal)));
  return (empty ?? same)?.id;
}
