/**
 * What a component may be, by the class in which it stands, its prefixes and its own class (specification 3.6, sections 4.4 and 4.6). Each rule
 * gives what breaks it.
 */
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { findClass } from '../classes/lookup.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../classes/shape.ts';
import type { InstanceBase } from '../instance.ts';
import type { ObjectNode } from './node.ts';

interface Component {
  readonly owner: ObjectNode;
  readonly clause: ast.ComponentClause;
  /** That of its class. */
  readonly shape: Shape;
  readonly base: InstanceBase;
}

export function* componentProblems(component: Component): Iterable<Diagnostic> {
  for (const rule of rules) {
    const problem = rule(component);
    if (problem) yield problem;
  }
}

type Rule = (component: Component) => Diagnostic | undefined;

const rules: readonly Rule[] = [
  hasInstances,
  partsOfData,
  prefixedClass,
  causalityTwice,
  connectionTwice,
  flowOfReals,
  flowInConnector,
  directedInBlock,
  fieldWithoutInputs,
];

const notAllowed = ({ span }: InstanceBase, message: string, hint: string): Diagnostic =>
  error('not-allowed', message, { span, hint });

const isRecord = (kind: ast.Restriction): boolean => kind.endsWith('record');
const isConnector = (kind: ast.Restriction): boolean => kind.endsWith('connector');
const isData = (kind: ast.Restriction): boolean => isRecord(kind) || isConnector(kind);

/** What has no value of its own: a model, a block, a package … */
const isBehaviour = ({ restriction, predefined, externalObject }: Shape): boolean =>
  !predefined && !externalObject && !isData(restriction);

/** Packages, functions and operators are used by name, and a type is a predefined one (section 4.6). */
function hasInstances({ shape, base }: Component): Diagnostic | undefined {
  const { restriction, predefined, enumeration, externalObject } = shape;
  if (externalObject) return undefined;
  if (enumeration?.literals.length === 0) {
    const message = `\`${base.path}\` is of the type \`enumeration(:)\`, which stands for all enumerations and has no values.`;
    return notAllowed(base, message, 'Redeclare the type to an enumeration with literals.');
  }
  if (predefined) return undefined;
  if (restriction === 'type') {
    const message = `\`${base.path}\` is of a type that is neither a predefined type nor an enumeration.`;
    return notAllowed(
      base,
      message,
      'Write `record` or `model` instead of `type` where its class is defined.',
    );
  }
  if (restriction !== 'package' && restriction !== 'operator' && !restriction.endsWith('function'))
    return undefined;
  const message = `\`${base.path}\` is a ${restriction}, and there are no components of this kind.`;
  const use = restriction.endsWith('function') ? 'Call it' : 'Use what is in it';
  return notAllowed(base, message, `${use} by the name of the class.`);
}

/** Records have variables and records, connectors have connectors too (section 4.6). */
function partsOfData({ owner, shape, base }: Component): Diagnostic | undefined {
  const { restriction: around } = owner;
  const isWrong = isRecord(around)
    ? isBehaviour(shape) || isTrueConnector(shape)
    : isConnector(around) && isBehaviour(shape);
  if (!isWrong) return undefined;
  const message = `\`${base.path}\` is a ${shape.restriction}, and stands in a ${around}.`;
  const more = isConnector(around) ? ', records and connectors' : ' and records';
  return notAllowed(base, message, `A ${around} can have variables${more} only.`);
}

/** A connector that is no single variable. */
const isTrueConnector = ({ restriction, predefined }: Shape): boolean =>
  !predefined && isConnector(restriction);

/** Type prefixes belong to variables, records and connectors (section 4.4.2). */
function prefixedClass({ clause, shape, base }: Component): Diagnostic | undefined {
  const prefix = clause.connection ?? clause.variability ?? clause.causality;
  if (!prefix || !isBehaviour(shape)) return undefined;
  const message = `\`${base.path}\` is a ${shape.restriction}: it cannot be \`${prefix}\`.`;
  return notAllowed(base, message, `Write \`${prefix}\` before variables in it.`);
}

/** Where a connector or a record is an input or an output, no element of it says so again (section 4.4.2.2). */
function causalityTwice({ owner, clause, shape, base }: Component): Diagnostic | undefined {
  const own = clause.causality ?? shape.causality;
  return own && owner.causality && isData(owner.restriction)
    ? prefixedTwice(base, owner, own, owner.causality)
    : undefined;
}

function connectionTwice({ owner, clause, base }: Component): Diagnostic | undefined {
  return clause.connection && owner.connection
    ? prefixedTwice(base, owner, clause.connection, owner.connection)
    : undefined;
}

function prefixedTwice(base: InstanceBase, owner: ObjectNode, own: string, around: string): Diagnostic {
  const message = `\`${base.path}\` is \`${own}\`, and \`${owner.path}\` as a whole is \`${around}\`.`;
  return error('not-allowed', message, {
    span: base.span,
    hint: `Remove one of the two prefixes.`,
    notes: [{ message: `\`${owner.path}\` is declared here.`, span: owner.span }],
  });
}

/** Only Reals flow (section 4.4.2.1). */
function flowOfReals({ shape, base }: Component): Diagnostic | undefined {
  const { connection, variability } = base;
  const { predefined } = shape;
  if (!connection || !predefined || predefined === 'Real') return undefined;
  if (variability === 'constant' || variability === 'parameter') return undefined;
  const type = shape.enumeration?.path ?? predefined;
  return notAllowed(
    base,
    `\`${base.path}\` is \`${connection}\`, and ${type}.`,
    `Only Reals can be \`${connection}\`.`,
  );
}

/** What flows, flows through connectors; the Association's compliance suite demands that others are accepted. Streams that do not are told where they are used. */
function flowInConnector({ owner, clause, base }: Component): Diagnostic | undefined {
  if (clause.connection !== 'flow' || isData(owner.restriction)) return undefined;
  const message = `\`${base.path}\` is \`flow\`, which has no effect in a ${owner.restriction}.`;
  return warning('not-allowed', message, {
    span: base.span,
    hint: 'Remove `flow`, or declare it in a connector.',
  });
}

/** All that the public connectors of a block hold is an input or an output (section 4.6). */
function directedInBlock({ owner, shape, base }: Component): Diagnostic | undefined {
  if (owner.restriction !== 'block' || base.protected || base.causality) return undefined;
  if (shape.restriction !== 'connector') return undefined;
  const undirected = shape.predefined ? '' : undirectedIn(shape);
  if (undirected === undefined) return undefined;
  const name = undirected ? `${base.path}.${undirected}` : base.path;
  const message = `\`${name}\` is neither an input nor an output, but in a connector of a block.`;
  return notAllowed(
    base,
    message,
    'Write `model` instead of `block`, or use connectors of inputs and outputs.',
  );
}

/** The first variable in a connector, or in connectors in it, that is no input or output. */
function undirectedIn({ components }: Shape): string | undefined {
  for (const component of components.values()) {
    const found = undirected(component);
    if (found !== undefined) return found ? `${component.name}.${found}` : component.name;
  }
  return undefined;
}

function undirected({ clause, lexical }: ShapeComponent): string | undefined {
  if (clause.causality || clause.variability === 'parameter' || clause.variability === 'constant')
    return undefined;
  const type = findClass(lexical, clause.type);
  const shape = type && shapeOf(type);
  if (!shape || shape.causality) return undefined;
  return shape.predefined ? '' : undirectedIn(shape);
}

/** What is shared by all components inside cannot be connected by them: its public connectors have no inputs (section 4.8). */
function fieldWithoutInputs({ clause, shape, base }: Component): Diagnostic | undefined {
  const { inner, outer } = clause.prefixes;
  if (!(inner || outer) || !isBehaviour(shape)) return undefined;
  const connector = [...shape.components.values()].find((one) => !one.protected && receives(one));
  if (!connector) return undefined;
  const prefix = inner ? 'inner' : 'outer';
  const message = `\`${base.path}\` is \`${prefix}\`, but its connector \`${connector.name}\` has inputs.`;
  const hint = `Declare the component without \`${prefix}\`, or the input without a connector: \`input Real ${connector.name}\`.`;
  return notAllowed(base, message, hint);
}

/** Whether a component is a connector that contains inputs. */
function receives({ clause, lexical }: ShapeComponent): boolean {
  const type = findClass(lexical, clause.type);
  const shape = type && shapeOf(type);
  if (!shape || !isConnector(shape.restriction)) return false;
  return clause.causality === 'input' || shape.causality === 'input' || hasInputs(shape);
}

const hasInputs = ({ components }: Shape): boolean =>
  [...components.values()].some((component) => component.clause.causality === 'input' || receives(component));
