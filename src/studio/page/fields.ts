/** Fields for numbers, which say what is wrong with what is written. */
import { make, type Properties, setAttribute } from './dom.ts';
import { texts } from './texts.ts';

/** A number as a person writes it, with a comma or a point; undefined where it is none. */
export function numberIn(text: string): number | undefined {
  const plain = text
    .trim()
    .replace('−', '-')
    .replace(/^(-?\d+),(\d+)$/, '$1.$2');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** A field; `change` gets a number, or undefined where it was emptied, and says what is wrong with it. */
export function numberField(
  label: string,
  change: (value: number | undefined) => string | undefined,
  properties: Properties = {},
): HTMLInputElement {
  const input = make('input', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': label,
    spellcheck: 'false',
    ...properties,
  });
  let isWritten = false;
  const take = (): string | undefined => {
    if (!isWritten) return input.validationMessage || undefined;
    isWritten = false;
    const value = numberIn(input.value);
    const isEmpty = input.value.trim() === '';
    const wrong = value === undefined && !isEmpty ? texts.notNumber(input.value) : change(value);
    input.setCustomValidity(wrong ?? '');
    setAttribute(input, 'aria-invalid', wrong !== undefined && 'true');
    if (wrong !== undefined) input.reportValidity();
    return wrong;
  };
  input.addEventListener('input', () => {
    isWritten = true;
  });
  input.addEventListener('change', take);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') take();
  });
  takers.set(input, take);
  return input;
}

/** Takes what is written in fields, and says what is wrong with them. */
const takers = new WeakMap<Element, () => string | undefined>();

/** Shows a value in a field: what is written there, and what is wrong with it, is over. */
export function showNumber(input: HTMLInputElement, text: string): void {
  input.value = text;
  input.setCustomValidity('');
  input.removeAttribute('aria-invalid');
}

export const isWrong = (input: HTMLInputElement): boolean => input.hasAttribute('aria-invalid');

/** The first field of values for runs with something in it that is none. What is still being written counts. */
export function wrongField():
  | { readonly input: HTMLInputElement; readonly name: string; readonly problem: string }
  | undefined {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-run]')) {
    const problem = takers.get(input)?.();
    if (problem !== undefined) return { input, name: input.getAttribute('aria-label') ?? '', problem };
  }
  return undefined;
}

/** Leads to a field. */
export function pointAt(input: HTMLInputElement): void {
  input.closest('details')?.setAttribute('open', '');
  input.scrollIntoView({ block: 'nearest' });
  input.select();
  input.reportValidity();
}
