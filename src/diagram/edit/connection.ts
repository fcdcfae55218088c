/** Connections: new ones, with a check that they can be; their lines; their removal. */
import { sameItems } from '../../collections/lists.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import { Source } from '../../diagnostic/source.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { resolve } from '../../model/classes/lookup.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type { Instance } from '../../model/instance.ts';
import { type OnDemand, onDemand } from '../../model/instances/instantiate.ts';
import {
  connectorHint,
  instancesDiffer,
  isConnector,
  isExpandable,
  variablesDiffer,
} from '../../model/types/connectors.ts';
import { dimsName } from '../../model/value.ts';
import type * as ast from '../../syntax/ast.ts';
import type { TextChange } from '../../syntax/change.ts';
import { argumentsNamed } from '../../syntax/lazy.ts';
import { parseExpression } from '../../syntax/parser.ts';
import { printReference } from '../../syntax/unparse.ts';
import { nodesIn } from '../../syntax/walk.ts';
import { connectorColor, diagramOf, lineBetween } from '../diagram.ts';
import type { Point } from '../geometry.ts';
import { annotate, type Wanted, wantedText } from './annotation.ts';
import { headEnd, onNewLine } from './component.ts';
import {
  colorText,
  connectsIn,
  type Edit,
  editableBody,
  edited,
  indentAt,
  insertion,
  lineBreak,
  mannerOf,
  pointsText,
  type Refused,
  refused,
  removal,
} from './text.ts';

export interface ConnectOptions {
  /** The points of the line; it finds its way where they are left out. */
  readonly points?: readonly Point[];
}

/** Connects two connectors, named as in the class: `resistor.p`, `bus[2]`. */
export function connectComponents(
  entity: ClassEntity,
  from: string,
  to: string,
  { points }: ConnectOptions = {},
): Edit {
  const body = editableBody(entity);
  if ('ok' in body) return body;
  const problems = connectionProblems(entity, from, to);
  if (problems.length > 0) return { ok: false, problems };
  const route = points ? { points, color: routedColor(entity, from) } : routed(entity, from, to);
  const { text } = entity.definition.source;
  const manner = mannerOf(text);
  const line: Wanted = [
    ['points', pointsText(route.points, manner)],
    ...(route.color === '#000000' ? [] : [['color', colorText(route.color, manner)] as const]),
  ];
  const blank = manner.comma === ',' ? ' ' : '';
  const drawn = route.points.length < 2 ? '' : ` annotation${blank}(${wantedText([['Line', line]], manner)})`;
  return edited([equationInsertion(entity, body, `connect(${from}, ${to})${drawn};`)]);
}

/** Why two connectors cannot be connected; nothing where they can. */
export function connectionProblems(entity: ClassEntity, from: string, to: string): Diagnostic[] {
  const made = onDemand(entity);
  const ends = [from, to].map((name) => connectorAt(entity, made, name));
  const wrong = ends.flatMap((end) => ('problem' in end ? [end.problem] : []));
  if (wrong.length > 0) return wrong;
  const [a, b] = ends as [ConnectorEnd, ConnectorEnd];
  if (a.text === b.text)
    return [error('connector-mismatch', `\`${a.text}\` cannot be connected with itself.`)];
  for (const equation of connectsIn(entity)) {
    const names = [equation.left, equation.right].map((ref) => printReference(ref, 0));
    if (names.includes(a.text) && names.includes(b.text))
      return [
        error('duplicate-name', `\`${a.text}\` and \`${b.text}\` are connected already.`, {
          span: entity.span(equation),
        }),
      ];
  }
  return [difference(a, b) ?? []].flat();
}

interface ConnectorEnd {
  /** As it is written. */
  readonly text: string;
  /** One connector of those that it names; undefined for a new member of an expandable connector. */
  readonly instance: Instance | undefined;
  /** Sizes of the array of connectors that it names; undefined where that depends on subscripts. */
  readonly dims: readonly number[] | undefined;
}

/** What a name means in a connect, or why it means nothing. */
function connectorAt(
  entity: ClassEntity,
  { root, complete }: OnDemand,
  name: string,
): ConnectorEnd | { readonly problem: Diagnostic } {
  const { expression: ref } = parseExpression(new Source('connect', name));
  if (ref?.kind !== 'ref')
    return { problem: error('syntax-error', `\`${name}\` is no name of a connector.`) };
  const text = printReference(ref, 0);
  const scope = { instance: root, lexical: entity };
  const found = resolve(scope, ref);
  if (found.kind === 'absent' && !found.expandable)
    return {
      problem: error('unknown-name', `\`${text}\` is not there: it is conditional.`, {
        hint: 'Change the parameter that its condition depends on.',
      }),
    };
  if (found.kind !== 'component') {
    const bus = ref.parts.length > 1 ? resolve(scope, { ...ref, parts: ref.parts.slice(0, -1) }) : undefined;
    if (bus?.kind === 'component' && isExpandable(bus.parts.at(-1)!.instance))
      return { text, instance: undefined, dims: undefined };
    const near = found.kind === 'unknown' ? found.nearest : undefined;
    const message = `\`${text}\` is not declared in \`${entity.path}\`.`;
    return { problem: error('unknown-name', message, { hint: didYouMean(near) }) };
  }
  const own = single(found.parts.at(-1)!.instance);
  if (own.kind === 'object') complete(own);
  if (isConnector(own)) return { text, instance: own, dims: dimsOf(found.parts) };
  const hint =
    own.kind === 'object'
      ? connectorHint(text, own.members.values())
      : 'Write an equation instead of connect.';
  return { problem: error('not-a-connector', `\`${text}\` is not a connector.`, { span: own.span, hint }) };
}

/** What stands for all elements of an array of components. */
function single(instance: Instance): Instance {
  if (instance.kind === 'variable' || instance.dims.length === 0) return instance;
  return instance.template ?? instance.elements[0] ?? instance.prototype ?? instance;
}

/** The sizes that are left after subscripts. */
function dimsOf(
  parts: readonly { readonly part: ast.RefPart; readonly instance: Instance }[],
): readonly number[] | undefined {
  const dims: number[] = [];
  for (const { part, instance } of parts) {
    const isPlain = part.subscripts.every(({ kind }) => kind === 'number' || kind === 'ref');
    if (!isPlain) return undefined;
    dims.push(...instance.dims.slice(part.subscripts.length));
  }
  return dims;
}

/** What keeps two connectors that are found from being connected. */
function difference(a: ConnectorEnd, b: ConnectorEnd): Diagnostic | undefined {
  // What an expandable connector does not have yet becomes what it is connected with.
  if (!a.instance || !b.instance) return undefined;
  if (a.dims && b.dims && !sameItems(a.dims, b.dims)) {
    const sizes = `${dimsName(a.dims)} and ${dimsName(b.dims)}`;
    return error('dimension-mismatch', `\`${a.text}\` and \`${b.text}\` have different sizes: ${sizes}.`);
  }
  const areBuses = isExpandable(a.instance) && isExpandable(b.instance);
  const [left, right] = [a.instance, b.instance];
  const what = areBuses
    ? undefined
    : left.kind === 'variable' && right.kind === 'variable'
      ? variablesDiffer(left, right, true)
      : instancesDiffer(left, right);
  if (what === undefined) return undefined;
  return error('connector-mismatch', `\`${a.text}\` and \`${b.text}\` cannot be connected: ${what}.`, {
    notes: [
      { message: `\`${a.text}\` is declared here`, span: left.span },
      { message: `\`${b.text}\` is declared here`, span: right.span },
    ],
  });
}

// ---------------------------------------------------------------- lines

/** The line that a connection would have in the diagram, and its colour. */
function routed(entity: ClassEntity, from: string, to: string): { points: readonly Point[]; color: string } {
  return lineBetween(diagramOf(entity), from, to) ?? { points: [], color: '#000000' };
}

/** Gives a connection another line. */
export function rerouteConnection(
  entity: ClassEntity,
  which: ConnectionName,
  points: readonly Point[],
): Edit {
  const found = ownConnection(entity, which);
  if ('ok' in found) return found;
  const { text } = entity.definition.source;
  const manner = mannerOf(text);
  const { left, comment } = found;
  const isDrawn = argumentsNamed(comment.annotation, 'Line').length > 0;
  const color = isDrawn ? '#000000' : routedColor(entity, printReference(left, 0));
  const line: Wanted = [
    ['points', pointsText(points, manner)],
    ...(color === '#000000' ? [] : [['color', colorText(color, manner)] as const]),
  ];
  return edited(annotate(text, comment.annotation, found.end, [['Line', line]], manner));
}

const routedColor = (entity: ClassEntity, from: string): string => connectorColor(diagramOf(entity), from);

// ---------------------------------------------------------------- finding and removing

/** Which connection: its ends as the class writes them, and where its equation begins, where there are several between them. */
export interface ConnectionName {
  readonly from: string;
  readonly to: string;
  readonly at?: number;
}

export function removeConnection(entity: ClassEntity, which: ConnectionName): Edit {
  const found = ownConnection(entity, which);
  if ('ok' in found) return found;
  return edited([removal(entity.definition.source.text, found.start, found.end)]);
}

function ownConnection(entity: ClassEntity, { from, to, at }: ConnectionName): ast.ConnectEquation | Refused {
  const body = editableBody(entity);
  if ('ok' in body) return body;
  const isIt = ({ left, right, start }: ast.ConnectEquation): boolean =>
    printReference(left, 0) === from && printReference(right, 0) === to && (at === undefined || start === at);
  const found = connectsIn(entity).find(isIt);
  if (found) return found;
  for (const { section, lexical } of shapeOf(entity).sections) {
    if (section.kind !== 'equations' || lexical.definition === entity.definition) continue;
    for (const node of nodesIn(section.equations))
      if (node.kind === 'connect' && isIt({ ...node, start: at ?? node.start }))
        return refused('not-allowed', `This connection is inherited from \`${lexical.path}\`.`, {
          span: lexical.span(node),
          hint: `Change it in \`${lexical.path}\`, where it is written.`,
        });
  }
  return refused('unknown-name', `\`${entity.path}\` does not connect \`${from}\` and \`${to}\`.`, {
    span: entity.span(entity.definition.name),
  });
}

/** Behind the last equation; where there are none, in a section of its own behind the declarations. */
function equationInsertion(entity: ClassEntity, body: ast.LongBody, equation: string): TextChange {
  const { definition } = entity;
  const { text } = definition.source;
  const section = body.sections.findLast(
    (one): one is ast.EquationSection => one.kind === 'equations' && !one.initial,
  );
  if (section) {
    const last = section.equations.at(-1);
    return insertion(section.end, onNewLine(text, section.end, last?.start, definition, equation));
  }
  const at = body.sections.at(-1)?.end ?? headEnd(definition, body);
  const indent = indentAt(text, definition.start);
  const isOneLine = !text.slice(definition.start, definition.end).includes('\n');
  const piece = isOneLine ? `equation ${equation}` : `equation${lineBreak(text)}${indent}  ${equation}`;
  return insertion(at, onNewLine(text, at, definition.start, definition, piece));
}
