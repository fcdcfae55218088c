/** Elements of pages: texts never become markup. */

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}

/** A button that says in a word, or a sign, what `label` says in full. */
export function button(text: string, label: string, action: () => void, title = label): HTMLButtonElement {
  const element = make('button', '', text);
  element.type = 'button';
  element.title = title;
  element.setAttribute('aria-label', label);
  element.addEventListener('click', action);
  return element;
}

/** Lets Escape, and clicks elsewhere, close what is open. */
export function closing(details: HTMLDetailsElement): HTMLDetailsElement {
  const elsewhere = (event: PointerEvent) => {
    if (!details.contains(event.target as Node)) details.open = false;
  };
  details.addEventListener('toggle', () => {
    if (details.open) document.addEventListener('pointerdown', elsewhere, true);
    else document.removeEventListener('pointerdown', elsewhere, true);
  });
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !details.open) return;
    details.open = false;
    details.querySelector('summary')!.focus();
    event.stopPropagation();
  });
  return details;
}
