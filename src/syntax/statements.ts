/** The statements of algorithms (Modelica 3.6, A.2.6). */
import { replaced } from '../diagnostic/fix.ts';
import type { ComponentRef, Expression, Statement } from './ast.ts';
import { block, body, forBlock, type ItemRule, ifBlock, whenBlock } from './blocks.ts';
import type { Cursor } from './cursor.ts';
import { call, componentReference, conditionExpression, expression } from './expressions.ts';
import { comment } from './modifications.ts';
import { T } from './tokens.ts';

export function statement(p: Cursor): Statement {
  switch (p.kind) {
    case T.if:
      return ifBlock(p, rule);
    case T.for:
      return forBlock(p, rule);
    case T.while:
      return whileStatement(p);
    case T.when:
      return whenBlock(p, rule);
    case T['(']:
      return multiAssignStatement(p);
    case T.break:
    case T.return:
      return jumpStatement(p);
    case T.connect:
      return p.fail('`connect` can only stand in an equation section');
    case T.identifier:
    case T['.']:
      return assignStatement(p);
    default:
      return p.fail('expected a statement');
  }
}

const rule: ItemRule<Statement> = { parse: statement, what: () => 'statement' };

function assignStatement(p: Cursor): Statement {
  const { start } = p;
  const target = componentReference(p);
  if (p.kind === T['(']) {
    const invoked = call(p, target);
    const text = comment(p);
    return { kind: 'call', start, end: p.lastEnd, call: invoked, comment: text };
  }
  assignmentSign(p);
  const value = expression(p);
  const text = comment(p);
  return { kind: 'assign', start, end: p.lastEnd, target, value, comment: text };
}

function assignmentSign(p: Cursor): void {
  if (p.accept(T[':='])) return;
  if (p.kind === T['='] || p.kind === T['==']) {
    const fix = replaced(p.span(p.start, p.end), ':=');
    p.report(`\`${p.tokenText()}\` where \`:=\` is needed in an algorithm`, 'write `:=`', [], fix);
    p.advance();
  } else p.fail('expected `:=` after the variable of this assignment');
}

/** `(a, , b) := f(x)`. */
function multiAssignStatement(p: Cursor): Statement {
  const { start } = p;
  const left = expression(p);
  if (left.kind !== 'tuple') p.fail('expected `:=` after the variables of this assignment');
  for (const member of left.members) {
    if (member && member.kind !== 'ref') {
      p.failAt(member.start, member.end, 'only a variable can be assigned');
    }
  }
  assignmentSign(p);
  const right = expression(p);
  if (right.kind !== 'call') {
    p.failAt(right.start, right.end, 'several variables can only be assigned from a function call');
  }
  const text = comment(p);
  return {
    kind: 'multiassign',
    start,
    end: p.lastEnd,
    targets: left.members.map(asReference),
    call: right,
    comment: text,
  };
}

const asReference = (member: Expression | undefined): ComponentRef | undefined =>
  member?.kind === 'ref' ? member : undefined;

function jumpStatement(p: Cursor): Statement {
  const { start } = p;
  const kind = p.kind === T.break ? 'break' : 'return';
  p.advance();
  const text = comment(p);
  return { kind, start, end: p.lastEnd, comment: text };
}

const whileStatement = (p: Cursor): Statement =>
  block(p, 'while', () => {
    p.advance();
    const condition = conditionExpression(p);
    p.expect(T.loop, 'after this condition');
    return { condition, body: body(p, rule) };
  });
