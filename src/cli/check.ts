/** `mutabor check`: is the model right, how large is it, and what is the structure of its initial mode? */
import { counted, listed } from '../diagnostic/words.ts';
import type { ModelCheck } from '../simulate/index.ts';
import type { Core } from './core.ts';
import { readInput } from './input.ts';
import { loadModel, packageOf } from './load.ts';
import { type Arguments, optionValue } from './options.ts';
import { checkPackage } from './package.ts';
import { conclude, type ExitStatus, mannerOf, painter, refuse, together } from './report.ts';
import type { Io } from './surroundings.ts';

export async function checkCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner = mannerOf(args);
  const input = await readInput(args, io);
  const root = args.diagnostics.length === 0 ? packageOf(input) : undefined;
  if (input.ok && root) return checkPackage(input, root, io, core, manner);
  const loaded = await loadModel(args, io, core, input);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { name } = loaded.model;
  const result = core.check(loaded.model);
  const diagnostics = together(loaded.diagnostics, result.diagnostics);
  const failed = result.status === 'failed';
  const shown = failed ? undefined : optionValue(args, 'show');
  const code = shown === 'wat' ? result.code() : undefined;
  const stages = shown === 'stages' ? result.stages() : undefined;
  const { unknowns, equations, states, hidden, signature, index, assignments, loops, systems, floating } =
    result;
  const object = (): object => ({
    model: name,
    status: failed ? 'failed' : 'done',
    stage: result.stage ?? null,
    unknowns,
    equations,
    statistics: { unknowns, equations, states },
    initialMode: failed ? null : { signature, states, hidden, index, assignments, loops, systems, floating },
    ...(code !== undefined && { code }),
    ...(stages && { stages }),
  });
  conclude(io, manner, diagnostics, object, () =>
    [
      counts(io, name, result),
      failed ? '' : structure(result),
      code === undefined ? '' : `\n${code}\n`,
      stages ? journey(io, stages) : '',
    ].join(''),
  );
  return failed ? 1 : 0;
}

function counts(io: Io, model: string, { equations, unknowns }: ModelCheck): string {
  const name = painter(io)('bold', model);
  return `Class ${name} has ${equations} equation(s) and ${unknowns} variable(s).\n`;
}

function journey(io: Io, stages: ReturnType<ModelCheck['stages']>): string {
  const paint = painter(io);
  return stages
    .map(({ stage, summary, details }) =>
      [
        `\n${paint('bold', stage.padEnd(9))}  ${summary}`,
        ...details.map((line) => `           ${line}`),
        '',
      ].join('\n'),
    )
    .join('');
}

/** So many systems of equations are described, and so many states named. */
const LISTED = 8;
const NAMED = 12;

/** Those of equations, and how many built-in components have besides. */
function statesText(states: ModelCheck['states'], hidden: ModelCheck['hidden']): string {
  const count = hidden.reduce((sum, own) => sum + own.count, 0);
  const names = hidden.map(({ name }) => name);
  const parts = [
    ...(states.length > 0 ? [listed(states, NAMED)] : []),
    ...(count > 0 ? [`${count} hidden (${listed(names, NAMED)})`] : []),
  ];
  return parts.join('; ') || 'none';
}

function structure({ signature, states, hidden, index, assignments, loops, systems }: ModelCheck): string {
  const ofArrays = loops > 0 ? `, ${counted(loops, 'loop')} over arrays` : '';
  const described = systems.slice(0, LISTED).map(({ unknowns, iterated, linear }) => {
    const kind = linear ? 'linear' : 'nonlinear';
    return `${counted(unknowns.length, 'unknown')}, ${iterated} iterated (${kind})`;
  });
  if (systems.length > LISTED) described.push('…');
  const solved = systems.length > 0 ? `: ${described.join('; ')}` : '';
  const lines = [
    `  states        ${statesText(states, hidden)}`,
    `  index         ${index}`,
    `  blocks        ${counted(assignments, 'assignment')}${ofArrays}, ${counted(systems.length, 'system')}${solved}`,
  ];
  if (signature !== '') lines.unshift(`  initial mode  ${signature}`);
  return `${lines.join('\n')}\n`;
}
