/**
 * Elements that always equal others, or their negatives: what connections equate (`b[i].T = a[i+1].T`, `b[i].q + a[i+1].q = 0`) is
 * computed by statements that copy. Elements are counted through the states, then through the algebraic variables.
 */
import type { Expr, Ref } from '../../symbolic/expr.ts';
import { isAccess } from '../elements/affine.ts';
import type { KernelStatement } from '../elements/kernel.ts';
import { eachElement } from '../elements/nodes.ts';
import type { Field } from '../field.ts';

/** By element: 1 + the number of the element that it equals, negative where it is the negative; 0 where it equals none. */
export function copiedElements({ states, algebraic, kernels }: Field): Int32Array {
  const firsts = new Map<number, number>();
  let count = 0;
  for (const { symbol, size, variable } of [...states, ...algebraic]) {
    if (variable.copy) continue;
    firsts.set(symbol, count);
    count += size;
  }
  const copied = new Int32Array(count);
  const firstOf = ({ symbol, order }: Ref): number | undefined =>
    order === 0 ? firsts.get(symbol) : undefined;
  for (const { statements, extents, system } of kernels) {
    // Rows of a system tell what they read, not what it is.
    if (system) continue;
    for (const [k, { target, value }] of statements.entries()) {
      const copy = copyOf(value, statements.slice(0, k));
      const to = firstOf(target);
      const from = copy && firstOf(copy.source);
      if (to === undefined || from === undefined) continue;
      const { source, sign } = copy!;
      const read = new Int32Array(extents.reduce((turns, n) => turns * n, 1));
      eachElement(source, extents, (element, turn) => {
        read[turn] = from + element;
      });
      // A scalar is the same in all turns.
      eachElement(target, extents, (element, turn) => {
        copied[to + element] = sign * (1 + read[isAccess(source) ? turn : 0]!);
      });
    }
  }
  return withoutChains(copied);
}

/** What a value is a copy of: a reference, its negative, or what an earlier statement of the same turn has the same value for. */
function copyOf(value: Expr, earlier: readonly KernelStatement[]): { source: Ref; sign: 1 | -1 } | undefined {
  if (value.kind === 'ref') return { source: value, sign: 1 };
  if (value.kind === 'apply' && value.op === 'neg' && value.args[0]!.kind === 'ref')
    return { source: value.args[0] as Ref, sign: -1 };
  const same = earlier.find((statement) => statement.value === value);
  return same && { source: same.target, sign: 1 };
}

/** A copy of a copy is one of the original. */
function withoutChains(copied: Int32Array): Int32Array {
  const isMet = new Uint8Array(copied.length);
  const chain: number[] = [];
  for (let k = 0; k < copied.length; k++) {
    let at = k;
    for (; copied[at] !== 0 && isMet[at] === 0; at = Math.abs(copied[at]!) - 1) {
      isMet[at] = 1;
      chain.push(at);
    }
    let original = copied[at] || at + 1;
    while (chain.length > 0) {
      const copy = chain.pop()!;
      original *= Math.sign(copied[copy]!);
      copied[copy] = original;
    }
  }
  return copied;
}
