/** What is solved in a mode, as a list: each block with its unknowns, and its equations with the lines of the text that they stand in. */
import type { BlockEquation, BlockReport, EquationsReport, Place } from '../../protocol.ts';
import { type Child, make } from '../dom.ts';
import { nameOf } from '../explorer.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';

const words = texts.modeGraph;

/** So many aliases are listed. */
const MOST_ALIASES = 60;

export function blockList(store: Store, report: EquationsReport): HTMLElement {
  const { blocks, aliases, beside, blockCount, changed } = report;
  return make(
    'div',
    { class: 'solved' },
    changed.length > 0 && make('p', { class: 'stale', role: 'status' }, words.stale(changed.map(nameOf))),
    make('ol', { class: 'blocks' }, ...blocks.map((block, k) => blockItem(store, report, block, k))),
    blockCount > blocks.length &&
      make('p', { class: 'empty' }, texts.moreMatches(blockCount - blocks.length)),
    blockCount === 0 && make('p', { class: 'empty' }, words.nothingSolved),
    beside.length > 0 && make('p', { class: 'beside' }, words.beside(beside)),
    aliases.length > 0 &&
      make(
        'p',
        { class: 'aliases' },
        `${words.aliases} `,
        make(
          'code',
          {},
          aliases
            .slice(0, MOST_ALIASES)
            .map(({ name, target, sign }) => `${name} = ${sign < 0 ? '−' : ''}${target}`)
            .join(', '),
          aliases.length > MOST_ALIASES && ' …',
        ),
      ),
  );
}

function blockItem(store: Store, report: EquationsReport, block: BlockReport, number: number): HTMLElement {
  const { kind, discrete, steps, tears, unknowns, equations } = block;
  const classes = `block ${kind}${discrete ? ' discrete' : ''}`;
  const item = (...children: readonly Child[]): HTMLElement =>
    make('li', { class: classes, 'data-block': number, tabindex: -1 }, ...children);
  const step = ({ unknown, value }: BlockReport['steps'][number]): HTMLElement =>
    make('div', { class: 'step' }, make('code', {}, make('b', {}, unknown), ` := ${value}`));
  const places = equations.map((equation) => place(store, report, equation));
  if (kind === 'assignment')
    return item(
      make(
        'div',
        { class: 'line' },
        step(steps[0]!),
        discrete && make('span', { class: 'chip' }, words.atEvents),
        make('span', { class: 'places' }, ...places),
      ),
    );
  return item(
    make(
      'div',
      { class: 'line' },
      make('span', { class: 'chip' }, words.system(kind, unknowns.length)),
      make(
        'span',
        {},
        `${words.solvedFor(tears.length)} `,
        make('code', {}, make('b', {}, tears.join(', '))),
      ),
      discrete && make('span', { class: 'chip' }, words.atEvents),
    ),
    make(
      'ul',
      {},
      ...equations.map((equation, k) =>
        make('li', {}, make('code', {}, equation.text), make('span', { class: 'places' }, places[k])),
      ),
    ),
    steps.length > 0 &&
      make('div', { class: 'follows' }, make('span', {}, words.follows), ...steps.map(step)),
  );
}

/** The line of an equation, which a click shows in the editor, and how often it is differentiated. */
function place(
  store: Store,
  { changed }: EquationsReport,
  { place: at, differentiations }: BlockEquation,
): Child {
  const order =
    differentiations > 0 &&
    make(
      'span',
      { class: 'order', title: words.differentiated(differentiations) },
      make(
        'span',
        { 'aria-hidden': 'true' },
        differentiations === 1
          ? 'd/dt'
          : `d${superscript(differentiations)}/dt${superscript(differentiations)}`,
      ),
      make('span', { class: 'sr-only' }, words.differentiated(differentiations)),
    );
  return [order, at && lineOf(store, at, changed)];
}

function lineOf(store: Store, at: Place, changed: readonly string[]): HTMLElement {
  const isOpen = store.open.now === at.file;
  const shown = isOpen ? words.line(at.line) : `${nameOf(at.file).split('/').at(-1)}:${at.line}`;
  if (changed.includes(at.file)) return make('span', { class: 'place' }, shown);
  return make(
    'button',
    {
      type: 'button',
      class: 'link place',
      'aria-label': words.lineIn(shown, nameOf(at.file)),
      on: { click: () => store.place.set({ ...at }) },
    },
    shown,
  );
}

const superscript = (n: number): string =>
  [...String(n)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
