/** Elements of the player that readers choose with. */
import { closing, make } from '../../results/plot/elements.ts';

/** A box to tick, with the key that does the same. */
export function checkbox(
  text: string,
  isChecked: boolean,
  changed: (isChecked: boolean) => void,
  key = '',
): HTMLLabelElement {
  const label = make('label');
  const box = make('input');
  box.type = 'checkbox';
  box.checked = isChecked;
  box.addEventListener('change', () => changed(box.checked));
  label.append(box, make('span', '', text));
  if (key !== '') label.append(make('kbd', '', key));
  return label;
}

/** What opens below a button, and closes by Escape and by clicks elsewhere. */
export function menu(title: string, contents: readonly HTMLElement[]): HTMLDetailsElement {
  const details = make('details');
  const panel = make('div', 'panel');
  panel.append(...contents);
  details.append(make('summary', '', title), panel);
  return closing(details);
}

/** A choice among texts. */
export function choice(
  label: string,
  texts: readonly string[],
  chosen: number,
  changed: (index: number) => void,
): HTMLSelectElement {
  const select = make('select');
  select.setAttribute('aria-label', label);
  select.title = label;
  for (const [i, text] of texts.entries()) {
    const option = make('option', '', text);
    option.value = String(i);
    option.selected = i === chosen;
    select.append(option);
  }
  select.addEventListener('change', () => changed(Number(select.value)));
  return select;
}
