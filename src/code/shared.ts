/**
 * Programs that share code. Modes of a model have most of their blocks in common; what is equal is compiled once.
 * A routine is cut into pieces, and a piece is known by its assignments: slots and expressions, which are hash-consed. Cuts
 * depend on the slots next to them alone (content-defined chunking: Muthitacharoen, Chen and Mazières, A low-bandwidth
 * network file system, SOSP 2001), so that where one assignment changes, the pieces around stay the same, wherever they stand.
 */
import { append } from '../collections/groups.ts';
import { remember } from '../collections/memo.ts';
import type { CodeUnit, Program, Routine, SlotAssignment } from './unit.ts';

/** A cut follows one assignment in so many (a power of two), on average, and comes at the latest after `longest`. */
const spacing = 16;
const longest = 128;

/** Makes a program of a unit. */
export type Compile = (unit: CodeUnit) => Program;

interface Piece {
  readonly body: readonly SlotAssignment[];
  program: Program;
  routine: number;
  /** When it was last part of a program. */
  used: number;
}

export class SharedCode {
  private readonly pieces = new Map<number, Piece[]>();
  private assignments = 0;
  private clock = 0;

  constructor(
    private readonly compile: Compile,
    /** Assignments that are kept for programs to come. */
    private readonly limit: number,
  ) {}

  /** The program of a unit; only what no program before had is compiled. */
  program(unit: CodeUnit): Program {
    this.clock++;
    const missing: Piece[] = [];
    const parts = unit.routines.map(({ body }) => this.partsOf(body, missing));
    if (missing.length > 0) this.make(unit, missing);
    if (this.assignments > this.limit) this.forget();
    return {
      run(k) {
        const part = parts[k]!;
        for (let i = 0; i < part.length; i++) part[i]!.program.run(part[i]!.routine);
      },
      entries(k) {
        const all = parts[k]!.map(({ program, routine }) => program.entries?.(routine));
        return all.every((some) => some !== undefined) ? all.flat() : undefined;
      },
    };
  }

  /** How many assignments are kept. */
  get size(): number {
    return this.assignments;
  }

  private partsOf(body: readonly SlotAssignment[], missing: Piece[]): Piece[] {
    const parts: Piece[] = [];
    for (let first = 0, k = 0; k < body.length; k++) {
      const isCut = (Math.imul(body[k]!.slot, 0x9e3779b1) >>> 16) % spacing === 0;
      if (!isCut && k + 1 < body.length && k + 1 - first < longest) continue;
      parts.push(this.find(body, first, k + 1, missing));
      first = k + 1;
    }
    return parts;
  }

  private find(body: readonly SlotAssignment[], first: number, end: number, missing: Piece[]): Piece {
    const pieces = remember(this.pieces, hash(body, first, end), () => []);
    let piece = pieces.find((p) => isSame(p.body, body, first, end));
    if (!piece) {
      piece = { body: body.slice(first, end), program: none, routine: 0, used: 0 };
      pieces.push(piece);
      missing.push(piece);
      this.assignments += end - first;
    }
    piece.used = this.clock;
    return piece;
  }

  private make(unit: CodeUnit, missing: readonly Piece[]): void {
    const routines = missing.map(({ body }, k): Routine => ({ name: `piece${k}`, body }));
    const program = this.compile({ ...unit, routines });
    for (const [k, piece] of missing.entries()) {
      piece.program = program;
      piece.routine = k;
    }
  }

  /** Drops the pieces that were not used for longest, until half of the room is free. Programs keep what they have. */
  private forget(): void {
    const all = [...this.pieces.values()].flat().sort((a, b) => b.used - a.used);
    this.pieces.clear();
    this.assignments = 0;
    for (const piece of all) {
      if (this.assignments + piece.body.length > this.limit / 2) break;
      this.assignments += piece.body.length;
      append(this.pieces, hash(piece.body, 0, piece.body.length), piece);
    }
  }
}

const none: Program = {
  run() {
    throw new Error('the piece is not compiled');
  },
};

function hash(body: readonly SlotAssignment[], first: number, end: number): number {
  let h = end - first;
  for (let k = first; k < end; k++) {
    const { slot, value } = body[k]!;
    h = Math.imul(h ^ slot, 0x85ebca6b) + value.id;
    h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  }
  return h ^ (h >>> 16);
}

function isSame(
  known: readonly SlotAssignment[],
  body: readonly SlotAssignment[],
  first: number,
  end: number,
): boolean {
  if (known.length !== end - first) return false;
  for (let k = first; k < end; k++) {
    const own = known[k - first]!;
    if (own.slot !== body[k]!.slot || own.value !== body[k]!.value) return false;
  }
  return true;
}
