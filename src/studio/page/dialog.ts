/** Questions to the person, as dialogs that keys and screen readers know. */
import { type Child, fill, make, marked, newId } from './dom.ts';
import { texts } from './texts.ts';

/** A dialog with buttons; gives the one that was chosen, undefined where it was closed otherwise. */
export function choose<T extends string>(
  title: string,
  content: Child,
  choices: readonly { readonly value: T; readonly title: string; readonly isPrimary?: boolean }[],
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const id = newId('dialog');
    const dialog = make(
      'dialog',
      { 'aria-labelledby': id },
      make('h2', { id }, title),
      make('div', { class: 'content' }, content),
      make(
        'div',
        { class: 'choices' },
        ...choices.map(({ value, title: text, isPrimary }) =>
          make(
            'button',
            {
              type: 'button',
              class: isPrimary ? 'primary' : 'plain',
              on: { click: () => dialog.close(value) },
            },
            text,
          ),
        ),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(choices.find(({ value }) => value === dialog.returnValue)?.value);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export const confirmed = async (question: string, action: string): Promise<boolean> =>
  (await choose(
    question,
    [],
    [
      { value: 'no', title: texts.cancel },
      { value: 'yes', title: action, isPrimary: true },
    ],
  )) === 'yes';

/** What was written into fields, or what is wrong with it. */
type Read<T> = { readonly value: T } | { readonly problem: string };

/** Asks for something that is written into fields; `read` gives it, or says what is wrong with what is there. */
export function ask<T>(
  title: string,
  fields: Child,
  read: () => Read<T> | Promise<Read<T>>,
  action: string = texts.ok,
): Promise<T | undefined> {
  const warning = make('p', { class: 'problem', role: 'alert' });
  return new Promise((resolve) => {
    const close = (value: T | undefined): void => {
      dialog.remove();
      resolve(value);
    };
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault();
      const given = await read();
      fill(warning, 'problem' in given && marked(given.problem));
      if ('value' in given) close(given.value);
    };
    const id = newId('dialog');
    const dialog = make(
      'dialog',
      { 'aria-labelledby': id, on: { close: () => close(undefined) } },
      make('h2', { id }, title),
      make(
        'form',
        { on: { submit } },
        fields,
        warning,
        make(
          'div',
          { class: 'choices' },
          make(
            'button',
            { type: 'button', class: 'plain', on: { click: () => close(undefined) } },
            texts.cancel,
          ),
          make('button', { type: 'submit', class: 'primary' }, action),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector('input')?.focus();
  });
}

/** Asks for a text; `problem` says what is wrong with one. */
export function askText(
  title: string,
  initial: string,
  problem: (text: string) => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  const input = make('input', { type: 'text', value: initial, 'aria-label': title, spellcheck: 'false' });
  const asked = ask(title, input, async () => {
    const text = input.value.trim();
    const wrong = await problem(text);
    return wrong === undefined ? { value: text } : { problem: wrong };
  });
  input.select();
  return asked;
}
