/**
 * Where the Jacobian of a mode with built-in components may be nonzero. The derivatives of the equations depend on states and on
 * outputs of components, outputs on the states of their component; derivatives of a component depend on its states and on its inputs, and
 * these again on states and outputs. Rows are gathered as sets, then turned into compressed columns.
 */
import type { Columns, ComponentPattern } from '../../builtin/component.ts';
import { Dependence } from '../../code/dependence.ts';
import { type SparsePattern, transposed } from '../../collections/pattern.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { ActiveComponent } from '../components/components.ts';
import type { RunValues } from '../evaluation.ts';
import type { CompiledMode } from './compiled.ts';

/** Entries of a Jacobian that are worth storing. */
const mostEntries = 50_000_000;

/** Fewer entries than this cost less than learning which of them are needed. */
const fewEntries = 64 * 64;

/** A pattern that may be but a bound, because components do not say what depends on what. */
export interface MergedPattern extends SparsePattern {
  readonly loose: boolean;
}

/** `patterns` are those of the parts of the mode. */
export function mergedPattern(
  values: RunValues,
  mode: CompiledMode,
  patterns: readonly ComponentPattern[],
): MergedPattern {
  const { pool, model } = values;
  const { states, parts, plan, size } = mode;
  const sources: Int32Array[] = states.map((_, j) => Int32Array.of(j));
  const leaves = [...states];
  for (const [k, part] of parts.entries()) if (!patterns[k]!.derivativesByStates) checkSize(part);
  for (const [k, part] of parts.entries()) {
    const byRow = rowsOf(patterns[k]!.outputsByStates, part.live.point.y.length, part.size);
    for (const { symbols, start, length, direct } of model.components[part.index]!.outputs) {
      for (const [e, symbol] of symbols.entries()) {
        const [from, to] = direct ? [start, start + length] : [start + e, start + e + 1];
        const columns = byRow.columns.subarray(byRow.begin[from]!, byRow.end[to - 1]!);
        leaves.push(pool.ref(symbol));
        sources.push(columns.map((column) => column + part.offset));
      }
    }
  }
  const dependence = new Dependence(leaves);
  dependence.follow(plan.items, plan.systems);
  const rows = new RowSets(size);
  const add = (leaf: Expr): void => {
    for (const source of dependence.of(leaf)) rows.addAll(sources[source]!, 0);
  };
  for (const { symbol, order } of states) {
    add(pool.ref(symbol, order + 1));
    rows.end();
  }
  for (const [k, { offset, size: own, inputLeaves }] of parts.entries()) {
    const byStates = rowsOf(patterns[k]!.derivativesByStates, own, own);
    const byInputs = rowsOf(patterns[k]!.derivativesByInputs, own, inputLeaves.length);
    for (let i = 0; i < own; i++) {
      rows.addAll(byStates.columns, offset, byStates.begin[i], byStates.end[i]);
      for (let e = byInputs.begin[i]!; e < byInputs.end[i]!; e++) add(inputLeaves[byInputs.columns[e]!]!);
      rows.end();
    }
  }
  const pattern = rows.compressed();
  const isBound = patterns.some((known, k) => parts[k]!.size > 0 && !isComplete(known));
  return { ...pattern, loose: isBound && pattern.rows.length > fewEntries };
}

const isComplete = (known: ComponentPattern): boolean =>
  known.derivativesByStates !== undefined &&
  known.derivativesByInputs !== undefined &&
  known.outputsByStates !== undefined;

/** All of a large component on all of it is more than fits. */
function checkSize({ live, size }: ActiveComponent): void {
  if (size * size <= mostEntries) return;
  const message = `${live.title} has ${size} states and does not say which derivatives depend on which: an implicit method would need ${size * size} entries.`;
  throw Failure.of('simulate', 'limit-exceeded', message, {
    span: live.component.flat.origin.span,
    hint: 'Give the component a function `pattern`, or choose an explicit method.',
  });
}

/** Columns of row i: `columns[begin[i] .. end[i])`; those of neighbouring rows lie together. */
interface Rows {
  readonly begin: Int32Array;
  readonly end: Int32Array;
  readonly columns: Int32Array;
}

/** A pattern by rows; all columns in each of them where nothing is known. */
function rowsOf(pattern: Columns | undefined, rows: number, width: number): Rows {
  if (!pattern) {
    const columns = Int32Array.from({ length: width }, (_, j) => j);
    return { begin: new Int32Array(rows), end: new Int32Array(rows).fill(width), columns };
  }
  const used = pattern.rows.subarray(0, pattern.starts[width]!);
  const { starts, rows: columns } = transposed({ n: width, starts: pattern.starts, rows: used }, rows);
  return { begin: starts.subarray(0, rows), end: starts.subarray(1), columns };
}

/** Rows of a square matrix, gathered one after the other as sets of columns. */
class RowSets {
  private readonly starts: Int32Array;
  private columns = new Int32Array(1024);
  private row = 0;
  private count = 0;
  /** By column: the row that it was last put into. */
  private readonly marks: Int32Array;

  constructor(n: number) {
    this.starts = new Int32Array(n + 1);
    this.marks = new Int32Array(n).fill(-1);
  }

  /** Adds some of the columns of a list, moved by an offset. */
  addAll(list: Int32Array, offset: number, from = 0, to = list.length): void {
    for (let k = from; k < to; k++) {
      const column = list[k]! + offset;
      if (this.marks[column] === this.row) continue;
      this.marks[column] = this.row;
      if (this.count === this.columns.length) {
        const larger = new Int32Array(2 * this.count);
        larger.set(this.columns);
        this.columns = larger;
      }
      this.columns[this.count++] = column;
    }
  }

  /** The row is complete. */
  end(): void {
    this.starts[++this.row] = this.count;
  }

  compressed(): SparsePattern {
    const { starts } = this;
    return transposed({ n: starts.length - 1, starts, rows: this.columns.subarray(0, this.count) });
  }
}
