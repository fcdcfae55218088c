/**
 * Types and ranks of expressions, found from those of the variables in them. Expressions themselves carry neither: a Boolean is a
 * number, and `mul` of two arrays is a product element by element. Text that is read again must say both.
 */
import { fold } from './analyse.ts';
import type { Apply, Expr, Local, Pre, Ref } from './expr.ts';
import type { FunctionDef, ValueType } from './function.ts';
import { isEventOperator, isLogical } from './operators.ts';

/** What is known of the variables and functions in expressions. */
export interface Known {
  /** Type and number of dimensions of a variable as a whole. */
  readonly variable: (leaf: Ref | Pre | Local) => { readonly type: ValueType; readonly rank: number };
  readonly fn: (fn: number) => FunctionDef;
}

/** `Constant` is the type of 0 and 1 alone: numbers where numbers are wanted, Booleans where Booleans are. */
type Found = { readonly type: ValueType | 'Constant'; readonly rank: number };

export class Typing {
  private readonly memo = new Map<Expr, Found>();

  constructor(private readonly known: Known) {}

  /** Constants 0 and 1 that could be of either type count as Integers. */
  type(expr: Expr): ValueType {
    const { type } = this.of(expr);
    return type === 'Constant' ? 'Integer' : type;
  }

  /** Boolean, whatever stands around it. */
  isBoolean(expr: Expr): boolean {
    return this.of(expr).type === 'Boolean';
  }

  /** How many dimensions a value has. */
  rank(expr: Expr): number {
    return this.of(expr).rank;
  }

  /** The inputs of a function, for the arguments of a call. */
  inputs(fn: number): FunctionDef['locals'] {
    const { locals, inputs } = this.known.fn(fn);
    return locals.slice(0, inputs);
  }

  private of(root: Expr): Found {
    return fold(root, this.memo, (node) => this.node(node));
  }

  private node(node: Expr): Found {
    switch (node.kind) {
      case 'const':
        return {
          type: node.value === 0 || node.value === 1 ? 'Constant' : numberType(node.value),
          rank: 0,
        };
      case 'text':
        return { type: 'String', rank: 0 };
      case 'time':
        return { type: 'Real', rank: 0 };
      case 'iter':
        return { type: 'Integer', rank: 0 };
      case 'held':
        return { type: 'Boolean', rank: 0 };
      case 'ref':
      case 'pre':
      case 'local': {
        const { type, rank } = this.known.variable(node);
        return { type, rank: rank - this.fixed(node.subscripts) };
      }
      case 'call': {
        const { locals, inputs } = this.known.fn(node.fn);
        const { type, dims } = locals[inputs + node.output]!;
        return { type, rank: dims.length };
      }
      case 'apply':
        return this.apply(node);
    }
  }

  /** How many of the subscripts take one element. */
  private fixed(subscripts: readonly Expr[]): number {
    return subscripts.filter((one) => !(one.kind === 'apply' && one.op === 'colon') && this.rank(one) === 0)
      .length;
  }

  private apply(node: Apply): Found {
    const { op, args } = node;
    const found = args.map((arg) => this.memo.get(arg)!);
    const first = found[0]!;
    const rank = Math.max(0, ...found.map((one) => one.rank));
    if (isLogical(op) || (isEventOperator(op) && op !== 'der')) return { type: 'Boolean', rank };
    switch (op) {
      case 'string':
      case 'concat':
      case 'pad':
      case 'format':
        return { type: 'String', rank: 0 };
      case 'order':
        return { type: 'Integer', rank: 0 };
      case 'if':
        return { type: common(found.slice(1)), rank: found[1]!.rank };
      case 'smooth':
        return found[1]!;
      case 'homotopy':
      case 'min':
      case 'max':
        return { type: common(found), rank };
      case 'noEvent':
      case 'transpose':
      case 'symmetric':
        return first;
      case 'add':
      case 'sub':
      case 'mul':
      case 'neg':
      case 'abs':
      case 'mod':
      case 'rem':
      case 'idiv':
        return { type: number(found), rank };
      case 'sign':
      case 'exact':
        return { type: 'Integer', rank };
      case 'array':
        return { type: args.length === 0 ? 'Real' : common(found), rank: (first?.rank ?? 0) + 1 };
      case 'range':
        return { type: number(found), rank: 1 };
      case 'colon':
        return { type: 'Integer', rank: 1 };
      case 'comprehension':
        return { type: first.type, rank: first.rank + (args.length - 1) / 2 };
      case 'sumOver':
      case 'productOver':
      case 'minOver':
      case 'maxOver':
      case 'sum':
      case 'product':
        return { type: number([first]), rank: 0 };
      case 'minOf':
      case 'maxOf':
      case 'scalar':
        return { type: first.type, rank: 0 };
      case 'size':
      case 'ndims':
        return { type: 'Integer', rank: 0 };
      case 'matmul':
        return { type: number(found), rank: first.rank + found[1]!.rank - 2 };
      case 'fill':
        return { type: first.type, rank: first.rank + args.length - 1 };
      case 'identity':
        return { type: 'Integer', rank: 2 };
      case 'diagonal':
      case 'skew':
      case 'matrix':
        return { type: first.type, rank: 2 };
      case 'outerProduct':
        return { type: number(found), rank: 2 };
      case 'linspace':
        return { type: 'Real', rank: 1 };
      case 'cross':
        return { type: number(found), rank: 1 };
      case 'vector':
        return { type: first.type, rank: 1 };
      case 'cat':
        return { type: common(found.slice(1)), rank: found[1]!.rank };
      case 'promote': {
        const target = args[1]!;
        return { type: first.type, rank: target.kind === 'const' ? target.value : first.rank };
      }
      case 'subscript':
        return { type: first.type, rank: first.rank - this.fixed(args.slice(1)) };
      default:
        return { type: 'Real', rank };
    }
  }
}

const numberType = (value: number): ValueType => (Number.isSafeInteger(value) ? 'Integer' : 'Real');

/** The type that holds all values. */
function common(found: readonly Found[]): Found['type'] {
  const types = new Set(found.map((one) => one.type));
  if (types.has('String')) return 'String';
  if (types.has('Real')) return 'Real';
  if (types.has('Integer')) return 'Integer';
  return types.has('Boolean') ? 'Boolean' : 'Constant';
}

/** The type of a result of arithmetic: Booleans in it stand for 0 and 1. */
const number = (found: readonly Found[]): ValueType =>
  found.some((one) => one.type === 'Real') ? 'Real' : 'Integer';
