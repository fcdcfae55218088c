/**
 * The text of a model for other tools: one class without components, in the Modelica that all tools of version 3 read.
 * Functions come first, inside of the class.
 */
import type { Experiment, FlatEquation, FlatModel, FlatVariable } from '../flat/flat.ts';
import { algorithmLines, attributeTexts, described, equationLines, functionLines } from '../flat/print.ts';
import { exprText, type NameTable } from '../flat/text.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import type { Section } from './merge.ts';
import { type Declaration, quoted } from './words.ts';

export interface TextParts {
  readonly functions: readonly FunctionDef[];
  readonly declarations: readonly Declaration[];
  readonly initial: readonly FlatEquation[];
  readonly sections: readonly Section[];
  /** Lines of comment at the top. */
  readonly remarks: readonly string[];
}

export function modelicaText(flat: FlatModel, names: NameTable, parts: TextParts): string {
  const name = quoted(flat.name.replace(/\./g, '_'));
  const lines = [...parts.remarks.map((r) => `// ${r}`), `model ${name}${described(flat.description)}`];
  for (const [k, definition] of parts.functions.entries())
    lines.push(...functionLines(definition, names, names.fn(k)).map((line) => `  ${line}`));
  for (const { symbol, variable } of parts.declarations)
    lines.push(`  ${declaration(variable, names.variable(symbol), names)};`);
  const write = (equations: readonly FlatEquation[]): void => {
    for (const equation of equations)
      if (equation.kind !== 'algorithm') lines.push(...equationLines(equation, flat, names, '  '));
  };
  if (parts.initial.length > 0) lines.push('initial equation');
  write(parts.initial);
  lines.push('equation');
  for (const { title, equations } of parts.sections) {
    if (title) lines.push(`  // ${title}`);
    write(equations);
  }
  for (const { equations } of parts.sections) lines.push(...algorithmLines(equations, names));
  const experiment = experimentText(flat.experiment);
  if (experiment) lines.push(`  annotation(${experiment});`);
  lines.push(`end ${name};`);
  return `${lines.join('\n')}\n`;
}

function declaration(variable: FlatVariable, name: string, names: NameTable): string {
  const { type, variability, causality, dims, binding, description } = variable;
  const prefixes: string[] = [];
  if (variable.structural && variability === 'parameter') prefixes.push('final');
  if (variability === 'parameter' || variability === 'constant') prefixes.push(variability);
  if (variability === 'discrete' && type === 'Real') prefixes.push('discrete');
  if (causality !== 'local') prefixes.push(causality);
  const size = dims.length > 0 ? `[${dims.join(', ')}]` : '';
  const attributes = attributeTexts(variable, names);
  const modification = attributes.length > 0 ? `(${attributes.join(', ')})` : '';
  const value = binding ? ` = ${exprText(binding, names, type === 'Boolean')}` : '';
  return [...prefixes, type + size, name].join(' ') + modification + value + described(description);
}

function experimentText({ startTime, stopTime, tolerance, interval }: Experiment): string {
  const parts = [
    ...(startTime === undefined ? [] : [`StartTime = ${startTime}`]),
    ...(stopTime === undefined ? [] : [`StopTime = ${stopTime}`]),
    ...(tolerance === undefined ? [] : [`Tolerance = ${tolerance}`]),
    ...(interval === undefined ? [] : [`Interval = ${interval}`]),
  ];
  return parts.length > 0 ? `experiment(${parts.join(', ')})` : '';
}
