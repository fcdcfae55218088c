/**
 * Connectors have as many flows as potentials (Modelica 3.6, section 9.3.1), where they have flows at all: otherwise no component with such a connector can have the right
 * number of equations. Overdetermined types and records count with their degrees of freedom.
 */
import { entityOf } from '../../model/classes/class.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type { ClassNode, Instance, ObjectInstance } from '../../model/instance.ts';
import type { FlatBuilder } from '../core/context.ts';
import { partsOf } from '../core/families.ts';
import { count } from '../core/values.ts';
import { constraintOf } from '../expressions/graph.ts';

export function checkConnectors(builder: FlatBuilder, root: ObjectInstance): void {
  const known = new Set<ClassNode['definition']>();
  for (const connector of connectorsIn(root)) {
    if (known.has(connector.class.definition)) continue;
    known.add(connector.class.definition);
    checkConstraints(builder, connector);
    const { flows, potentials } = counted(connector);
    if (flows === 0 || Number.isNaN(potentials) || flows === potentials) continue;
    const { class: own, span, path } = connector;
    const message = `The connector \`${own.path}\` has ${flows} flow${flows === 1 ? '' : 's'} for ${potentials} potential${potentials === 1 ? '' : 's'}: the numbers must be equal.`;
    builder.reportAt('bad-connector', message, {
      span: entityOf(own).span(own.definition.name),
      hint: 'Variables that are neither `flow` nor `stream`, `input`, `output`, `parameter` or `constant` count as potentials.',
      notes: [{ message: `\`${path}\` is such a connector`, span }],
    });
  }
}

/** The connectors of a model that are not in other connectors. */
function* connectorsIn(root: ObjectInstance): Generator<ObjectInstance> {
  const stack: Instance[] = [root];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.kind !== 'object' || (next.outer && !next.inner)) continue;
    if (next.restriction === 'connector' && next.dims.length === 0) yield next;
    else stack.push(...partsOf(next));
  }
}

/** Not a number where the degrees of freedom are not known. */
function counted(connector: ObjectInstance): { flows: number; potentials: number } {
  let flows = 0;
  let potentials = 0;
  const stack: { readonly part: Instance; readonly times: number }[] = [{ part: connector, times: 1 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { part, times } = next;
    const constraint = part === connector ? undefined : constraintOf(part);
    if (constraint) potentials += times * freedomsOf(constraint);
    else if (part.kind === 'object') {
      const each = part.template ? times * count(part.dims) : times;
      for (const below of partsOf(part)) stack.push({ part: below, times: each });
    } else if (part.connection === 'flow') flows += times * count(part.dims);
    else if (
      part.connection === undefined &&
      !part.causality &&
      !/^(parameter|constant)$/.test(part.variability)
    )
      potentials += times * count(part.dims);
  }
  return { flows, potentials };
}

/** `equalityConstraint` takes two values of the type or record that it is in, and gives a vector of residues (section 9.4.1). */
function checkConstraints(builder: FlatBuilder, connector: ObjectInstance): void {
  for (const part of connector.members.values()) {
    const constraint = constraintOf(part);
    if (!constraint) continue;
    const entity = entityOf(constraint);
    const components = [...shapeOf(entity).components.values()];
    const inputs = components.filter(({ clause }) => clause.causality === 'input');
    const outputs = components.filter(({ clause }) => clause.causality === 'output');
    const sizes = outputs.flatMap(({ clause, declaration }) => [
      ...declaration.subscripts,
      ...clause.subscripts,
    ]);
    if (inputs.length === 2 && outputs.length === 1 && sizes.length === 1) continue;
    builder.reportAt('bad-graph', `\`${entity.path}\` needs two inputs and one vector as output.`, {
      span: entity.span(entity.definition.name),
      hint: 'It takes two values of the type that it is in, and gives by how much they differ: `input T a; input T b; output Real residue[n];`.',
    });
  }
}

/** The size of what `equalityConstraint` gives. */
function freedomsOf(constraint: ClassNode): number {
  const components = [...shapeOf(entityOf(constraint)).components.values()];
  const output = components.find(({ clause }) => clause.causality === 'output');
  const sizes = output ? [...output.declaration.subscripts, ...output.clause.subscripts] : [];
  return sizes.length === 1 && sizes[0]!.kind === 'number' ? sizes[0]!.value : Number.NaN;
}
