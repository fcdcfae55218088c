/** What all trees and lists of the page have in common: fields that search in them, and keys that go through them. */
import { type Child, fill, make } from './dom.ts';

/** A field for words that are searched for. */
export const searchField = (label: string, changed: () => void): HTMLInputElement =>
  make('input', { type: 'search', placeholder: label, 'aria-label': label, on: { input: changed } });

/** The items of a tree that are seen, from top to bottom. */
export const itemsIn = (tree: HTMLElement): HTMLElement[] => [
  ...tree.querySelectorAll<HTMLElement>('[role=treeitem]'),
];

/** Puts items into a tree, or words that say why it has none: then it is no tree. */
export function fillTree(tree: HTMLElement, ...rows: readonly Child[]): void {
  fill(tree, ...rows);
  tree.setAttribute('role', tree.querySelector('[role=treeitem]') ? 'tree' : 'group');
}

export interface TreeActions {
  /** Opens or closes an item that has others. */
  toggle(item: HTMLElement): void;
  /** What Enter does with an item; false where it opens or closes it. */
  enter(item: HTMLElement): boolean;
}

/** Keys as trees have them: arrows, Home and End go from item to item, Enter and the space bar act. */
export function listenKeys(tree: HTMLElement, { toggle, enter }: TreeActions): void {
  tree.addEventListener('keydown', (event) => {
    const items = itemsIn(tree);
    const place = items.indexOf(event.target as HTMLElement);
    const item = items[place];
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = item.getAttribute('aria-expanded');
    const level = Number(item.getAttribute('aria-level'));
    const go = (to: HTMLElement | undefined): void => to?.focus();
    if (event.key === 'ArrowDown') go(items[place + 1]);
    else if (event.key === 'ArrowUp') go(items[place - 1]);
    else if (event.key === 'Home') go(items[0]);
    else if (event.key === 'End') go(items.at(-1));
    else if (event.key === 'ArrowRight' && isOpen === 'false') toggle(item);
    else if (event.key === 'ArrowRight' && isOpen === 'true') go(items[place + 1]);
    else if (event.key === 'ArrowLeft' && isOpen === 'true') toggle(item);
    else if (event.key === 'ArrowLeft')
      go(items.slice(0, place).findLast((other) => Number(other.getAttribute('aria-level')) < level));
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    else if (!(event.key === 'Enter' && enter(item)) && isOpen !== null) toggle(item);
    event.preventDefault();
  });
}
