/** The figures that the documentation of a class describes (Modelica 3.6, section 18.4.1): plots of variables over time, or over others. */

import { append } from '../../collections/groups.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { findClass } from '../../model/classes/lookup.ts';
import { basesOf } from '../../model/classes/settings.ts';
import type * as ast from '../../syntax/ast.ts';
import { argumentsNamed } from '../../syntax/lazy.ts';
import { printExpression } from '../../syntax/unparse.ts';
import type { FigureReport, PlotReport } from '../protocol.ts';

/** Own figures, or those of the first class that is extended and has some. */
export function figuresOf(entity: ClassEntity, seen = new Set<ast.ClassDef>()): FigureReport[] {
  const { definition } = entity;
  if (seen.has(definition)) return [];
  seen.add(definition);
  const { body } = definition;
  const annotation = body.kind === 'long' ? body.annotation : body.comment.annotation;
  const [documentation] = argumentsNamed(annotation, 'Documentation');
  for (const argument of documentation?.modification?.arguments?.arguments ?? []) {
    if (argument.kind !== 'modify' || argument.name.parts[0]?.text !== 'figures') continue;
    const value = argument.modification?.value;
    if (value && value !== 'break') return callsOf(value, 'Figure').map(figureOf);
  }
  for (const base of basesOf(definition)) {
    const own = findClass(entity, base);
    const found = own ? figuresOf(own, seen) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function figureOf(call: ast.Call): FigureReport {
  const plots = callsOf(argumentOf(call, 'plots'), 'Plot').map(plotOf);
  const preferred = argumentOf(call, 'preferred');
  return {
    title: textOf(call, 'title') || textOf(call, 'identifier'),
    isPreferred: preferred?.kind === 'boolean' && preferred.value,
    plots: plots.flatMap(({ plots: own }) => own),
    missing: plots.flatMap(({ missing }) => missing),
  };
}

/** A plot for each variable that curves are drawn over. */
function plotOf(call: ast.Call): { plots: PlotReport[]; missing: string[] } {
  const curves = new Map<string, PlotReport['curves'][number][]>();
  const missing: string[] = [];
  for (const curve of callsOf(argumentOf(call, 'curves'), 'Curve')) {
    const [x, y] = [argumentOf(curve, 'x'), argumentOf(curve, 'y')];
    const [over, name] = [x ? nameIn(x) : 'time', y && nameIn(y)];
    if (over !== undefined && name !== undefined)
      append(curves, over, { name, legend: textOf(curve, 'legend') });
    else if (y) missing.push(x ? `${printExpression(y)}(${printExpression(x)})` : printExpression(y));
  }
  const title = textOf(call, 'title');
  const plots = [...curves].map(
    ([over, own]): PlotReport => ({ title, ...(over !== 'time' && { over }), curves: own }),
  );
  return { plots, missing };
}

/** A variable, or the derivative of one, as results call it. */
function nameIn(expression: ast.Expression): string | undefined {
  const isDerivative =
    expression.kind === 'call' &&
    expression.callee.parts.length === 1 &&
    expression.callee.parts[0]!.name === 'der' &&
    expression.positional.length === 1;
  if (expression.kind !== 'ref' && !isDerivative) return undefined;
  return printExpression(expression).replaceAll(' ', '');
}

function callsOf(expression: ast.Expression | undefined, name: string): ast.Call[] {
  if (expression?.kind !== 'array') return [];
  return expression.elements.filter(
    (one): one is ast.Call => one.kind === 'call' && one.callee.parts.at(-1)?.name === name,
  );
}

function argumentOf({ named }: ast.Call, name: string): ast.Expression | undefined {
  const value = named.find((one) => one.name.text === name)?.value;
  return value?.kind === 'partial' ? undefined : value;
}

function textOf(call: ast.Call, name: string): string {
  const value = argumentOf(call, name);
  return value?.kind === 'string' ? value.value : '';
}
