/**
 * All that can be done, by name: a list to search in, which Ctrl+K and F1 open, and the keys of what is done often. Keys are written as `Ctrl+Enter`; where there is a
 * command key, it is meant too.
 */
import { fill, iconButton, make, newId } from './dom.ts';
import { texts } from './texts.ts';

export interface Command {
  readonly title: string;
  readonly keys?: string;
  /** Whether it has a meaning now; without it, always. */
  readonly isPossible?: () => boolean;
  readonly run: () => void;
}

export class Commands {
  readonly button: HTMLButtonElement;
  private readonly input: HTMLInputElement;
  private readonly list = make('ul', {
    role: 'listbox',
    id: newId('commands'),
    'aria-label': texts.commands,
  });
  private readonly dialog: HTMLDialogElement;
  private found: readonly Command[] = [];
  private chosen = 0;

  /** The commands are asked for whenever the list is opened. */
  constructor(private readonly all: () => readonly Command[]) {
    this.button = iconButton('command', `${texts.commands} (Ctrl+K)`, () => this.open());
    this.input = make('input', {
      type: 'text',
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': this.list.id,
      'aria-label': texts.searchCommands,
      placeholder: texts.searchCommands,
      spellcheck: 'false',
      on: { input: () => this.search(), keydown: (event: KeyboardEvent) => this.move(event) },
    });
    this.dialog = make('dialog', { class: 'commands', 'aria-label': texts.commands }, this.input, this.list);
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
    document.addEventListener('keydown', (event) => this.press(event));
  }

  open(): void {
    if (this.dialog.open) return;
    this.input.value = '';
    this.search();
    this.dialog.showModal();
    this.input.focus();
  }

  /** Keys that mean a command, wherever the focus is; dialogs have their own. */
  private press(event: KeyboardEvent): void {
    if (document.querySelector('dialog[open]')) return;
    const pressed = keysOf(event);
    if (pressed === 'Ctrl+K' || pressed === 'F1') this.open();
    else {
      const command = this.all().find(({ keys }) => keys === pressed);
      if (!command) return;
      if (command.isPossible?.() !== false) command.run();
    }
    event.preventDefault();
  }

  private search(): void {
    const words = this.input.value.toLowerCase().split(/\s+/);
    const possible = this.all().filter(({ isPossible }) => isPossible?.() !== false);
    const fitting = possible.filter(({ title }) => words.every((word) => meets(title.toLowerCase(), word)));
    // What has the words as they are written comes first.
    const has = ({ title }: Command): boolean => words.every((word) => title.toLowerCase().includes(word));
    this.found = [...fitting.filter(has), ...fitting.filter((one) => !has(one))];
    this.chosen = 0;
    this.draw();
  }

  private draw(): void {
    const rows = this.found.map(({ title, keys }, k) =>
      make(
        'li',
        {
          role: 'option',
          id: `${this.list.id}-${k}`,
          'aria-selected': String(k === this.chosen),
          on: { click: () => this.take(k) },
        },
        make('span', {}, title),
        keys !== undefined && make('kbd', {}, keys),
      ),
    );
    fill(this.list, ...rows, rows.length === 0 && make('li', { class: 'empty' }, texts.noMatch));
    const id = rows[this.chosen]?.id;
    if (id === undefined) this.input.removeAttribute('aria-activedescendant');
    else this.input.setAttribute('aria-activedescendant', id);
    rows[this.chosen]?.scrollIntoView({ block: 'nearest' });
  }

  private move(event: KeyboardEvent): void {
    const count = this.found.length;
    if (event.key === 'Enter') this.take(this.chosen);
    else if (event.key === 'ArrowDown' && count > 0) this.chosen = (this.chosen + 1) % count;
    else if (event.key === 'ArrowUp' && count > 0) this.chosen = (this.chosen + count - 1) % count;
    else return;
    event.preventDefault();
    this.draw();
  }

  private take(k: number): void {
    const command = this.found[k];
    if (!command) return;
    // First the focus goes back to where it was; a command may then put it somewhere else.
    this.dialog.close();
    command.run();
  }
}

/** Whether a word of a title has the letters of another one, in their order: `breakpend` means `BreakingPendulum`. */
function meets(title: string, word: string): boolean {
  return title.split(' ').some((one) => {
    let found = 0;
    for (const letter of one) if (letter === word[found]) found++;
    return found === word.length;
  });
}

/** A key with those that are held beside it, as commands write it. */
function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const held = [(ctrlKey || metaKey) && 'Ctrl+', altKey && 'Alt+', shiftKey && 'Shift+'];
  return `${held.filter((one) => one !== false).join('')}${key.length === 1 ? key.toUpperCase() : key}`;
}
