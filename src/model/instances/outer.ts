/** Components declared `outer`: each stands for the nearest `inner` one of its name among the objects around it (specification 3.6, section 5.4). */
import { error } from '../../diagnostic/diagnostic.ts';
import type { Report } from '../classes/modification.ts';
import type { ShapeComponent } from '../classes/shape.ts';
import type { Instance } from '../instance.ts';
import { joined } from '../instance.ts';
import { ObjectNode } from './node.ts';

/** Enters the inner component that a component declared `outer` stands for. */
export function enterOuter(owner: ObjectNode, component: ShapeComponent, report: Report): void {
  const span = component.lexical.span(component.declaration.name);
  const { name } = component;
  for (let at: Instance | undefined = owner.parent; at; at = at.parent) {
    if (!(at instanceof ObjectNode) || !at.shape.components.get(name)?.clause.prefixes.inner) continue;
    const member = at.member(name);
    if (member === 'absent') owner.addAbsent(name);
    else if (member === 'cycle') at.maker.cycle(at, name);
    else if (member) owner.addOuter(name, member, component.clause.causality === 'output');
    // A variable stands for the outer one in both roles; a component would be another one for those inside.
    if (component.clause.prefixes.inner && typeof member === 'object' && member.kind === 'object')
      report(error('unsupported', `\`${name}\` is both inner and outer, which is not supported.`, { span }));
    return;
  }
  const type = component.clause.type.parts.map((part) => part.text).join('.');
  report(
    error('unknown-name', `The outer component \`${joined(owner.path, name)}\` has no inner component.`, {
      span,
      hint: `Declare \`inner ${type} ${name};\` in the model or in a component that contains this one.`,
    }),
  );
}
