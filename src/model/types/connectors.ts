/** Which instances are connectors, and what keeps two of them from being connected (Modelica 3.6, sections 9.1 and 9.3): they must have the same members, of the same kinds. */
import type { Instance, ObjectInstance, VariableInstance } from '../instance.ts';
import { dimsName } from '../value.ts';

/** Whether an instance is a connector, or part of one. */
export function isConnector(instance: Instance): boolean {
  if (instance.kind === 'object') return instance.restriction.endsWith('connector');
  if (instance.causality !== undefined) return true;
  for (let at: Instance | undefined = instance.parent; at?.kind === 'object'; at = at.parent) {
    if (at.restriction.endsWith('connector')) return true;
    if (!at.restriction.endsWith('record')) return false;
  }
  return false;
}

/** Whether an instance is an expandable connector. */
export const isExpandable = (instance: Instance | undefined): instance is ObjectInstance =>
  instance?.kind === 'object' &&
  instance.restriction === 'expandable connector' &&
  instance.dims.length === 0;

/** What lies in an expandable connector takes the causality of what it is connected with. */
export function inExpandable({ parent }: Instance): boolean {
  return isExpandable(parent) || (parent !== undefined && inExpandable(parent));
}

/** What differs between two connectors, or members of them, in words that follow *cannot be connected:*. */
export function instancesDiffer(a: Instance, b: Instance): string | undefined {
  if (a.kind === 'variable' && b.kind === 'variable') return variablesDiffer(a, b, false);
  if (a.kind !== 'object' || b.kind !== 'object') return onlyOneHasMembers;
  const names = kindsDiffer(a, b) ?? membersDiffer(a, b);
  if (names !== undefined) return names;
  for (const [name, member] of a.members) {
    const difference = instancesDiffer(member, b.members.get(name)!);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

export const onlyOneHasMembers = 'only one of them has members';

export const kindsDiffer = (a: ObjectInstance, b: ObjectInstance): string | undefined =>
  isExpandable(a) === isExpandable(b) ? undefined : 'only one of them is expandable';

/** A member that only one of them has. */
export function membersDiffer(a: ObjectInstance, b: ObjectInstance): string | undefined {
  for (const name of b.members.keys()) if (!a.members.has(name)) return `only the second one has \`${name}\``;
  for (const name of a.members.keys()) if (!b.members.has(name)) return `only the first one has \`${name}\``;
  return undefined;
}

const isFixed = ({ variability }: VariableInstance): boolean =>
  variability === 'parameter' || variability === 'constant';

const kindOf = (variable: VariableInstance): string =>
  isFixed(variable) ? `a ${variable.variability}` : 'neither parameter nor constant';

const typeOf = ({ type, enumeration }: VariableInstance): string => enumeration?.path ?? type;

/** What keeps two variables, or elements of them, from being connected. */
export function variablesDiffer(
  left: VariableInstance,
  right: VariableInstance,
  byElement: boolean,
): string | undefined {
  if (left.connection !== right.connection) {
    const kind = (v: VariableInstance): string =>
      v.connection === 'flow' ? 'a flow' : v.connection === 'stream' ? 'a stream' : 'neither flow nor stream';
    return `\`${left.path}\` is ${kind(left)}, \`${right.path}\` is ${kind(right)}`;
  }
  if (left.variability !== right.variability && [left, right].some(isFixed)) {
    return `\`${left.path}\` is ${kindOf(left)}, \`${right.path}\` is ${kindOf(right)}`;
  }
  if (!left.causality !== !right.causality && !inExpandable(left) && !inExpandable(right)) {
    const [causal, other] = left.causality ? [left, right] : [right, left];
    return `\`${causal.path}\` is an ${causal.causality}, \`${other.path}\` is neither input nor output`;
  }
  if (typeOf(left) !== typeOf(right)) {
    return `\`${left.path}\` is ${typeOf(left)}, \`${right.path}\` is ${typeOf(right)}`;
  }
  if (byElement) return undefined;
  if (left.dims.length !== right.dims.length || left.dims.some((n, d) => n !== right.dims[d])) {
    return `\`${left.path}\` has sizes ${dimsName(left.dims)}, \`${right.path}\` has ${dimsName(right.dims)}`;
  }
  return undefined;
}

/** What can be connected in place of a component that is none. */
export function connectorHint(name: string, members: Iterable<Instance>): string {
  const names = [...members].filter(isConnector).map((member) => `\`${name}.${member.name}\``);
  return names.length > 0 ? `Its connectors are ${names.join(', ')}.` : 'It has no connectors.';
}
