/** The printer's part for expressions; `print.ts` says what it promises. */
import type {
  Binary,
  BinaryOperator,
  Call,
  ComponentRef,
  Expression,
  Iterator,
  NamedArgument,
  PartialApplication,
  Subscript,
} from './ast.ts';

/** Lists longer than this are broken into lines. */
const WIDTH = 100;

export const newLine = (level: number): string => `\n${'  '.repeat(level)}`;

/** A list in brackets, on one line or with a line for each member. */
export function list(open: string, members: readonly string[], close: string, level: number): string {
  let length = 0;
  for (const member of members) length += member.length + 2;
  if (length <= WIDTH || members.length === 1) return open + members.join(', ') + close;
  const inner = newLine(level + 1);
  return `${open}${inner}${members.join(`,${inner}`)}${close}`;
}

/** The same with round brackets, of things that are printed a level further in. */
export const listOf = <Item>(
  items: readonly Item[],
  printItem: (item: Item, level: number) => string,
  level: number,
): string => {
  const members = items.map((item) => printItem(item, level + 1));
  return list('(', members, ')', level);
};

// How tightly an expression binds; an operand must bind at least as tightly as its place demands.
const CONDITIONAL = 0;
const RANGE = 1;
const OR = 2;
const AND = 3;
const NOT = 4;
const RELATION = 5;
const SUM = 6;
const PRODUCT = 7;
const POWER = 8;
const PRIMARY = 9;

const strengths: Record<BinaryOperator, number> = {
  or: OR,
  and: AND,
  '<': RELATION,
  '<=': RELATION,
  '>': RELATION,
  '>=': RELATION,
  '==': RELATION,
  '<>': RELATION,
  '+': SUM,
  '-': SUM,
  '.+': SUM,
  '.-': SUM,
  '*': PRODUCT,
  '/': PRODUCT,
  '.*': PRODUCT,
  './': PRODUCT,
  '^': POWER,
  '.^': POWER,
};

/** The text of an expression; `simple` asks for one that does not begin with `if` (the left side of an equation). */
export function printExpression(expression: Expression, level = 0, simple = false): string {
  return operand(expression, simple ? RANGE : CONDITIONAL, level);
}

function operand(expression: Expression, least: number, level: number): string {
  const text = print(expression, level);
  return strength(expression) < least ? `(${text})` : text;
}

function strength(expression: Expression): number {
  switch (expression.kind) {
    case 'if':
      return CONDITIONAL;
    case 'range':
      return RANGE;
    case 'unary':
      return expression.operator === 'not' ? NOT : SUM;
    case 'binary':
      return strengths[expression.operator];
    default:
      return PRIMARY;
  }
}

function print(expression: Expression, level: number): string {
  const all = (members: readonly (Expression | undefined)[]): string[] =>
    members.map((one) => (one ? printExpression(one, level + 1) : ''));
  switch (expression.kind) {
    case 'number':
    case 'string':
      return expression.text;
    case 'boolean':
      return String(expression.value);
    case 'end':
      return 'end';
    case 'ref':
      return printReference(expression, level);
    case 'call':
      return printCall(expression, level);
    case 'unary': {
      const { operator } = expression;
      if (operator === 'not') return `not ${operand(expression.operand, RELATION, level)}`;
      return operator + operand(expression.operand, PRODUCT, level);
    }
    case 'binary':
      return printBinary(expression, level);
    case 'if': {
      const branches = expression.branches.map(
        ({ condition, value }) =>
          `if ${printExpression(condition, level)} then ${printExpression(value, level)} `,
      );
      return `${branches.join('else')}else ${printExpression(expression.otherwise, level)}`;
    }
    case 'range': {
      const { first, step, last } = expression;
      return [first, step, last].flatMap((one) => (one ? [operand(one, OR, level)] : [])).join(':');
    }
    case 'array':
      return list('{', all(expression.elements), '}', level);
    case 'matrix':
      return `[${expression.rows.map((row) => all(row).join(', ')).join('; ')}]`;
    case 'comprehension':
      return `{${printExpression(expression.value, level)} ${printIterators(expression.iterators, level)}}`;
    case 'index':
      return `(${printExpression(expression.array, level)})${printSubscripts(expression.subscripts, level)}`;
    case 'tuple':
      return list('(', all(expression.members), ')', level);
  }
}

/** Long sums lean left and are as deep as they are long: the left spine is walked in a loop. */
function printBinary(top: Binary, level: number): string {
  const tail: string[] = [];
  let left: Expression = top;
  for (;;) {
    const own: number = strengths[left.operator];
    const right = operand(left.right, own + 1, level);
    const tight = left.operator === '*' || left.operator === '/' || left.operator === '^';
    tail.push(tight ? `${left.operator}${right}` : ` ${left.operator} ${right}`);
    const least: number = own === RELATION || own === POWER ? own + 1 : own;
    const next: Expression = left.left;
    if (next.kind !== 'binary' || strengths[next.operator] < least) {
      return operand(next, least, level) + tail.reverse().join('');
    }
    left = next;
  }
}

// ---------------------------------------------------------------- references and calls

export function printReference(ref: ComponentRef, level: number): string {
  const parts = ref.parts.map((part) => part.name + printSubscripts(part.subscripts, level));
  return (ref.global ? '.' : '') + parts.join('.');
}

export function printSubscripts(subscripts: readonly Subscript[], level: number): string {
  if (subscripts.length === 0) return '';
  const texts = subscripts.map((one) => (one.kind === 'colon' ? ':' : printExpression(one, level)));
  return `[${texts.join(', ')}]`;
}

export function printCall(call: Call, level: number): string {
  const members = [
    ...call.positional.map((one) => argument(one, level + 1)),
    ...call.named.map((one) => named(one, level + 1)),
  ];
  const iterators = call.iterators ? ` ${printIterators(call.iterators, level)}` : '';
  return printReference(call.callee, level) + list('(', members, `${iterators})`, level);
}

const named = (one: NamedArgument, level: number): string =>
  `${one.name.text} = ${argument(one.value, level)}`;

function argument(one: Expression | PartialApplication, level: number): string {
  if (one.kind !== 'partial') return printExpression(one, level);
  const target = (one.function.global ? '.' : '') + one.function.parts.map((part) => part.text).join('.');
  return `function ${target}${listOf(one.arguments, named, level)}`;
}

export function printIterators(iterators: readonly Iterator[], level: number): string {
  const texts = iterators.map(({ name, range }) =>
    range ? `${name.text} in ${printExpression(range, level)}` : name.text,
  );
  return `for ${texts.join(', ')}`;
}
