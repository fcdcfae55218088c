/** The classes that a model is made of, with the constants in them. */
import { error } from '../diagnostic/diagnostic.ts';
import type { ClassEntity } from './classes/class.ts';
import type { ShapeComponent } from './classes/shape.ts';
import { ClassStore } from './classes/store.ts';
import type { Instance } from './instance.ts';
import { InstanceBuilder } from './instances/builder.ts';

export class Library extends ClassStore {
  override constantOf(owner: ClassEntity, component: ShapeComponent): Instance | undefined {
    const { name } = component;
    this.consult(owner);
    const known = owner.constants.get(name);
    if (known) return known;
    if (owner.making.has(name)) {
      const span = component.lexical.span(component.declaration.name);
      const message = `The size of the constant \`${owner.path}.${name}\` depends on itself.`;
      this.addProblems([error('cyclic-definition', message, { span })]);
      return undefined;
    }
    owner.making.add(name);
    try {
      return new InstanceBuilder(this).constant(owner, component);
    } finally {
      owner.making.delete(name);
    }
  }
}
