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
  const names: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let i = 0; i <= list.length; i++) {
    const c = list[i];
    if (c === undefined || (c === ',' && depth <= 0 && !quoted)) {
      const name = list.slice(start, i).trim();
      if (name !== '') names.push(name);
      start = i + 1;
    } else if (c === '\\' && quoted) i++;
    else if (c === "'") quoted = !quoted;
    else if (!quoted && (c === '[' || c === '(')) depth++;
    else if (!quoted && (c === ']' || c === ')')) depth--;
  }
  return names;
}
