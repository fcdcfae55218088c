/**
 * Text of a module that `wasm.ts` encoded, for people: WebAssembly text format with expressions folded and the names
 * of variables as comments at loads and stores. It is valid text: an assembler gives the same code back. It knows the
 * sections and instructions that our encoder writes, and says so when it meets another.
 *
 * Operators are folded by running the code over a stack of trees. Whatever has an effect (a store, a local that is set, the
 * beginning of a block) first prints the trees that wait on the stack; their values are then on the machine's
 * stack, and an operator that takes them is printed with fewer operands.
 */
import { op } from './encoder.ts';

export interface DisassembleOptions {
  /** What lies in a slot of the memory. */
  readonly nameOfSlot?: (slot: number) => string | undefined;
}

export function disassemble(bytes: Uint8Array, options: DisassembleOptions = {}): string {
  return new Disassembler(bytes, options).module();
}

/** An expression that is not printed yet. */
interface Tree {
  readonly head: string;
  readonly operands: readonly Tree[];
  readonly comment: string | undefined;
  readonly depth: number;
  /** Characters on one line. */
  readonly width: number;
}

/** A value that is on the machine's stack because its tree has been printed. */
type Entry = Tree | undefined;

interface Signature {
  readonly parameters: readonly string[];
  readonly results: readonly string[];
}

const lineWidth = 100;
/** Deeper trees are printed in parts. */
const deepest = 40;

const valueTypes: Record<number, string> = { 124: 'f64', 127: 'i32' };

type Name = keyof typeof op;

const names = new Map(Object.entries(op).map(([name, code]) => [code as number, name as Name]));

/** Instructions that are no operators of two operands: operands taken, results given. */
const others: Partial<Record<Name, readonly [number, 0 | 1]>> = {
  unreachable: [0, 0],
  br: [0, 0],
  brIf: [1, 0],
  drop: [1, 0],
  select: [3, 1],
  localGet: [0, 1],
  localSet: [1, 0],
  localTee: [1, 1],
  globalGet: [0, 1],
  globalSet: [1, 0],
};
const unary = /Eqz|Abs|Neg|Ceil|Floor|Trunc|Sqrt|Convert/;
const withIndex = /^(br|local|global)/;

/** `f64ConvertI32S` is written `f64.convert_i32_s`. */
const textOf = (name: Name): string =>
  name
    .replace(
      /^(i32|f64|local|global)(.)/,
      (_, type: string, first: string) => `${type}.${first.toLowerCase()}`,
    )
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

class Disassembler {
  private readonly view: DataView;
  private at = 8;
  private readonly types: Signature[] = [];
  /** Type of every function, imports first. */
  private readonly functions: number[] = [];
  private readonly names = new Map<number, string>();
  private imported = 0;
  private readonly head: string[] = [];
  private readonly lines: string[] = [];
  private stack: Entry[] = [];
  private indent = 1;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly options: DisassembleOptions,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  module(): string {
    const sections = this.sections();
    this.readNames(sections.get(0));
    this.each(sections.get(1), () => this.types.push(this.readType()));
    this.each(sections.get(2), () => this.readImport());
    this.each(sections.get(3), () => this.functions.push(this.u32()));
    this.each(sections.get(6), () => this.readGlobal());
    this.each(sections.get(7), () => this.readExport());
    let index = this.imported;
    this.each(sections.get(10), () => this.readBody(index++));
    return `(module\n${[...this.head, ...this.lines].join('\n')}\n)\n`;
  }

  private sections(): Map<number, number> {
    const found = new Map<number, number>();
    while (this.at < this.bytes.length) {
      const id = this.byte();
      const length = this.u32();
      found.set(id, this.at);
      this.at += length;
    }
    return found;
  }

  private each(start: number | undefined, read: () => void): void {
    if (start === undefined) return;
    this.at = start;
    for (let count = this.u32(); count > 0; count--) read();
  }

  private readNames(start: number | undefined): void {
    if (start === undefined) return;
    this.at = start;
    this.text();
    this.byte();
    const moduleName = this.u32();
    this.at += moduleName;
    if (this.at >= this.bytes.length || this.byte() !== 1) return;
    this.u32();
    const taken = new Set<string>();
    for (let count = this.u32(); count > 0; count--) {
      const index = this.u32();
      const name = identifier(this.text());
      this.names.set(index, taken.has(name) ? `${name}~${index}` : name);
      taken.add(name);
    }
  }

  private readType(): Signature {
    this.byte();
    return { parameters: this.valueTypes(), results: this.valueTypes() };
  }

  private valueTypes(): string[] {
    return Array.from({ length: this.u32() }, () => valueTypes[this.byte()]!);
  }

  private readImport(): void {
    const from = `(import "${this.text()}" "${this.text()}"`;
    const kind = this.byte();
    if (kind === 0) {
      const type = this.u32();
      const index = this.imported++;
      this.functions.push(type);
      this.head.push(`  ${from} (func ${this.functionName(index)}${this.signature(this.types[type]!)}))`);
    } else if (kind === 2) {
      this.byte();
      this.head.push(`  ${from} (memory ${this.u32()}))`);
    } else {
      const type = valueTypes[this.byte()]!;
      this.byte();
      this.head.push(`  ${from} (global ${type}))`);
    }
  }

  private readGlobal(): void {
    const type = valueTypes[this.byte()]!;
    const mutable = this.byte() === 1;
    const code = this.byte();
    const value = code === 0x44 ? `f64.const ${number(this.f64())}` : `i32.const ${this.s32()}`;
    this.byte();
    this.head.push(`  (global ${mutable ? `(mut ${type})` : type} (${value}))`);
  }

  private readExport(): void {
    const name = this.text();
    this.byte();
    this.head.push(`  (export "${name}" (func ${this.functionName(this.u32())}))`);
  }

  private readBody(index: number): void {
    const end = this.u32() + this.at;
    const type = this.types[this.functions[index]!]!;
    this.lines.push(`  (func ${this.functionName(index)}${this.signature(type)}`);
    this.indent = 2;
    const locals: string[] = [];
    for (let runs = this.u32(); runs > 0; runs--) {
      locals.push(...new Array<string>(this.u32()).fill(valueTypes[this.byte()]!));
    }
    if (locals.length > 0) this.line(`(local ${locals.join(' ')})`);
    this.stack = [];
    while (this.at < end - 1) this.instruction();
    this.flush();
    this.at = end;
    this.lines[this.lines.length - 1] += ')';
  }

  private instruction(): void {
    const code = this.byte();
    const name = names.get(code);
    switch (name) {
      case 'block':
      case 'loop':
      case 'if':
        this.open(name);
        break;
      case 'else':
        this.middle();
        break;
      case 'end':
        this.close();
        break;
      case 'call':
        this.call(this.u32());
        break;
      case 'f64Load':
        this.access('f64.load', 1, 1);
        break;
      case 'f64Store':
        this.access('f64.store', 2, 0);
        break;
      case 'i32Const':
        this.apply(`i32.const ${this.s32()}`, 0, 1);
        break;
      case 'f64Const':
        this.apply(`f64.const ${number(this.f64())}`, 0, 1);
        break;
      case 'saturating':
        this.prefixed();
        break;
      case 'i32Load':
      case undefined:
        throw new Error(`instruction 0x${code.toString(16)} is not one of those that the encoder writes`);
      default: {
        const [operands, results] = others[name] ?? [unary.test(name) ? 1 : 2, 1];
        const index = withIndex.test(name) ? ` ${this.u32()}` : '';
        this.apply(`${textOf(name)}${index}`, operands, results);
      }
    }
  }

  private prefixed(): void {
    if (this.u32() === 2) {
      this.apply('i32.trunc_sat_f64_s', 1, 1);
    } else {
      this.byte();
      this.apply('memory.fill', 3, 0);
    }
  }

  private call(index: number): void {
    const { parameters, results } = this.types[this.functions[index]!]!;
    const head = `call ${this.functionName(index)}`;
    if (results.length === 1) {
      this.apply(head, parameters.length, 1);
      return;
    }
    this.apply(head, parameters.length, 0);
    for (const _ of results) this.stack.push(undefined);
  }

  private access(name: string, operands: number, results: 0 | 1): void {
    this.u32();
    const offset = this.u32();
    const top = this.stack[this.stack.length - operands];
    const isSlot = top?.head === 'i32.const 0';
    const comment = isSlot ? this.options.nameOfSlot?.(offset / 8) : undefined;
    this.apply(offset === 0 ? name : `${name} offset=${offset}`, operands, results, comment);
  }

  /** Takes operands from the stack; what gives no result is printed. */
  private apply(head: string, count: number, results: 0 | 1, comment?: string): void {
    const taken = count > 0 ? this.stack.splice(Math.max(0, this.stack.length - count)) : [];
    const operands = taken.filter((entry) => entry !== undefined);
    let depth = 0;
    let width = head.length + 2 + (comment ? comment.length + 7 : 0);
    for (const operand of operands) {
      depth = Math.max(depth, operand.depth);
      width += operand.width + 1;
    }
    const tree: Tree = { head, operands, comment, depth: depth + 1, width };
    const isComplete = operands.length === taken.length;
    if (results === 1 && isComplete && tree.depth < deepest) {
      this.stack.push(tree);
      return;
    }
    this.flush();
    this.print(tree);
    if (results === 1) this.stack.push(undefined);
  }

  /** Prints what waits on the stack. */
  private flush(): void {
    for (const [i, entry] of this.stack.entries()) {
      if (!entry) continue;
      this.print(entry);
      this.stack[i] = undefined;
    }
  }

  private readonly blocks: { readonly height: number; readonly results: number }[] = [];

  private open(name: string): void {
    const type = this.byte();
    const hasResult = type !== 0x40;
    this.flush();
    if (name === 'if') this.stack.pop();
    this.line(hasResult ? `${name} (result ${valueTypes[type]})` : name);
    this.blocks.push({ height: this.stack.length, results: hasResult ? 1 : 0 });
    this.indent++;
  }

  private middle(): void {
    this.flush();
    this.stack.length = this.blocks[this.blocks.length - 1]!.height;
    this.indent--;
    this.line('else');
    this.indent++;
  }

  private close(): void {
    this.flush();
    const { height, results } = this.blocks.pop()!;
    this.stack.length = height;
    for (let k = 0; k < results; k++) this.stack.push(undefined);
    this.indent--;
    this.line('end');
  }

  private line(text: string): void {
    this.lines.push('  '.repeat(this.indent) + text);
  }

  /** On one line where it fits, else with every operand on its own. */
  private print(tree: Tree): void {
    if (2 * this.indent + tree.width <= lineWidth || tree.operands.length === 0) {
      this.line(oneLine(tree));
      return;
    }
    this.line(`(${tree.head}${commentText(tree.comment)}`);
    this.indent++;
    for (const operand of tree.operands) this.print(operand);
    this.indent--;
    this.lines[this.lines.length - 1] += ')';
  }

  private functionName(index: number): string {
    return `$${this.names.get(index) ?? index}`;
  }

  private signature({ parameters, results }: Signature): string {
    const parameterText = parameters.length > 0 ? ` (param ${parameters.join(' ')})` : '';
    return results.length > 0 ? `${parameterText} (result ${results.join(' ')})` : parameterText;
  }

  private byte(): number {
    return this.bytes[this.at++]!;
  }

  private u32(): number {
    let result = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result >>> 0;
    }
  }

  private s32(): number {
    let result = 0;
    for (let shift = 0; ; ) {
      const byte = this.byte();
      result |= (byte & 0x7f) << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      return shift < 32 && byte & 0x40 ? result | (-1 << shift) : result;
    }
  }

  private f64(): number {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  private text(): string {
    const length = this.u32();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

function oneLine(tree: Tree): string {
  const operands = tree.operands.map((operand) => ` ${oneLine(operand)}`).join('');
  return `(${tree.head}${operands}${commentText(tree.comment)})`;
}

/** A comment cannot be ended by a name that stands in it. */
function commentText(comment: string | undefined): string {
  return comment === undefined ? '' : ` (; ${comment.replace(/[\n\r]|;(?=\))|\((?=;)/g, ' ')} ;)`;
}

/** Characters of identifiers of the text format; others are replaced. */
function identifier(name: string): string {
  return name.replace(/[^\w!#$%&'*+\-./:<=>?@\\^`|~]/g, '_') || '_';
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Object.is(value, -0) ? '-0' : String(value);
}
