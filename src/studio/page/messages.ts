/** What is wrong with the text that is open, and what else there is to say of the model; a click shows the place, another one puts it right where that is known. */
import { LIBRARIES, type Message, type Place } from '../protocol.ts';
import { type Child, fill, icon, make, marked } from './dom.ts';
import { nameOf } from './explorer.ts';
import { problemsOf, type Store } from './store.ts';
import { texts } from './texts.ts';
import { perFrame, Value } from './value.ts';

/** More are not read. */
const MOST = 200;

export class Messages {
  readonly element = make('div', { class: 'messages', role: 'log', 'aria-label': texts.messages });

  /** How many of them are more than information. */
  readonly count = new Value(0);

  /** What is shown, as text. */
  private shown: string | undefined;

  constructor(
    private readonly store: Store,
    private readonly putRight: (fix: NonNullable<Message['fix']>) => void,
  ) {
    perFrame([store.messages, store.checked], () => this.draw());
  }

  private draw(): void {
    const problems = problemsOf(this.store);
    this.count.set(problems.filter(({ severity }) => severity !== 'info').length);
    const order = { error: 0, warning: 1, info: 2 };
    const sorted = problems.toSorted((a, b) => order[a.severity] - order[b.severity]).slice(0, MOST);
    const shown = JSON.stringify(sorted);
    // The same is often said again while a text is looked at: a button that is being pressed stays.
    if (shown === this.shown) return;
    this.shown = shown;
    if (sorted.length === 0) fill(this.element, make('p', { class: 'empty' }, texts.noMessages));
    else fill(this.element, make('ul', {}, ...sorted.map((message) => make('li', {}, this.row(message)))));
  }

  private row({ severity, text, hint, place, notes, fix }: Message): HTMLElement {
    return make(
      'div',
      { class: `message ${severity}` },
      icon(severity),
      make(
        'div',
        {},
        make('p', {}, this.placeLink(place), marked(text)),
        hint !== undefined && make('p', { class: 'hint' }, `${texts.hint}: `, marked(hint)),
        ...notes.map((note) => make('p', { class: 'note' }, this.placeLink(note.place), marked(note.text))),
        fix &&
          make(
            'button',
            { type: 'button', class: 'plain small', on: { click: () => this.putRight(fix) } },
            marked(fix.title),
          ),
      ),
    );
  }

  private placeLink(place: Place | undefined): Child {
    if (!place) return undefined;
    const inLibrary = place.file.startsWith(`${LIBRARIES}/`);
    const isKnown = inLibrary || this.store.files.now.some(({ path }) => path === place.file);
    const file = inLibrary ? place.file.slice(place.file.lastIndexOf('/') + 1) : nameOf(place.file);
    const words = `${file}:${place.line}:${place.column}`;
    if (!isKnown) return make('span', { class: 'place' }, words);
    return make(
      'button',
      {
        type: 'button',
        class: 'link place',
        title: inLibrary && place.file.slice(LIBRARIES.length + 1),
        on: { click: () => this.store.place.set({ ...place }) },
      },
      words,
    );
  }
}
