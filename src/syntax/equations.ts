/** Equations (Modelica 3.6, A.2.6). */
import { replaced } from '../diagnostic/fix.ts';
import type { ConnectEquation, Equation, Expression } from './ast.ts';
import { forBlock, type ItemRule, ifBlock, whenBlock } from './blocks.ts';
import type { Cursor } from './cursor.ts';
import { componentReference, expression, simpleExpression } from './expressions.ts';
import { comment } from './modifications.ts';
import { T } from './tokens.ts';

export function equation(p: Cursor): Equation {
  switch (p.kind) {
    case T.if:
      return ifBlock(p, rule);
    case T.for:
      return forBlock(p, rule);
    case T.when:
      return whenBlock(p, rule);
    case T.connect:
      return connectEquation(p);
    case T.while:
      return p.fail('`while` can only stand in an algorithm');
    default:
      return simpleEquation(p);
  }
}

const rule: ItemRule<Equation> = { parse: equation, what: () => 'equation' };

function simpleEquation(p: Cursor): Equation {
  const { start } = p;
  const left = simpleExpression(p);
  if (p.kind === T['='] || p.kind === T[':=']) {
    if (p.kind === T[':='])
      p.report(
        '`:=` where `=` is needed in an equation',
        'write `=`',
        [],
        replaced(p.span(p.start, p.end), '='),
      );
    p.advance();
    const right = expression(p);
    const text = comment(p);
    return { kind: 'equal', start, end: p.lastEnd, left, right, comment: text };
  }
  if (left.kind === 'call') {
    const text = comment(p);
    return { kind: 'call', start, end: p.lastEnd, call: left, comment: text };
  }
  if (left.kind === 'binary' && left.operator === '==') {
    const at = operatorPlace(p, left.left, left.right);
    const fix = replaced(p.span(at, at + 2), '=');
    p.reportAt(at, at + 2, '`==` compares; an equation is written with `=`', 'write `=`', [], fix);
    const text = comment(p);
    return { kind: 'equal', start, end: p.lastEnd, left: left.left, right: left.right, comment: text };
  }
  return p.fail('expected `=` and the right side of this equation');
}

function operatorPlace(p: Cursor, left: Expression, right: Expression): number {
  return left.end + p.text.slice(left.end, right.start).lastIndexOf('==');
}

/** `connect(a, b)` with its description; also after `break` in a modification, where it has none. */
export function connectEquation(p: Cursor): ConnectEquation {
  const { start } = p;
  p.advance();
  p.expect(T['('], 'after `connect`');
  const left = componentReference(p);
  p.expect(T[','], 'between the two connectors');
  const right = componentReference(p);
  p.expect(T[')'], 'to close this `connect`');
  const text = comment(p);
  return { kind: 'connect', start, end: p.lastEnd, left, right, comment: text };
}
