/** Lines whose columns begin at the same places, with the first row as their heads; columns that are empty below it are left out. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const used = rows[0]!.map((_, i) => rows.slice(1).some((row) => row[i] !== ''));
  const widths = rows[0]!.map((_, i) => rows.reduce((most, row) => Math.max(most, row[i]!.length), 0));
  return rows.map((row) => {
    const cells = row.flatMap((cell, i) => (used[i] ? [cell.padEnd(widths[i]!)] : []));
    return `  ${cells.join('  ')}`.trimEnd();
  });
}
