/**
 * Elements of variables of a function to which no statement assigns, whatever way a call takes, and which are used nevertheless (Modelica 3.6, section 12.4.4).
 * Values of declarations are computed before all statements. Subscripts are followed as far as they are numbers, or iterators over known ranges with a number added; others may mean any element.
 */
import type { Span } from '../../diagnostic/source.ts';
import { subscriptsOf } from '../../names/names.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr, Local } from '../../symbolic/expr.ts';
import { expressionsOf, type FunctionStatement, statementsIn } from '../../symbolic/function.ts';
import { rangeCount, rangeValues } from '../../symbolic/ranges.ts';
import { isBare, targetsOf, type Written } from './certain.ts';

export interface Untouched {
  /** With subscripts, as in the text. */
  readonly name: string;
  readonly isOutput: boolean;
  readonly span: Span | undefined;
}

/** The first of them. */
export function untouched(written: Written): Untouched | undefined {
  const touched = touchedElements(written);
  const nameAt = (index: number, element: number): string => {
    const { name, dims } = written.locals[index]!;
    return dims.length === 0 ? name : `${name}[${subscriptsOf(dims, element).join(', ')}]`;
  };
  for (const index of written.outputs) {
    const free = touched.get(index)?.indexOf(0) ?? -1;
    if (free >= 0) return { name: nameAt(index, free), isOutput: true, span: written.span };
  }
  for (const { initial } of written.locals)
    for (const node of initial ? nodesOf(initial) : [])
      if (node.kind === 'local' && isBare(written, node.index))
        return { name: written.locals[node.index]!.name, isOutput: false, span: written.span };
  for (const statement of statementsIn<FunctionStatement>(written.body)) {
    const targets = new Set<Expr>(targetsOf(statement));
    for (const node of nodesOf(...expressionsOf(statement))) {
      if (node.kind !== 'local' || targets.has(node)) continue;
      const own = touched.get(node.index);
      const element = own && elementOf(node, written.locals[node.index]!.dims);
      if (element === undefined || own![element] !== 0) continue;
      const span = 'span' in statement ? statement.span : written.span;
      return { name: nameAt(node.index, element), isOutput: false, span };
    }
  }
  return undefined;
}

/** By array that begins without a value: 1 for the elements that some statement may assign. Arrays of which that is all are left out. */
function touchedElements(written: Written): Map<number, Uint8Array> {
  const result = new Map<number, Uint8Array>();
  for (const [index, { dims }] of written.locals.entries())
    if (dims.length > 0 && isBare(written, index))
      result.set(index, new Uint8Array(dims.reduce((a, b) => a * b)));
  const ranges = new Map<number, Expr>();
  for (const statement of statementsIn<FunctionStatement>(written.body)) {
    if (statement.kind === 'for') ranges.set(statement.iterator, statement.range);
    for (const target of targetsOf(statement)) {
      const own = result.get(target.index);
      if (own) touch(own, target, written.locals[target.index]!.dims, ranges);
    }
  }
  for (const [index, own] of result) if (own.every((one) => one === 1)) result.delete(index);
  return result;
}

function touch(
  own: Uint8Array,
  { subscripts }: Local,
  dims: readonly number[],
  ranges: ReadonlyMap<number, Expr>,
): void {
  let elements = [0];
  for (const [k, size] of dims.entries()) {
    const values = subscripts[k] && valuesOf(subscripts[k], ranges);
    const chosen =
      values?.filter((n) => n >= 1 && n <= size) ?? Array.from({ length: size }, (_, i) => i + 1);
    elements = elements.flatMap((element) => chosen.map((n) => element * size + n - 1));
  }
  for (const element of elements) own[element] = 1;
}

/** The numbers that a subscript may be; undefined where that is not known. */
function valuesOf(subscript: Expr, ranges: ReadonlyMap<number, Expr>): readonly number[] | undefined {
  if (subscript.kind === 'const') return [subscript.value];
  if (subscript.kind === 'iter') {
    const range = ranges.get(subscript.iterator);
    return range && valuesOf(range, ranges);
  }
  if (subscript.kind !== 'apply') return undefined;
  const [first, second, third] = subscript.args.map((arg) => (arg.kind === 'const' ? arg.value : undefined));
  if (subscript.op === 'range') {
    if (first === undefined || second === undefined || third === undefined) return undefined;
    return rangeCount(first, second, third) > LARGEST ? undefined : rangeValues(first, second, third);
  }
  if (subscript.op !== 'add' && subscript.op !== 'sub') return undefined;
  const values = valuesOf(subscript.args[0]!, ranges);
  return second === undefined
    ? undefined
    : values?.map((n) => (subscript.op === 'add' ? n + second : n - second));
}

/** Ranges that are followed number by number. */
const LARGEST = 10_000;

/** The element that fixed subscripts choose. */
function elementOf({ subscripts }: Local, dims: readonly number[]): number | undefined {
  if (subscripts.length !== dims.length) return undefined;
  let element = 0;
  for (const [k, one] of subscripts.entries()) {
    if (one.kind !== 'const') return undefined;
    element = element * dims[k]! + one.value - 1;
  }
  return element;
}
