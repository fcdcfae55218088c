/** The documentation of the model, or of a class that a link or the tree of libraries leads to. What others have written stands in a shadow tree, sanitised. */
import type { DocumentedClass } from '../../protocol.ts';
import { fill, iconButton, make } from '../dom.ts';
import { type Engine, loadScript } from '../engine.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';

/** Characters of a documentation; nobody reads more. */
const LONGEST = 500_000;
/** Milliseconds from the last change of the text to another look. */
const SOON = 500;

export class Documentation {
  readonly element = make('section', { class: 'documentation', 'aria-label': texts.documentation });
  private readonly head = make('header', { class: 'bar' });
  private readonly body = make('div', { class: 'words', tabindex: 0 });
  private readonly tree: ShadowRoot;
  /** Where links led to, the last one at the end; none for the model itself. */
  private trail: string[] = [];
  private round = 0;
  private timer = 0;

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
  ) {
    this.tree = this.body.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.tree.adoptedStyleSheets = [sheet];
    this.tree.addEventListener('click', (event) => this.follow(event as MouseEvent));
    this.element.append(this.head, this.body);
    store.model.follow(() => {
      this.trail = [];
      this.changed();
    });
    store.libraries.follow(() => this.changed());
    store.documenting.follow((wanted) => wanted && this.go(wanted.class));
  }

  shown(): void {
    void this.draw();
  }

  /** The text has changed. */
  changed(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.draw(), SOON);
  }

  private go(name: string): void {
    this.trail.push(name);
    void this.draw();
  }

  private async draw(): Promise<void> {
    const name = this.trail.at(-1) ?? this.store.model.now;
    if (this.element.offsetParent === null) return;
    const round = ++this.round;
    if (name === undefined) return this.show(undefined, texts.noDocumented);
    const of = { file: this.store.open.now, model: name };
    const loaded = loadScript('documentation.js').catch(() => {});
    const found = await this.engine.service.ask('documentation', of).catch(() => undefined);
    await loaded;
    if (round !== this.round) return;
    if (!found) return this.show(undefined, texts.noClass(name));
    this.show(found, '');
    await this.picture(of);
  }

  private show(found: DocumentedClass | undefined, words: string): void {
    fill(
      this.head,
      this.trail.length > 0 &&
        iconButton('undo', texts.back, () => {
          this.trail.pop();
          void this.draw();
        }),
      found && make('strong', {}, found.name),
      found && make('span', { class: 'unit' }, found.kind),
    );
    fill(
      this.tree as unknown as Element,
      words !== '' && make('p', { class: 'said' }, words),
      found?.description && make('p', { class: 'said' }, found.description),
      ...written(found?.info),
      found?.revisions && make('h2', {}, texts.revisions),
      ...written(found?.revisions),
      found && !found.info && make('p', { class: 'said' }, texts.noDocumentation),
    );
    for (const image of this.tree.querySelectorAll('img')) image.alt ||= image.dataset.address ?? '';
  }

  /** Pictures of libraries; those from elsewhere are not loaded, and their names stay. */
  private async picture(of: { readonly file: string | undefined; readonly model: string }): Promise<void> {
    const images = [...this.tree.querySelectorAll('img')].filter(({ dataset }) =>
      /^modelica:/i.test(dataset.address ?? ''),
    );
    if (images.length === 0) return;
    const addresses = images.map(({ dataset }) => dataset.address!);
    const found = await this.engine.service.ask('pictures', { ...of, addresses }).catch(() => []);
    for (const [k, image] of images.entries()) if (found[k] !== undefined) image.src = found[k];
  }

  /** Links to classes lead to their documentation, others to a page of their own. */
  private follow(event: MouseEvent): void {
    const link = (event.target as Element).closest('a');
    const address = link?.getAttribute('href');
    if (!address) return;
    event.preventDefault();
    const [, name] = /^modelica:\/*([^#/]+)/i.exec(address) ?? [];
    if (name !== undefined) this.go(unescaped(name));
    else if (address.startsWith('#')) this.tree.getElementById(address.slice(1))?.scrollIntoView();
    else if (/^https?:/i.test(address)) window.open(address, '_blank', 'noopener,noreferrer');
  }
}

/** A text as elements: HTML sanitised, all else as it is written. */
function written(text: DocumentedClass['info']): (Node | false | undefined)[] {
  if (!text) return [];
  const shown = text.text.slice(0, LONGEST);
  const sanitise = globalThis.mutaborSanitised;
  const isCut = text.text.length > LONGEST && make('p', { class: 'said' }, texts.documentationCut);
  return [text.html && sanitise ? sanitise(shown) : make('p', { class: 'plain' }, shown), isCut];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const STYLE = `
:host { display: block; overflow-wrap: anywhere; }
h1 { font-size: 1.35em; } h2, h3 { font-size: 1.15em; } h4, h5, h6 { font-size: 1em; }
p.said { color: var(--muted); margin-top: 0; } p.plain { white-space: pre-wrap; }
pre, code { font-family: var(--mono); font-size: 0.92em; } pre { overflow-x: auto; padding: 8px; background: var(--panel); border-radius: 6px; }
a { color: var(--accent); }
img { max-width: 100%; height: auto; background: #ffffff; border-radius: 4px; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { padding: 3px 8px; border: 1px solid var(--line); text-align: left; vertical-align: top; }
`;
