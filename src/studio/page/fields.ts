/** Fields for numbers, which say what is wrong with what is written. */
import { make, type Properties } from './dom.ts';

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
  const take = (): void => {
    const value = numberIn(input.value);
    const isEmpty = input.value.trim() === '';
    const wrong = value === undefined && !isEmpty ? `“${input.value}” is not a number.` : change(value);
    input.setCustomValidity(wrong ?? '');
    if (wrong === undefined) input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
    if (wrong !== undefined) input.reportValidity();
  };
  input.addEventListener('change', take);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') take();
  });
  return input;
}
