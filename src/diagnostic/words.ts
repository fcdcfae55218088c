/** Words that messages are made of. */

/** `1 state`, `2 states`. */
export const counted = (n: number, what: string, many = `${what}s`): string =>
  `${n} ${n === 1 ? what : many}`;

/** `a, b and 3 more`. */
export function listed(words: readonly string[], most: number): string {
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown} and ${words.length - most} more` : shown;
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
