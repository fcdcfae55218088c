/** `mutabor draw`: the diagram, the icon or the state chart of a class as a picture, to the terminal or into a file. */
import { extname } from 'node:path';
import { type Diagnostic, hasErrors, warning } from '../diagnostic/diagnostic.ts';
import { chartOf } from '../diagram/chart.ts';
import type { Diagram } from '../diagram/content.ts';
import { diagramOf } from '../diagram/diagram.ts';
import { type Drawing, iconOf } from '../diagram/icon.ts';
import { drawingPng } from '../diagram/png.ts';
import { drawingSvg } from '../diagram/svg.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import { classByName } from '../model/classes/lookup.ts';
import { readInput } from './input.ts';
import { type Arguments, badOption, optionValue } from './options.ts';
import { checkFile, readTargets, writeFile } from './output.ts';
import { conclude, type ExitStatus, mannerOf, refuse, showModel } from './report.ts';
import type { Io } from './surroundings.ts';

/** Pixels of an icon. */
const ICON_SIZE = 400;

export async function drawCommand(args: Arguments, io: Io): Promise<ExitStatus> {
  const manner = mannerOf(args);
  const both =
    args.given.has('icon') && args.given.has('chart')
      ? [badOption('`--icon` and `--chart` are two drawings.', 'Choose one of them.')]
      : [];
  const wrong = [...args.diagnostics, ...both, ...checkFile(args, io, 'output', ['.svg', '.png'])];
  if (wrong.length > 0) return refuse(io, { status: 2, diagnostics: wrong }, manner);
  const input = await readInput(args, io);
  if (!input.ok) {
    const { usage, diagnostics } = input;
    return refuse(io, { ...(usage ? { status: 2 } : { status: 1, stage: 'syntax' }), diagnostics }, manner);
  }
  const { library, model } = input;
  const made = drawn(classByName(library, model)!, args);
  if (!made) return refuse(io, { status: 2, model, diagnostics: [noMachine(model)] }, manner);
  const { drawing, data } = made;
  const unusable = readTargets(args, io, input.sources());
  if (unusable.length > 0) return refuse(io, { status: 2, model, diagnostics: unusable }, manner);
  const problems = library.takeProblems();
  if (hasErrors(problems))
    return refuse(io, { status: 1, model, stage: 'syntax', diagnostics: problems }, manner);
  const path = optionValue(args, 'output');
  const written = path === undefined ? [] : writeFile(io, 'output', path, [fileOf(drawing, path, args)]);
  const diagnostics = [...problems, ...drawing.missing.map(unreadable), ...written];
  const status = written.length > 0 ? 'failed' : 'done';
  conclude(io, manner, diagnostics, () => ({ model, status, ...data }));
  if (!manner.json && path === undefined) showModel(io, svgOf(drawing, args));
  return written.length > 0 ? 1 : 0;
}

/** The picture, and what is to be said of it to programs; undefined for the chart of a class that has none. */
function drawn(entity: ClassEntity, args: Arguments): { drawing: Drawing; data: object } | undefined {
  if (args.given.has('chart')) {
    const chart = chartOf(entity);
    return chart && { drawing: chart, data: { states: chart.states, transitions: chart.transitions } };
  }
  if (args.given.has('icon')) return { drawing: iconOf(entity, { size: ICON_SIZE }), data: {} };
  const diagram: Diagram = diagramOf(entity);
  const { components, connections, transitions } = diagram;
  return { drawing: diagram, data: { components, connections, transitions } };
}

const svgOf = (drawing: Drawing, args: Arguments): string =>
  drawingSvg(drawing, { ground: '#ffffff', ...(args.given.has('icon') && { size: ICON_SIZE }) });

function fileOf(drawing: Drawing, path: string, args: Arguments): string | Uint8Array {
  if (extname(path).toLowerCase() === '.svg') return svgOf(drawing, args);
  return drawingPng(drawing, args.given.has('icon') ? { size: ICON_SIZE } : {});
}

const noMachine = (model: string): Diagnostic =>
  badOption(
    `\`${model}\` has no state machine, so there is no chart of it.`,
    'Leave out `--chart`, or name another class with `--model`.',
  );

const unreadable = (name: string): Diagnostic =>
  warning('file-not-found', `The picture \`${name}\` cannot be read, or is none: it is left out.`, {
    hint: 'Pictures are PNG, JPEG, GIF, BMP or SVG files in the folder of a library, named by `modelica://`.',
  });
