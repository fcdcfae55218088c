/**
 * What Modelica defines itself (specification 3.6, sections 3.7, 3.8 and 4.9): the predefined types with their
 * attributes, the predefined enumerations, and the names of the built-in functions and operators. They are the outermost
 * scope of every lookup. Predefined types are classes like all others; their definitions are parsed from no text.
 */
import { Source } from '../diagnostic/source.ts';
import { intrinsics } from '../symbolic/intrinsics.ts';
import type * as ast from '../syntax/ast.ts';
import { noPrefixes } from '../syntax/modifications.ts';

export type PredefinedType = 'Real' | 'Integer' | 'Boolean' | 'String' | 'enumeration' | 'Clock';

/** The attributes of each predefined type. */
export const attributesOf: Readonly<Record<PredefinedType, ReadonlySet<string>>> = {
  Real: new Set('quantity unit displayUnit min max start fixed nominal unbounded stateSelect'.split(' ')),
  Integer: new Set(['quantity', 'min', 'max', 'start', 'fixed']),
  Boolean: new Set(['quantity', 'start', 'fixed']),
  String: new Set(['quantity', 'start', 'fixed']),
  enumeration: new Set(['quantity', 'min', 'max', 'start', 'fixed']),
  Clock: new Set(),
};

/** Built-in functions and operators, `time` included. Dotted names are operators of the scope `Connections`. */
export const builtinNames: ReadonlySet<string> = new Set(intrinsics.keys());

/** Predefined classes by name; the value says their type, the definition carries name and literals. */
export const predefinedClasses: ReadonlyMap<string, ast.ClassDef> = new Map(
  (
    [
      ['Real', undefined],
      ['Integer', undefined],
      ['Boolean', undefined],
      ['String', undefined],
      ['Clock', undefined],
      ['ExternalObject', undefined],
      ['StateSelect', ['never', 'avoid', 'default', 'prefer', 'always']],
      ['AssertionLevel', ['warning', 'error']],
    ] as const
  ).map(([name, literals]) => [name, definitionOf(name, literals)]),
);

const typeOfDefinition: ReadonlyMap<ast.ClassDef, PredefinedType> = new Map(
  (['Real', 'Integer', 'Boolean', 'String', 'Clock'] as const).map((name) => [
    predefinedClasses.get(name)!,
    name,
  ]),
);

/** The predefined type that a definition of this file stands for, enumerations excepted. */
export const predefinedType = (definition: ast.ClassDef): PredefinedType | undefined =>
  typeOfDefinition.get(definition);

function definitionOf(name: string, literals: readonly string[] | undefined): ast.ClassDef {
  const source = new Source(`predefined type ${name}`, name);
  const node = { start: 0, end: name.length };
  const comment = { description: undefined, annotation: undefined };
  const body: ast.ClassBody = literals
    ? {
        kind: 'enumeration',
        ...node,
        literals: literals.map((text) => ({ ...node, name: { ...node, text }, comment })),
        comment,
      }
    : {
        kind: 'long',
        ...node,
        classExtends: undefined,
        description: undefined,
        sections: [],
        external: undefined,
        annotation: undefined,
      };
  return {
    kind: 'class',
    ...node,
    source,
    name: { ...node, text: name },
    restriction: 'type',
    refining: false,
    encapsulated: false,
    partial: false,
    purity: undefined,
    prefixes: noPrefixes,
    body,
    constrainedBy: undefined,
  };
}
