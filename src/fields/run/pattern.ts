/**
 * Which derivatives depend on which states and inputs, found by going through the kernels once with sets of columns instead of numbers. Columns are the
 * states, then the inputs. The cost is that of the entries found.
 */
import type { Columns, ComponentPattern } from '../../builtin/component.ts';
import { concatenated } from '../../collections/lists.ts';
import type { Ref } from '../../symbolic/expr.ts';
import { affineOf } from '../elements/affine.ts';
import { eachTurn, elementIn } from '../elements/evaluate.ts';
import { type ArrayOrder, type Kernel, keyOf, type LinearSystem } from '../elements/kernel.ts';
import { eachAccess } from '../elements/nodes.ts';
import type { Field } from '../field.ts';
import { elementOf, scratchIn, scratchOf } from '../sorting/systems.ts';

/** Entries of all sets together; a pattern with more of them is as good as none. */
const mostEntries = 20_000_000;

/** `kernels` are those that derivatives and outputs need. */
export function patternOf(field: Field, kernels: readonly Kernel[]): ComponentPattern {
  return new Pattern(field).run(kernels) ?? {};
}

/** Columns of the elements of an array: those of element k are `columns[begin[k] .. end[k])` of all sets. */
interface Sets {
  readonly begin: Int32Array;
  readonly end: Int32Array;
}

const emptySets = (size: number): Sets => ({ begin: new Int32Array(size), end: new Int32Array(size) });

/** An access in a turn: element `base + Σ strides·counts`, also over the loops of reductions. */
interface Read {
  readonly sets: Sets | undefined;
  /** Column of element 0, where there are no sets. */
  readonly column: number;
  readonly base: number;
  readonly strides: readonly number[];
  readonly inner: readonly number[];
}

class Pattern {
  /** First column of a state or input. */
  private readonly columns = new Map<number, number>();
  private readonly stateCount: number;
  private readonly inputCount: number;
  /** By symbol and order. */
  private readonly sets = new Map<string, Sets>();
  /** All sets, one after the other. */
  private members = new Int32Array(1024);
  private count = 0;
  /** By column: the number of the set that it was last put into. */
  private readonly marks: Int32Array;
  private mark = 0;

  constructor(private readonly field: Field) {
    let next = 0;
    for (const { symbol, size } of [...field.states, ...field.inputs]) {
      this.columns.set(symbol, next);
      next += size;
    }
    this.stateCount = field.states.reduce((sum, { size }) => sum + size, 0);
    this.inputCount = next - this.stateCount;
    this.marks = new Int32Array(next);
    for (const { symbol, size } of field.algebraic) this.sets.set(`${symbol} 0`, emptySets(size));
    for (const { symbol, size } of field.states) this.sets.set(`${symbol} 1`, emptySets(size));
    for (const { symbol, size } of scratchOf(field.kernels)) this.sets.set(`${symbol} 0`, emptySets(size));
  }

  run(kernels: readonly Kernel[]): ComponentPattern | undefined {
    for (const { extents, statements, reversed, system } of kernels) {
      if (system) {
        this.solve(system);
        continue;
      }
      const rows = statements.map(({ target, value }) => {
        const reads: Read[] = [];
        eachAccess(value, extents, (access, around) => {
          const read = this.read(access, around, extents.length);
          if (read) reads.push(read);
        });
        return { ...affineOf(target), reads, own: this.sets.get(keyOf(target))! };
      });
      eachTurn(
        extents,
        (counts) => {
          for (let r = 0; r < rows.length; r++) {
            const { base, strides, reads, own } = rows[r]!;
            const element = elementIn(base, strides, counts);
            own.begin[element] = this.count;
            this.union(reads, counts);
            own.end[element] = this.count;
          }
        },
        reversed,
      );
      if (this.count > mostEntries) return undefined;
    }
    return this.result();
  }

  /** Unknowns of a system that need each other depend on all that their rows read: they have one set. */
  private solve({ equations, order, starts }: LinearSystem): void {
    for (let b = 0; b + 1 < starts.length; b++) {
      const begin = this.count;
      this.mark++;
      for (let i = starts[b]!; i < starts[b + 1]!; i++) this.addRow(equations[order[i]!]!);
      for (let i = starts[b]!; i < starts[b + 1]!; i++) {
        const { row, turn } = equations[order[i]!]!;
        const own = this.sets.get(keyOf(row.target))!;
        const element = elementOf(row.target, turn);
        own.begin[element] = begin;
        own.end[element] = this.count;
      }
    }
  }

  /** What a row of a system reads; unknowns of its own block have no sets yet. */
  private addRow({ row, turn }: LinearSystem['equations'][number]): void {
    const add = ({ symbol, order }: ArrayOrder, element: number): void =>
      this.add(
        { sets: this.sets.get(keyOf({ symbol, order })), column: this.columns.get(symbol) ?? -1 },
        element,
      );
    for (const { symbol } of scratchIn(row)) add({ symbol, order: 0 }, turn);
    for (const { access } of row.terms) add(access, elementOf(access, turn));
  }

  private read(access: Ref, around: readonly number[], outer: number): Read | undefined {
    const sets = this.sets.get(keyOf(access));
    const column = this.columns.get(access.symbol) ?? -1;
    if (!sets && column < 0) return undefined;
    const { base, strides } = affineOf(access);
    // Loops that do not move it read the same again.
    const inner = around.slice(outer).map((n, k) => (strides[outer + k] ? n : 1));
    return { sets, column, base, strides, inner: inner.every((n) => n === 1) ? [] : inner };
  }

  /** Called for every element: nothing is allocated where there are no reductions. */
  private union(reads: readonly Read[], counts: readonly number[]): void {
    this.mark++;
    for (let r = 0; r < reads.length; r++) {
      const read = reads[r]!;
      const element = elementIn(read.base, read.strides, counts);
      if (read.inner.length === 0) this.add(read, element);
      else this.addReduced(read, element, counts.length);
    }
  }

  /** What an access inside of reductions reads; `outer` is the number of loops around these. */
  private addReduced(read: Read, element: number, outer: number): void {
    const { strides, inner } = read;
    eachTurn(inner, (own) => {
      let at = element;
      for (let k = 0; k < own.length; k++) at += (strides[outer + k] ?? 0) * own[k]!;
      this.add(read, at);
    });
  }

  private add({ sets, column }: Pick<Read, 'sets' | 'column'>, element: number): void {
    if (!sets) this.addColumn(column + element);
    else for (let k = sets.begin[element]!; k < sets.end[element]!; k++) this.addColumn(this.members[k]!);
  }

  private addColumn(column: number): void {
    if (this.marks[column] === this.mark) return;
    this.marks[column] = this.mark;
    if (this.count === this.members.length) {
      const larger = new Int32Array(2 * this.count);
      larger.set(this.members);
      this.members = larger;
    }
    this.members[this.count++] = column;
  }

  private result(): ComponentPattern | undefined {
    const { field, stateCount, inputCount } = this;
    const derivatives = field.states.map(({ symbol }) => this.sets.get(`${symbol} 1`)!);
    const rows = {
      begin: concatenated(
        derivatives.map((sets) => sets.begin),
        Int32Array,
      ),
      end: concatenated(
        derivatives.map((sets) => sets.end),
        Int32Array,
      ),
    };
    // Sets may be shared: their entries count once for each row.
    let entries = 0;
    for (let i = 0; i < rows.begin.length; i++) entries += rows.end[i]! - rows.begin[i]!;
    if (entries > mostEntries) return undefined;
    const outputs = emptySets(field.outputs.length);
    for (const [k, { symbol, order, element }] of field.outputs.entries()) {
      const sets = this.sets.get(keyOf({ symbol, order }));
      outputs.begin[k] = sets ? sets.begin[element]! : this.count;
      if (!sets) {
        this.mark++;
        this.addColumn(this.columns.get(symbol)! + element);
      }
      outputs.end[k] = sets ? sets.end[element]! : this.count;
    }
    return {
      derivativesByStates: transposed(rows, this.members, 0, stateCount),
      derivativesByInputs: transposed(rows, this.members, stateCount, inputCount),
      outputsByStates: transposed(outputs, this.members, 0, stateCount),
    };
  }
}

/** Columns `first .. first + count` of rows that are sets of columns. */
function transposed({ begin, end }: Sets, members: Int32Array, first: number, count: number): Columns {
  const starts = new Int32Array(count + 1);
  const each = (visit: (row: number, column: number) => void): void => {
    for (let i = 0; i < begin.length; i++) {
      for (let k = begin[i]!; k < end[i]!; k++) {
        const column = members[k]! - first;
        if (column >= 0 && column < count) visit(i, column);
      }
    }
  };
  each((_, column) => {
    starts[column + 1]!++;
  });
  for (let j = 0; j < count; j++) starts[j + 1]! += starts[j]!;
  const next = starts.slice(0, count);
  const rows = new Int32Array(starts[count]!);
  each((i, column) => {
    rows[next[column]!++] = i;
  });
  return { starts, rows };
}
