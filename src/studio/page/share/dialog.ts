/** The dialog in which a person shares: a link, files, and links of others. */
import { choose } from '../dialog.ts';
import { type Child, fill, icon, iconButton, make } from '../dom.ts';
import type { Engine } from '../engine.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import type { Workspace } from '../workspace.ts';
import { download, FileProblem, fileNameOf, type OfferedFile, offeredFiles } from './files.ts';
import { addressOf, type Gathered, gather, isPublic, LONG_LINK } from './gather.ts';
import type { Opening } from './opening.ts';

const words = texts.sharing;

export class Sharing {
  readonly button: HTMLButtonElement;

  constructor(
    private readonly store: Store,
    private readonly workspace: Workspace,
    private readonly engine: Engine,
    private readonly opening: Opening,
  ) {
    this.button = iconButton('share', texts.share, () => void this.ask());
  }

  async ask(): Promise<void> {
    const link = make(
      'section',
      {},
      make('h3', {}, words.link),
      make('p', { class: 'empty' }, words.packing),
    );
    const files = make('section', {}, make('h3', {}, words.files), this.files());
    const closed = choose(texts.share, make('div', { class: 'sharing' }, link, files, this.opener()), [
      { value: 'close', title: texts.close },
    ]);
    const gathered = await gather(this.store, this.workspace, this.engine);
    fill(link, make('h3', {}, words.link), gathered ? this.link(gathered) : make('p', {}, texts.noModel));
    await closed;
  }

  // ---------------------------------------------------------------- a link

  private link({ link, shared, left, libraries }: Gathered): Child {
    if (link === 'large' || link === 'broken' || link === 'newer')
      return make('p', { class: 'problem' }, words.tooLarge);
    const address = addressOf(link);
    const field = make('input', { type: 'text', readonly: true, value: address, 'aria-label': words.link });
    field.addEventListener('focus', () => field.select());
    const said = make('p', { role: 'status' });
    const copy = make(
      'button',
      {
        type: 'button',
        class: 'primary',
        on: {
          click: async () => {
            const isDone = await copied(address, field);
            said.textContent = isDone ? words.copied : words.notCopied;
          },
        },
      },
      words.copy,
    );
    const { files, values, settings } = shared;
    const changed = Object.keys(values).length + Object.keys(settings).length;
    return [
      make('div', { class: 'line' }, field, copy),
      said,
      make('p', {}, words.holds(Object.keys(files), changed, address.length)),
      left.length > 0 && make('p', { class: 'problem' }, words.leaves(left)),
      libraries.length > 0 && make('p', {}, words.needs(libraries)),
      address.length > LONG_LINK && make('p', { class: 'problem' }, words.isLong),
      !isPublic() && make('p', { class: 'empty' }, words.isLocal),
    ];
  }

  /** Links of others, which the address of this studio does not stand in. */
  private opener(): HTMLElement {
    const field = make('input', {
      type: 'text',
      'aria-label': words.openLink,
      placeholder: words.linkExample,
    });
    const wrong = make('p', { class: 'problem', role: 'alert' });
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault();
      const problem = await this.opening.open(field.value);
      if (problem) wrong.textContent = words.problems[problem];
      else field.closest('dialog')?.close();
    };
    return make(
      'section',
      {},
      make('h3', {}, words.openLink),
      make(
        'form',
        { class: 'line', on: { submit } },
        field,
        make('button', { type: 'submit', class: 'plain' }, words.open),
      ),
      wrong,
    );
  }

  // ---------------------------------------------------------------- files

  private files(): Child {
    const hasRun = this.store.run.now !== undefined && this.store.run.now.times.count > 0;
    const hasModel = this.store.model.now !== undefined;
    const said = make('p', { role: 'status' });
    const buttons = offeredFiles.map((file) =>
      make(
        'button',
        {
          type: 'button',
          class: 'plain',
          'data-file': file.id,
          disabled: !(file.ofRun ? hasRun : hasModel),
          on: { click: () => void this.save(file, said) },
        },
        icon('save'),
        file.title,
      ),
    );
    return [
      make('div', { class: 'offered' }, ...buttons),
      !hasRun && make('p', { class: 'empty' }, words.noRun),
      said,
    ];
  }

  private save(file: OfferedFile, said: HTMLElement): Promise<void> {
    return this.give(file, (text) => {
      said.textContent = text;
    });
  }

  /** Makes a file and gives it to the browser; `tell` hears how that goes. */
  async give(file: OfferedFile, tell: (text: string) => void): Promise<void> {
    const { store, engine } = this;
    const model = file.ofRun ? store.run.now!.order.model : store.model.now!;
    const name = fileNameOf(model, file);
    tell(words.making(name));
    try {
      const content = await file.make(store, engine);
      if (content === undefined) tell(words.isGone);
      else if (content instanceof FileProblem) tell(content.text);
      else {
        download(name, file.type, content);
        tell(words.made(name));
      }
    } catch (problem) {
      tell(texts.engineProblem((problem as Error).message));
    }
  }
}

/** Puts a text where it can be pasted from; false where the browser does not let pages do so: it is marked then. */
async function copied(text: string, field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.focus();
    field.select();
    return false;
  }
}
