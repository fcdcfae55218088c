/** `mutabor linearize`: matrices, names and poles, to the terminal and into files for other tools. */
import { extname } from 'node:path';
import { counted } from '../diagnostic/words.ts';
import { readable } from '../names/readable.ts';
import {
  type LinearModel,
  type LinearVariable,
  linearExtensions,
  linearFile,
  linearJson,
  type Pole,
} from '../results/files/linear.ts';
import { splitNames } from '../results/table/glob.ts';
import type { Core } from './core.ts';
import { type Arguments, optionValue } from './options.ts';
import { writeFile } from './output.ts';
import { atPoint } from './point.ts';
import { conclude, type ExitStatus, mannerOf, painter, together } from './report.ts';
import { listed } from './summary.ts';
import type { Io } from './surroundings.ts';

/** Matrices with more columns are not printed. */
const WIDEST = 8;
/** A derivative below this, beside the size of its state, counts as zero. */
const STILL = 1e-9;

export async function linearizeCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const names = optionValue(args, 'variables');
  const found = await atPoint(args, io, core, linearExtensions, (model, options) =>
    core.linearize(model, {
      ...options,
      steady: args.given.has('steady'),
      ...(names !== undefined && { outputs: splitNames(names) }),
    }),
  );
  if (typeof found === 'number') return found;
  const { result, loaded } = found;
  const path = optionValue(args, 'output');
  const written =
    path === undefined
      ? []
      : writeFile(io, 'output', path, [linearFile(result, extname(path).toLowerCase())]);
  const diagnostics = [...together(loaded.diagnostics, result.diagnostics), ...written];
  const status = written.length > 0 ? 'failed' : 'done';
  const object = (): object => ({ status, ...linearJson(result) });
  conclude(io, mannerOf(args), diagnostics, object, () =>
    summary(io, result, status === 'done' ? path : undefined),
  );
  return written.length > 0 ? 1 : 0;
}

function summary(io: Io, linear: LinearModel, path: string | undefined): string {
  const paint = painter(io);
  const { model, time, mode, states, inputs, outputs, poles, exact } = linear;
  const where = mode === '' ? '' : paint('dim', ` (${mode})`);
  const counts = [
    counted(states.length, 'state'),
    counted(inputs.length, 'input'),
    counted(outputs.length, 'output'),
    exact ? 'exact derivatives' : 'derivatives by differences',
  ];
  const lines = [
    `${paint('bold', model)}: ${paint('green', 'linear model')} at ${readable(time)} s${where}`,
    `  ${counts.join(', ')}`,
    ...points('state', states),
    ...points('input', inputs),
    ...points('output', outputs),
    ...moving(linear),
    ...(poles ? listed(poleLines(poles)) : []),
    ...(states.length + inputs.length <= WIDEST && outputs.length <= WIDEST ? matrixLines(linear) : []),
    ...(path === undefined ? [] : [`  wrote ${path}`]),
  ];
  return `${lines.join('\n')}\n`;
}

const points = (kind: string, list: readonly LinearVariable[]): string[] =>
  listed(
    list.map(
      ({ name, value, unit }) =>
        `  ${kind.padEnd(6)} ${name} = ${readable(value)}${unit === '' || unit === '1' ? '' : ` ${unit}`}`,
    ),
  );

/** That the point is none at which all stays as it is. */
function moving({ states, rates }: LinearModel): string[] {
  const moved = states.flatMap(({ name, value }, i) =>
    Math.abs(rates[i]!) > STILL * Math.max(1, Math.abs(value))
      ? [`der(${name}) = ${readable(rates[i]!)}`]
      : [],
  );
  return moved.length === 0
    ? []
    : [`  not a steady state: ${moved.slice(0, 3).join(', ')}${moved.length > 3 ? ', …' : ''}`];
}

/** Pairs in one line, with natural frequency and damping. */
function poleLines(poles: readonly Pole[]): string[] {
  return poles.flatMap(({ re, im }) => {
    if (im < 0) return [];
    const size = Math.hypot(re, im);
    if (im === 0)
      return [`  pole   ${readable(re)} 1/s${re === 0 ? '' : `, time constant ${readable(-1 / re)} s`}`];
    return [
      `  pole   ${readable(re)} ± ${readable(im)}i 1/s, ${readable(size / (2 * Math.PI))} Hz, damping ${readable(-re / size, 4)}`,
    ];
  });
}

function matrixLines({ A, B, C, D }: LinearModel): string[] {
  return Object.entries({ A, B, C, D }).flatMap(([name, rows]) => {
    if (rows.length === 0 || rows[0]!.length === 0) return [];
    const texts = rows.map((row) => row.map((value) => readable(value)));
    const width = Math.max(...texts.flat().map(({ length }) => length));
    return texts.map(
      (row, i) => `  ${i === 0 ? `${name} =` : '   '} ${row.map((text) => text.padStart(width)).join('  ')}`,
    );
  });
}
