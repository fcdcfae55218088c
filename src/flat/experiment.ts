/** The experiment annotation of a class or, where that has none, of a class that it extends (section 18.4). */
import { type ClassEntity, entityOf } from '../model/classes/class.ts';
import { findClass } from '../model/classes/lookup.ts';
import { annotationOf, basesOf } from '../model/classes/settings.ts';
import type { ClassNode } from '../model/instance.ts';
import type * as ast from '../syntax/ast.ts';
import { argumentsNamed } from '../syntax/lazy.ts';
import { type Experiment, experimentNames } from './flat.ts';

export function experimentOf(node: ClassNode): Experiment {
  const result: { -readonly [name in keyof Experiment]: number } = {};
  const seen = new Set<ast.ClassDef>();
  collect(entityOf(node), result, seen);
  return result;
}

/** The class's own settings go before inherited ones. */
function collect(
  entity: ClassEntity,
  result: { -readonly [name in keyof Experiment]: number },
  seen: Set<ast.ClassDef>,
): void {
  const { definition } = entity;
  if (seen.has(definition)) return;
  seen.add(definition);
  for (const argument of argumentsNamed(annotationOf(definition), 'experiment')) {
    for (const setting of argument.modification?.arguments?.arguments ?? []) {
      if (setting.kind !== 'modify') continue;
      const key = experimentNames[setting.name.parts[0]?.text ?? ''];
      const value = setting.modification?.value;
      const number = value && value !== 'break' ? numberOf(value) : undefined;
      if (key && number !== undefined) result[key] ??= number;
    }
  }
  for (const base of basesOf(definition)) {
    const parent = findClass(entity, base);
    if (parent) collect(parent, result, seen);
  }
}

/** The number that a literal stands for, with its sign. */
function numberOf(node: ast.Expression): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind === 'tuple' && node.members.length === 1 && node.members[0]) return numberOf(node.members[0]);
  if (node.kind === 'unary' && (node.operator === '-' || node.operator === '+')) {
    const value = numberOf(node.operand);
    return value === undefined ? undefined : node.operator === '-' ? -value : value;
  }
  if (node.kind === 'binary') {
    const a = numberOf(node.left);
    const b = numberOf(node.right);
    if (a === undefined || b === undefined) return undefined;
    if (node.operator === '*') return a * b;
    if (node.operator === '/') return a / b;
  }
  return undefined;
}
