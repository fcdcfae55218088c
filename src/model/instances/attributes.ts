/** Attributes of variables, `start`, `unit` and the like, as modifiers give them (specification 3.6, section 4.9). */
import { error } from '../../diagnostic/diagnostic.ts';
import { suggestion } from '../../diagnostic/nearest.ts';
import type { ClassEntity } from '../classes/class.ts';
import { forArray, type Modifier, type Report } from '../classes/modification.ts';
import type { Shape } from '../classes/shape.ts';
import type { Bound, InstanceBase } from '../instance.ts';
import { attributesOf } from '../predefined.ts';

const noAttributes: ReadonlyMap<string, Bound> = new Map();

/** The attributes of a variable that its modifiers give. */
export function attributesIn(
  base: InstanceBase,
  type: ClassEntity,
  shape: Shape,
  modifier: Modifier | undefined,
  dims: readonly number[],
  report: Report,
): ReadonlyMap<string, Bound> {
  if (!modifier || modifier.children.size === 0) return noAttributes;
  const known = attributesOf[shape.predefined!];
  const attributes = new Map<string, Bound>();
  for (const [name, child] of modifier.children) {
    if (!known.has(name)) {
      report(
        error('unknown-modifier', `\`${base.path}\` of type \`${type.path}\` has no attribute \`${name}\`.`, {
          span: child.span,
          hint: suggestion(name, known),
        }),
      );
    } else if (child.value) {
      attributes.set(name, forArray(child.final ? { ...child.value, final: true } : child.value, dims));
    }
  }
  return attributes;
}
