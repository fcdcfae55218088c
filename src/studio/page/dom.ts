/**
 * Elements of the page in one expression:
 *
 *     make('button', { class: 'tool', title: 'Run', on: { click: run } }, icon('run'), 'Run')
 *
 * Text is always text: nothing here makes elements of it.
 */

export type Child = Node | string | number | undefined | false | readonly Child[];

export interface Properties {
  readonly class?: string;
  readonly on?: Readonly<Record<string, (event: never) => void>>;
  /** Attributes; undefined and false leave them out, true is an empty one. */
  readonly [attribute: string]: string | number | boolean | undefined | Properties['on'];
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'on')
      for (const [event, listener] of Object.entries(value as NonNullable<Properties['on']>))
        element.addEventListener(event, listener as EventListener);
    else setAttribute(element, name, value as string | number | boolean | undefined);
  }
  append(element, children);
  return element;
}

export function setAttribute(
  element: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

export function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child as readonly Child[]);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** Puts other children in place of those that an element has. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Text in which names stand between backquotes. */
export function marked(text: string): Child {
  return text.split('`').map((part, k) => (k % 2 === 1 ? make('code', {}, part) : part));
}

/** Paths of icons in a square of 16 by 16. */
const icons = {
  run: 'M4 2.5v11l9-5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  stop: 'M3.5 3.5h9v9h-9z',
  event: 'M2.5 3v10L9 8zM10 3h2.5v10H10z',
  file: 'M4 1.5h5l3.5 3.5v9.5H4zM9 1.5V5h3.5',
  folder: 'M1.5 3.5h4.5l1.5 2h7v7.5h-13z',
  add: 'M8 3v10M3 8h10',
  remove: 'M4 4l8 8M12 4l-8 8',
  undo: 'M6 4L2.5 7.5 6 11M3 7.5h7a3 3 0 010 6H7',
  command: 'M3 4l3.5 4L3 12M8.5 12H13',
  search: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.5 10.5L14 14',
  share:
    'M11 5.5L5.5 8 11 10.5M12 3.5a1.5 1.5 0 110 3 1.5 1.5 0 010-3zM4 6.5a1.5 1.5 0 110 3 1.5 1.5 0 010-3zM12 9.5a1.5 1.5 0 110 3 1.5 1.5 0 010-3z',
  theme: 'M8 2a6 6 0 100 12zM8 2a6 6 0 010 12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  settings: 'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 3v3M5.5 10v3',
  zoom: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  compare: 'M2 12c3 0 3-8 6-8s3 8 6 8M2 4c3 0 3 8 6 8s3-8 6-8',
  sweep: 'M2 13c4 0 6-3 12-10M2 13c5 0 7-1.5 12-6M2 13c5 0 8-.5 12-2',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  book: 'M8 3.5C6.5 2.3 4.5 2 2 2v10.5c2.5 0 4.5.3 6 1.5 1.5-1.2 3.5-1.5 6-1.5V2c-2.5 0-4.5.3-6 1.5zM8 3.5V14',
  error: 'M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM5.5 5.5l5 5M10.5 5.5l-5 5',
  warning: 'M8 2L1.5 13.5h13zM8 6.5v3.5M8 12h.01',
  info: 'M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM8 7v4M8 5h.01',
  save: 'M2.5 2.5h9l2 2v9h-11zM5 2.5v4h5v-4M5 13.5V9.5h6v4',
} as const;

export type IconName = keyof typeof icons;
const solid: ReadonlySet<IconName> = new Set(['run', 'pause', 'stop', 'event']);

export function icon(name: IconName): SVGElement {
  const svg = makeSvg('svg', {
    viewBox: '0 0 16 16',
    class: `icon ${solid.has(name) ? 'solid' : ''}`,
    'aria-hidden': 'true',
  });
  svg.append(makeSvg('path', { d: icons[name] }));
  return svg;
}

export function makeSvg(tag: string, attributes: Readonly<Record<string, string | number>> = {}): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** A button with an icon, whose name is said by screen readers and shown beside the pointer. */
export function iconButton(
  name: IconName,
  title: string,
  press: () => void,
  properties: Properties = {},
): HTMLButtonElement {
  return make(
    'button',
    { type: 'button', class: 'tool', title, 'aria-label': title, on: { click: press }, ...properties },
    icon(name),
  );
}

let ids = 0;

/** An id that no other element has. */
export const newId = (word: string): string => `${word}-${++ids}`;
