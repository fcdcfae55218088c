/**
 * Globs over names of variables: `*` stands for any text (dots included), `?` for one character; everything else,
 * brackets of subscripts included, stands for itself. The `$` that names of added variables begin with must be written. A glob is text from a user, so it never becomes a regular
 * expression: each part between two stars is taken at its leftmost place, which never has to be revisited, and the
 * time is at most the product of the two lengths.
 */
export function globMatches(glob: string, name: string): boolean {
  const parts = glob.split('*');
  const first = parts[0]!;
  if (!matchesAt(first, name, 0) || (name[0] === '$' && first[0] !== '$')) return false;
  if (parts.length === 1) return name.length === first.length;
  const last = parts[parts.length - 1]!;
  const end = name.length - last.length;
  let place = first.length;
  for (const part of parts.slice(1, -1)) {
    while (place + part.length <= end && !matchesAt(part, name, place)) place++;
    if (place + part.length > end) return false;
    place += part.length;
  }
  return place <= end && matchesAt(last, name, end);
}

/** Whether a glob means a variable by its name or by that of the array which it is an element of: `*.r` all of `ball.r`. */
export function nameMatches(glob: string, name: string): boolean {
  if (globMatches(glob, name)) return true;
  const array = name.endsWith(']') ? name.slice(0, name.lastIndexOf('[')) : '';
  return array !== '' && globMatches(glob, array);
}

function matchesAt(part: string, name: string, place: number): boolean {
  if (place + part.length > name.length) return false;
  for (let i = 0; i < part.length; i++) {
    if (part[i] !== '?' && part[i] !== name[place + i]) return false;
  }
  return true;
}

/**
 * Splits a list of names and globs at its commas. Commas inside subscripts, parentheses and quoted identifiers
 * belong to the name: `a[1,2],der(x),'p,q'` holds three.
 */
export function splitNames(list: string): string[] {
  return splitOutside(list, ',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Parts between separators that stand neither in brackets nor in quotes. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quote !== '') {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === "'" || c === '"') quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (c === separator && depth <= 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}
