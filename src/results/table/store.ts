/**
 * The numbers of a signal table. They are written row by row while a run goes on, so storage is row-major: chunks that
 * never move, filled with rows one after another. A row holds the trajectories that exist when it is written and no
 * others; which ones, and where, is said by the layout that it shares with its neighbours:
 *
 *     piece 1: layout {a, b}       a b a b a b | a b a b     a chunk is full: the rows go on in the next one
 *     piece 2: layout {b, c, d}                          b c d b c d
 *
 * So what does not exist takes no room, and trajectories may begin at any row.
 *
 * Long runs have more rows than memory: where there is a `Shelf`, such as a file, it takes chunks as soon as they are full, and
 * they are brought back to be read, a few at a time.
 */
import { copyNumbers, countWhile } from '../../collections/lists.ts';

/** Where signals are read: `scale` times a trajectory, or the constant `scale` itself where the index is -1. */
export interface StoredColumns {
  readonly indices: Int32Array;
  readonly scales: Float64Array;
}

/** Which trajectories a row holds. */
export interface RowLayout {
  /** Trajectories in the order of the row, ascending. */
  readonly columns: Int32Array;
  /** By trajectory: its place in the row, -1 where it does not exist. Trajectories beyond the end do not exist either. */
  readonly places: Int32Array;
  /** Trajectories that lie together: where each run begins and where it ends, in turn. */
  readonly runs: Int32Array;
}

/** Where numbers are kept that are too many for memory. */
export interface Shelf {
  /** Keeps the numbers as they are now, and gives the number by which they are found again; undefined where they shall stay in memory. */
  put(numbers: Float64Array): number | undefined;
  /** The numbers that were put there, into a list of their length. */
  take(number: number, into: Float64Array): void;
}

/** Numbers of rows: in memory, or on the shelf under a number. */
type Chunk =
  | { numbers: Float64Array }
  | { numbers: undefined; readonly shelved: number; readonly length: number };

/** Rows of one layout that lie one after another in a chunk; they end where the next piece begins. */
interface Piece {
  readonly firstRow: number;
  readonly layout: RowLayout;
  /** By its number. */
  readonly chunk: number;
  readonly offset: number;
}

const noNumbers = new Float64Array(0);

/** Numbers in the first chunk; each is twice as long as the one before, up to `LARGEST`. */
const SMALLEST = 1 << 10;
const LARGEST = 1 << 17;

/** Chunks of the shelf that are in memory at a time: whoever reads rows in order needs one, whoever compares two times two. */
const OPEN = 4;

export class RowStore {
  private readonly pieces: Piece[] = [];
  private readonly chunks: Chunk[] = [];
  private layout: RowLayout = rowLayout(0);
  /** The last chunk, which is being filled. */
  private chunk = new Float64Array(0);
  /** Numbers of the chunk that are taken. */
  private used = 0;
  private count = 0;
  /** Chunks that were brought back, by number, those that came first at the front. */
  private readonly open = new Map<number, Float64Array>();

  constructor(private readonly shelf?: Shelf) {}

  /** The layout of the rows that follow. */
  begin(layout: RowLayout): void {
    this.layout = layout;
  }

  /** One row; `values` by trajectory. */
  append(values: Float64Array): void {
    const { columns, runs } = this.layout;
    if (this.used + columns.length > this.chunk.length) this.beginChunk(columns.length);
    const last = this.pieces[this.pieces.length - 1];
    const chunk = this.chunks.length - 1;
    if (last?.chunk !== chunk || last.layout !== this.layout)
      this.pieces.push({ firstRow: this.count, layout: this.layout, chunk, offset: this.used });
    for (let k = 0; k < runs.length; k += 2) {
      const length = runs[k + 1]! - runs[k]!;
      copyNumbers(values, runs[k]!, this.chunk, this.used, length);
      this.used += length;
    }
    this.count++;
  }

  /** NaN where missing. */
  read(row: number, column: number): number {
    const piece = this.pieceOf(row);
    if (!piece) return Number.NaN;
    const place = placeOf(piece.layout, column);
    if (place < 0) return Number.NaN;
    return this.numbersOf(piece.chunk)[
      piece.offset + (row - piece.firstRow) * piece.layout.columns.length + place
    ]!;
  }

  /** Values of one row, by what is asked for: see `StoredColumns`. */
  readRow(row: number, { indices, scales }: StoredColumns, into: Float64Array): void {
    const piece = this.pieceOf(row);
    const start = piece ? piece.offset + (row - piece.firstRow) * piece.layout.columns.length : 0;
    const numbers = piece ? this.numbersOf(piece.chunk) : noNumbers;
    for (let k = 0; k < indices.length; k++) {
      const index = indices[k]!;
      if (index < 0) into[k] = scales[k]!;
      else {
        const place = piece ? placeOf(piece.layout, index) : -1;
        into[k] = place < 0 ? Number.NaN : scales[k]! * numbers[start + place]!;
      }
    }
  }

  /**
   * Whole trajectories: that of the k-th column that is asked for into the k-th of as many arrays with a number a row. Rows lie together:
   * several columns at once are read much faster than one after the other.
   */
  readColumns({ indices, scales }: StoredColumns, into: readonly Float64Array[]): void {
    const rows = into[0]?.length ?? 0;
    for (const [k, index] of indices.entries()) if (index < 0) into[k]!.fill(scales[k]!);
    for (const [i, { firstRow, layout, chunk, offset }] of this.pieces.entries()) {
      const endRow = Math.min(this.pieces[i + 1]?.firstRow ?? this.count, rows);
      const width = layout.columns.length;
      const numbers = this.numbersOf(chunk);
      const places = indices.map((index) => (index < 0 ? -1 : placeOf(layout, index)));
      for (const [k, place] of places.entries())
        if (place < 0 && indices[k]! >= 0) into[k]!.fill(Number.NaN, firstRow, endRow);
      for (let row = firstRow, start = offset; row < endRow; row++, start += width) {
        for (let k = 0; k < places.length; k++)
          if (places[k]! >= 0) into[k]![row] = scales[k]! * numbers[start + places[k]!]!;
      }
    }
  }

  /** A chunk for rows of so many numbers, each twice as long as the one before, up to a limit. */
  private beginChunk(width: number): void {
    this.shelve();
    const size = Math.min(LARGEST, Math.max(SMALLEST, 2 * this.chunk.length));
    // A whole number of rows: nothing is left over at the end.
    this.chunk = new Float64Array(width * Math.max(1, Math.floor(size / Math.max(1, width))));
    this.chunks.push({ numbers: this.chunk });
    this.used = 0;
  }

  /** The last chunk is full. */
  private shelve(): void {
    const shelved = this.chunks.length > 0 ? this.shelf?.put(this.chunk) : undefined;
    if (shelved !== undefined)
      this.chunks[this.chunks.length - 1] = { numbers: undefined, shelved, length: this.chunk.length };
  }

  /** Those of a chunk, wherever they are. */
  private numbersOf(number: number): Float64Array {
    const chunk = this.chunks[number];
    // Rows without numbers have no chunk.
    if (!chunk) return noNumbers;
    if (chunk.numbers) return chunk.numbers;
    const open = this.open.get(number);
    if (open) return open;
    const numbers = new Float64Array(chunk.length);
    this.shelf!.take(chunk.shelved, numbers);
    if (this.open.size === OPEN) this.open.delete(this.open.keys().next().value!);
    this.open.set(number, numbers);
    return numbers;
  }

  /** The last piece that begins at the row or before. */
  private pieceOf(row: number): Piece | undefined {
    const { pieces } = this;
    return pieces[countWhile(pieces.length, (k) => pieces[k]!.firstRow <= row) - 1];
  }
}

/** Of `width` trajectories, those that `present` names; all of them where it is left out. */
export function rowLayout(width: number, present?: ArrayLike<number | boolean>): RowLayout {
  const places = new Int32Array(width);
  let count = 0;
  for (let column = 0; column < width; column++) places[column] = !present || present[column] ? count++ : -1;
  const columns = new Int32Array(count);
  for (let column = 0; column < width; column++) if (places[column]! >= 0) columns[places[column]!] = column;
  return { columns, places, runs: runsOf(columns) };
}

function runsOf(columns: Int32Array): Int32Array {
  const runs: number[] = [];
  for (const column of columns)
    if (runs[runs.length - 1] === column) runs[runs.length - 1] = column + 1;
    else runs.push(column, column + 1);
  return Int32Array.from(runs);
}

function placeOf({ places }: RowLayout, column: number): number {
  return column < places.length ? places[column]! : -1;
}

/** The columns of some signals. */
export function pickedColumns({ indices, scales }: StoredColumns, numbers: ArrayLike<number>): StoredColumns {
  return {
    indices: Int32Array.from(numbers, (number) => indices[number]!),
    scales: Float64Array.from(numbers, (number) => scales[number]!),
  };
}
