/**
 * A direct encoder of the WebAssembly binary format (core specification 2.0, chapter 5). Instructions are written
 * as bytes into a growing buffer, with no object per instruction: that is what makes a mode of 10,000 equations run a
 * few milliseconds after its structure is known.
 *
 * A module is magic, version, then sections: a section is its number, its length and a vector of entries.
 * Integers are LEB128 (seven bits a byte, least significant first), floats are IEEE little-endian. A function body
 * declares its locals as runs (count, type) in front of its instructions, so bodies are written first and get their
 * heads when they are added to the module.
 */
import { grown } from '../collections/lists.ts';
import { remember } from '../collections/memo.ts';

/** Value types by their encoding. */
export const f64 = 0x7c;
export const i32 = 0x7f;
export type ValType = typeof f64 | typeof i32;

/** Block type of a block that leaves nothing. */
export const empty = 0x40;

/** The instructions that generated code uses. */
export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  call: 0x10,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Load: 0x28,
  f64Load: 0x2b,
  f64Store: 0x39,
  i32Const: 0x41,
  f64Const: 0x44,
  i32Eqz: 0x45,
  i32Ne: 0x47,
  i32GtS: 0x4a,
  i32GtU: 0x4b,
  i32GeU: 0x4f,
  f64Eq: 0x61,
  f64Ne: 0x62,
  f64Lt: 0x63,
  f64Gt: 0x64,
  f64Le: 0x65,
  f64Ge: 0x66,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i32And: 0x71,
  i32Or: 0x72,
  f64Abs: 0x99,
  f64Neg: 0x9a,
  f64Ceil: 0x9b,
  f64Floor: 0x9c,
  f64Trunc: 0x9d,
  f64Sqrt: 0x9f,
  f64Add: 0xa0,
  f64Sub: 0xa1,
  f64Mul: 0xa2,
  f64Div: 0xa3,
  f64Min: 0xa4,
  f64Max: 0xa5,
  f64ConvertI32S: 0xb7,
  /** Prefix of the saturating conversions; 2 is i32 from f64, signed. */
  saturating: 0xfc,
} as const;

/** A growing sequence of bytes. */
export class Bytes {
  private data: Uint8Array;
  private view: DataView;
  private count = 0;

  constructor(capacity = 256) {
    this.data = new Uint8Array(capacity);
    this.view = new DataView(this.data.buffer);
  }

  get length(): number {
    return this.count;
  }

  /** The bytes written so far; valid until the next write. */
  get bytes(): Uint8Array {
    return this.data.subarray(0, this.count);
  }

  clear(): void {
    this.count = 0;
  }

  byte(value: number): void {
    if (this.count === this.data.length) this.grow(1);
    this.data[this.count++] = value;
  }

  /** An unsigned integer below 2^32. */
  u32(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** A signed 32-bit integer. */
  s32(value: number): void {
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      const done = (rest === 0 && !(low & 0x40)) || (rest === -1 && (low & 0x40) !== 0);
      this.byte(done ? low : low | 0x80);
      if (done) return;
    }
  }

  f64(value: number): void {
    if (this.count + 8 > this.data.length) this.grow(8);
    this.view.setFloat64(this.count, value, true);
    this.count += 8;
  }

  append(bytes: Uint8Array): void {
    if (this.count + bytes.length > this.data.length) this.grow(bytes.length);
    this.data.set(bytes, this.count);
    this.count += bytes.length;
  }

  /** A name: length in bytes and UTF-8. */
  name(text: string): void {
    const encoded = utf8.encode(text);
    this.u32(encoded.length);
    this.append(encoded);
  }

  /** Parts one after the other, behind a number and their length. */
  section(id: number, ...parts: readonly Bytes[]): void {
    this.byte(id);
    this.u32(parts.reduce((length, part) => length + part.length, 0));
    for (const part of parts) this.append(part.bytes);
  }

  private grow(more: number): void {
    this.data = grown(this.data, this.count + more);
    this.view = new DataView(this.data.buffer);
  }
}

const utf8 = new TextEncoder();

/**
 * The instructions of one function. Locals beyond the parameters are allocated as they are needed and may be given
 * back for reuse; the declaration of all of them is written when the body is added to a module.
 */
export class Body {
  readonly code = new Bytes(32768);
  private types: ValType[] = [];
  private parameters = 0;
  private readonly free: { [f64]: number[]; [i32]: number[] } = { [f64]: [], [i32]: [] };
  /** How many blocks are open around the next instruction; a label is addressed by its distance. */
  depth = 0;

  /** Starts anew for a function with so many parameters. */
  reset(parameters: number): void {
    this.code.clear();
    this.types = [];
    this.parameters = parameters;
    this.free[f64].length = 0;
    this.free[i32].length = 0;
    this.depth = 0;
  }

  get locals(): readonly ValType[] {
    return this.types;
  }

  allocate(type: ValType): number {
    const known = this.free[type].pop();
    if (known !== undefined) return known;
    this.types.push(type);
    return this.parameters + this.types.length - 1;
  }

  release(type: ValType, local: number): void {
    this.free[type].push(local);
  }

  /** An instruction; operands that are locals are put on the stack first. */
  op(code: number, first?: number, second?: number): void {
    if (first !== undefined) this.opIndex(op.localGet, first);
    if (second !== undefined) this.opIndex(op.localGet, second);
    this.code.byte(code);
  }

  /** An instruction with one index: local, global, call, br. */
  opIndex(code: number, index: number): void {
    this.code.byte(code);
    this.code.u32(index);
  }

  const(value: number): void {
    this.code.byte(op.f64Const);
    this.code.f64(value);
  }

  constI32(value: number): void {
    this.code.byte(op.i32Const);
    this.code.s32(value);
  }

  /** The address is on the stack; `offset` is in bytes, doubles are aligned to 2^3. */
  load(offset: number): void {
    this.access(op.f64Load, 3, offset);
  }

  /** Of a double at an address that is known. */
  loadSlot(slot: number): void {
    this.constI32(0);
    this.load(slot * 8);
  }

  /** As `load`, of a 32-bit integer. */
  loadI32(offset: number): void {
    this.access(op.i32Load, 2, offset);
  }

  /** Address and value are on the stack. */
  store(offset: number): void {
    this.access(op.f64Store, 3, offset);
  }

  private access(code: number, alignment: number, offset: number): void {
    this.code.byte(code);
    this.code.byte(alignment);
    this.code.u32(offset);
  }

  /** Opens `block`, `loop` or `if`. */
  open(code: number, type: number = empty): void {
    this.code.byte(code);
    this.code.byte(type);
    this.depth++;
  }

  close(): void {
    this.code.byte(op.end);
    this.depth--;
  }
}

/** Indices of functions count imports first, so all imports are declared before the first function. */
export class ModuleBuilder {
  private readonly types = new Table();
  private readonly imports = new Table();
  private readonly functions = new Table();
  private readonly globals = new Table();
  private readonly exports = new Table();
  private readonly bodies = new Table();
  private readonly functionNames = new Table();
  private readonly typeIndex = new Map<string, number>();
  private importedFunctions = 0;
  private globalCount = 0;

  constructor(private readonly moduleName: string) {}

  importMemory(module: string, field: string): void {
    const entry = this.imported(module, field, 0x02);
    entry.byte(0x00);
    entry.u32(1);
  }

  importFunction(module: string, field: string, parameters: readonly ValType[], results: readonly ValType[]) {
    const type = this.type(parameters, results);
    this.imported(module, field, 0x00).u32(type);
    this.nameFunction(this.importedFunctions, `${module}.${field}`);
    return this.importedFunctions++;
  }

  /** An immutable i32 given at instantiation. */
  importGlobal(module: string, field: string): number {
    const entry = this.imported(module, field, 0x03);
    entry.byte(i32);
    entry.byte(0x00);
    return this.globalCount++;
  }

  private imported(module: string, field: string, kind: number): Bytes {
    const entry = this.imports.entry();
    entry.name(module);
    entry.name(field);
    entry.byte(kind);
    return entry;
  }

  /** A mutable i32 with its initial value. */
  global(initial: number): number {
    const entry = this.globals.entry();
    entry.byte(i32);
    entry.byte(0x01);
    entry.byte(op.i32Const);
    entry.s32(initial);
    entry.byte(op.end);
    return this.globalCount++;
  }

  /** Declares a function whose body is added later, in the order of declaration. */
  declare(name: string, parameters: readonly ValType[], results: readonly ValType[]): number {
    const type = this.type(parameters, results);
    const index = this.importedFunctions + this.functions.count;
    this.functions.entry().u32(type);
    this.nameFunction(index, name);
    return index;
  }

  /** Adds the body of the next declared function; `body` may be used again afterwards. */
  define(body: Body): void {
    const head = new Bytes(16);
    const types = body.locals;
    let runs = 0;
    for (let i = 0; i < types.length; i++) if (types[i] !== types[i - 1]) runs++;
    head.u32(runs);
    for (let i = 0; i < types.length; ) {
      const start = i;
      while (i < types.length && types[i] === types[start]) i++;
      head.u32(i - start);
      head.byte(types[start]!);
    }
    const entry = this.bodies.entry();
    entry.u32(head.length + body.code.length + 1);
    entry.append(head.bytes);
    entry.append(body.code.bytes);
    entry.byte(op.end);
  }

  exportFunction(name: string, index: number): void {
    const entry = this.exports.entry();
    entry.name(name);
    entry.byte(0x00);
    entry.u32(index);
  }

  encode(): Uint8Array {
    if (this.bodies.count !== this.functions.count) throw new Error('a declared function has no body');
    const out = new Bytes(this.bodies.length + 4096);
    for (const byte of [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]) out.byte(byte);
    this.types.writeSection(out, 1);
    this.imports.writeSection(out, 2);
    this.functions.writeSection(out, 3);
    this.globals.writeSection(out, 6);
    this.exports.writeSection(out, 7);
    this.bodies.writeSection(out, 10);
    this.writeNames(out);
    return out.bytes.slice();
  }

  private type(parameters: readonly ValType[], results: readonly ValType[]): number {
    return remember(this.typeIndex, `${parameters.join()}>${results.join()}`, () => {
      const entry = this.types.entry();
      entry.byte(0x60);
      for (const types of [parameters, results]) {
        entry.u32(types.length);
        for (const type of types) entry.byte(type);
      }
      return this.types.count - 1;
    });
  }

  private nameFunction(index: number, name: string): void {
    const entry = this.functionNames.entry();
    entry.u32(index);
    entry.name(name);
  }

  /** The custom section `name`: module name (0) and function names (1), for debuggers and disassemblers. */
  private writeNames(out: Bytes): void {
    const content = new Bytes();
    content.name('name');
    const module = new Bytes();
    module.name(this.moduleName);
    content.section(0, module);
    this.functionNames.writeSection(content, 1);
    out.section(0, content);
  }
}

/** The entries of a section: a vector, preceded by its count when written. */
class Table {
  count = 0;
  private readonly content = new Bytes();

  get length(): number {
    return this.content.length;
  }

  entry(): Bytes {
    this.count++;
    return this.content;
  }

  writeSection(out: Bytes, id: number): void {
    if (this.count === 0) return;
    const count = new Bytes(8);
    count.u32(this.count);
    out.section(id, count, this.content);
  }
}
