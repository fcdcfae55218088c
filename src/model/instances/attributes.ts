/** Attributes of variables, `start`, `unit` and the like, as modifiers give them (specification 3.6, section 4.9). */
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { respelt } from '../../diagnostic/fix.ts';
import { nearest, suggestion } from '../../diagnostic/nearest.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from '../classes/class.ts';
import { withoutEach } from '../classes/each.ts';
import {
  eachFix,
  eachHint,
  forArray,
  type Modifier,
  type Report,
  scalarGiven,
} from '../classes/modification.ts';
import type { Shape } from '../classes/shape.ts';
import type { Bound, InstanceBase } from '../instance.ts';
import { attributesOf } from '../predefined.ts';
import type { DeclaredNode } from './node.ts';

const noAttributes: ReadonlyMap<string, Bound> = new Map();

/** The attributes of a variable, by its modifiers and those of its type together. */
export function attributesIn(
  base: InstanceBase,
  type: ClassEntity,
  shape: Shape,
  modifier: Modifier | undefined,
  declared: DeclaredNode,
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
          fix: respelt(child.span, name, nearest(name, known)),
        }),
      );
      continue;
    }
    const problem = nestedProblem(name, child);
    if (problem) report(problem);
    if (child.value) {
      // What the type of the elements says holds for each of them, and so does what a redeclaration says that does not repeat sizes.
      const isFromType = shape.subscripts.length === 0 && !declared.modifier?.children.get(name)?.value;
      const isOfElements = dims.length > 0 && (isFromType || !hasSizes(declared, shape));
      const value = isOfElements ? { ...child.value, each: true } : child.value;
      const whole = forArray(value, dims);
      if (whole.each && !value.each && !value.outside)
        report(
          warning('dimension-mismatch', scalarGiven(`\`${name}\` of \`${base.path}\``, 'is an array'), {
            span: value.span,
            hint: eachHint,
            fix: eachFix(value.span),
          }),
        );
      if (child.each && !isOfElements && rankOf(child.value.value) >= Math.max(dims.length, 1))
        report(
          error(
            'dimension-mismatch',
            `\`each\` gives \`${name}\` of every element of \`${base.path}\` an array.`,
            {
              span: child.span,
              hint: 'Remove `each`, or give one value for all elements.',
              fix: withoutEach(child.span),
            },
          ),
        );
      attributes.set(name, child.final ? { ...whole, final: true } : whole);
    }
  }
  return attributes;
}

/** Attributes have a value, and nothing else: no attributes of their own, and no class that could be another one. */
function nestedProblem(name: string, { redeclare, children, span }: Modifier): Diagnostic | undefined {
  if (redeclare)
    return error('bad-binding', `\`${name}\` is an attribute: it cannot be redeclared.`, {
      span,
      hint: `Give it a value: \`${name} = …\`.`,
    });
  const [first] = children;
  return (
    first &&
    error('unknown-modifier', `\`${name}\` is an attribute: it has no \`${first[0]}\`.`, {
      span: first[1].span,
      hint: 'Modify the variable itself.',
    })
  );
}

const hasSizes = ({ declaration, clause }: DeclaredNode, { subscripts }: Shape): boolean =>
  declaration.subscripts.length + clause.subscripts.length + subscripts.length > 0;

/** How many dimensions a value has for certain, by the braces in which it is written. */
const rankOf = (value: ast.Expression): number =>
  value.kind === 'array' ? 1 + (value.elements[0] ? rankOf(value.elements[0]) : 0) : 0;
