/**
 * `mutabor list`: what a model has before it runs: parameters with their values, inputs, outputs and variables with their start values. Of a
 * package, its classes.
 */
import type { ParameterValue } from '../builtin/component.ts';
import { suggestion } from '../diagnostic/nearest.ts';
import { counted } from '../diagnostic/words.ts';
import type { ParameterInfo, VariableInfo } from '../instantiate.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import type { Library } from '../model/library.ts';
import { aligned } from '../results/compare/aligned.ts';
import { nameMatches, splitNames } from '../results/table/glob.ts';
import { displayOf } from '../units/display.ts';
import type { Core } from './core.ts';
import { readInput } from './input.ts';
import { loadModel, packageOf } from './load.ts';
import { type Arguments, badOption, isNumber, optionValue } from './options.ts';
import { conclude, type ExitStatus, mannerOf, painter, type ReportManner, refuse } from './report.ts';
import type { Io } from './surroundings.ts';

interface Listed {
  readonly info: ParameterInfo | VariableInfo;
  readonly kind: 'parameter' | VariableInfo['kind'];
  /** The value, or the start value. */
  readonly value: string;
}

export async function listCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner = mannerOf(args);
  const input = await readInput(args, io);
  const root = args.diagnostics.length === 0 ? packageOf(input) : undefined;
  if (input.ok && root) return listClasses(input.library, root, io, manner);
  const loaded = await loadModel(args, io, core, input);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { model, diagnostics } = loaded;
  const simulation = core.instantiate(model);
  const all: Listed[] = [
    ...simulation.parameters().map((info) => ({ info, kind: 'parameter', value: shownValue(info) }) as const),
    ...simulation.variables().map((info) => ({ info, kind: info.kind, value: valueOrStart(info) })),
  ];
  const chosen = choose(args, all);
  if (!Array.isArray(chosen))
    return refuse(io, { status: 2, model: model.name, diagnostics: [chosen] }, manner);
  const variables = chosen.map(({ info, kind }) => ({ kind, ...info }));
  const object = (): object => ({ model: model.name, status: 'done', variables });
  conclude(io, manner, diagnostics, object, () => table(io, model.name, chosen));
  return 0;
}

function listClasses(library: Library, root: ClassEntity, io: Io, manner: ReportManner): ExitStatus {
  const classes = library.nestedNames(root).flatMap((name) => {
    const entity = library.nested(root, name);
    if (!entity) return [];
    const { restriction, partial, body } = entity.definition;
    const comment = body.kind === 'long' ? body.description : body.comment.description;
    const kind = `${partial ? 'partial ' : ''}${restriction}`;
    return [{ name: entity.path, kind, description: comment?.value ?? '' }];
  });
  const rows = classes.map(({ name, kind, description }) => [name, kind, description]);
  const head = `${painter(io)('bold', root.path)}: ${classes.length} classes`;
  const object = (): object => ({ model: root.path, status: 'done', classes });
  conclude(io, manner, [], object, () => titled(head, [['name', 'kind', 'description'], ...rows]));
  return 0;
}

/** What `--variables` names; otherwise all that is not hidden. Gives what is wrong with a name that nothing has. */
function choose(args: Arguments, all: readonly Listed[]): Listed[] | ReturnType<typeof badOption> {
  const list = optionValue(args, 'variables');
  if (list === undefined) return all.filter(({ info }) => !info.hidden);
  const globs = splitNames(list);
  const idle = globs.find((glob) => !all.some(({ info }) => nameMatches(glob, info.name)));
  if (idle === undefined) return all.filter(({ info }) => globs.some((glob) => nameMatches(glob, info.name)));
  const hint = suggestion(
    idle,
    all.map(({ info }) => info.name),
  );
  return badOption(`No variable matches \`${idle}\` in \`--variables\`.`, hint);
}

function table(io: Io, model: string, listed: readonly Listed[]): string {
  const columns = ['name', 'kind', 'type', 'unit', 'size', 'value', 'description'];
  const rows = listed.map(({ info, kind, value }) => [
    info.name,
    kind,
    typeOf(info),
    unitOf(info),
    info.dims.length > 0 ? `[${info.dims.join(',')}]` : '',
    value,
    info.description,
  ]);
  const counts = (['parameter', 'constant', 'input', 'output', 'variable', 'result'] as const).flatMap(
    (kind) => {
      const n = listed.filter((item) => item.kind === kind).length;
      return n === 0 ? [] : [counted(n, kind)];
    },
  );
  const head = `${painter(io)('bold', model)}: ${counts.join(', ') || 'nothing to list'}`;
  return titled(head, [columns, ...rows]);
}

/** A line above a table, whose first row are the names of its columns. */
const titled = (head: string, rows: readonly (readonly string[])[]): string =>
  `${[head, ...(rows.length > 1 ? aligned(rows) : [])].join('\n')}\n`;

const typeOf = ({ type, literals }: Listed['info']): string =>
  literals ? cut(`enumeration(${literals.join(', ')})`) : type;

/** The unit of the values in the model, and the one that they are shown in. */
const unitOf = ({ unit, displayUnit }: Listed['info']): string =>
  displayUnit === '' || displayUnit === unit ? unit : `${unit} (${displayUnit})`;

/** Longer values are cut. */
const LONGEST = 32;

function shownValue(info: ParameterInfo): string {
  return `${inDisplayUnit(info, info.value)}${info.final ? ' (final)' : ''}`;
}

function valueOrStart(info: VariableInfo): string {
  const { value, start, fixed } = info;
  if (value !== undefined) return inDisplayUnit(info, value);
  if (start === undefined) return '';
  return `start ${inDisplayUnit(info, isNumber(start) ? Number(start) : start)}${fixed ? ', fixed' : ''}`;
}

/** Numbers are said in the unit that people want to see, with this unit where it is not that of the variable; expressions stay what they are. */
function inDisplayUnit({ type, unit, displayUnit }: Listed['info'], value: ParameterValue): string {
  const display = displayOf(unit, displayUnit);
  if (type !== 'Real' || display.unit === unit || typeof value === 'string') return cut(text(value));
  const shown = (own: ParameterValue): ParameterValue =>
    typeof own === 'object'
      ? own.map(shown)
      : Number((Number(own) * display.scale + display.offset).toPrecision(DIGITS));
  return `${cut(text(shown(value)))} ${display.unit}`;
}

/** Digits of numbers that were converted. */
const DIGITS = 12;

function text(value: ParameterInfo['value']): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? `{${value.map(text).join(', ')}}` : String(value);
}

const cut = (shown: string): string => (shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown);
