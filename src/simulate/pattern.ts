/**
 * Where the Jacobian of a mode with built-in components may be nonzero. The derivatives of the equations depend on states and on
 * outputs of components, outputs on the states of their component; derivatives of a component depend on its states and on its inputs, and
 * these again on states and outputs. Rows are gathered as sets, then turned into compressed columns.
 */
import type { Columns } from '../builtin/component.ts';
import { Dependence } from '../code/dependence.ts';
import { compressColumns } from '../code/tangent.ts';
import { error, Failure } from '../diagnostic/diagnostic.ts';
import type { SparsePattern } from '../solve/sparse.ts';
import type { CompiledMode } from './compiled.ts';
import type { Part } from './components.ts';
import type { Runtime } from './runtime.ts';

/** Entries of a Jacobian that are worth storing. */
const mostEntries = 50_000_000;

export function mergedPattern(runtime: Runtime, mode: CompiledMode): SparsePattern {
  const { pool, model } = runtime;
  const { states, parts, plan, size } = mode;
  const sources: { readonly columns: Int32Array }[] = states.map((_, j) => ({ columns: Int32Array.of(j) }));
  const leaves = [...states];
  const byRow: Int32Array[] = [];
  const patterns = parts.map((part) => part.live.pattern());
  for (const [k, part] of parts.entries()) if (!patterns[k]!.derivativesByStates) checkSize(part);
  for (const [k, part] of parts.entries()) {
    const rows = rowsOf(patterns[k]!.outputsByStates, part.live.point.y.length, part.size);
    for (const { symbols, start, length, direct } of model.components[part.index]!.outputs) {
      for (const [e, symbol] of symbols.entries()) {
        const elements = direct ? range(start, length) : [start + e];
        leaves.push(pool.ref(symbol));
        sources.push({ columns: shifted(union(elements.map((i) => rows(i))), part.live.offset) });
      }
    }
  }
  const dependence = new Dependence(leaves);
  dependence.follow(plan.items, plan.systems);
  const columnsOf = (numbers: Int32Array): Int32Array => union([...numbers].map((k) => sources[k]!.columns));
  for (const s of states) byRow.push(columnsOf(dependence.of(pool.ref(s.symbol, s.order + 1))));
  for (const [k, part] of parts.entries()) {
    const inputs = part.inputLeaves.map((leaf) => columnsOf(dependence.of(leaf)));
    byRow.push(...partRows(part, patterns[k]!, inputs));
  }
  return compressColumns(byRow, size);
}

/** All of a large component on all of it is more than fits. */
function checkSize({ live, size }: Part): void {
  if (size * size <= mostEntries) return;
  const message = `${live.title} has ${size} states and does not say which derivatives depend on which: an implicit method would need ${size * size} entries.`;
  throw new Failure('simulate', [
    error('limit-exceeded', message, {
      span: live.component.flat.origin.span,
      hint: 'Give the component a function `pattern`, or choose an explicit method.',
    }),
  ]);
}

/** Rows of the derivatives of a part; `inputs` are the columns that its inputs depend on. */
function partRows(
  { live, size }: Part,
  pattern: { readonly derivativesByStates?: Columns; readonly derivativesByInputs?: Columns },
  inputs: readonly Int32Array[],
): Int32Array[] {
  const byStates = rowsOf(pattern.derivativesByStates, size, size);
  const byInputs = rowsOf(pattern.derivativesByInputs, size, inputs.length);
  return range(0, size).map((i) => {
    const own = shifted(byStates(i), live.offset);
    const read = byInputs(i);
    return read.length === 0 ? own : union([own, ...[...read].map((u) => inputs[u]!)]);
  });
}

/** The columns of each row; all of them where nothing is known. */
function rowsOf(columns: Columns | undefined, rows: number, width: number): (row: number) => Int32Array {
  if (!columns) {
    const all = Int32Array.from(range(0, width));
    return () => all;
  }
  const lists: number[][] = Array.from({ length: rows }, () => []);
  for (let j = 0; j < width; j++)
    for (let k = columns.starts[j]!; k < columns.starts[j + 1]!; k++) lists[columns.rows[k]!]!.push(j);
  return (row) => Int32Array.from(lists[row]!);
}

function range(start: number, length: number): number[] {
  return Array.from({ length }, (_, k) => start + k);
}

function shifted(columns: Int32Array, by: number): Int32Array {
  return columns.map((column) => column + by);
}

function union(lists: readonly Int32Array[]): Int32Array {
  if (lists.length === 1) return lists[0]!;
  const all = new Set<number>();
  for (const list of lists) for (const column of list) all.add(column);
  return Int32Array.from(all).sort();
}
