/** Classes of a text as drawings, in a line or two. */
import { expect } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import type { Diagram } from '../../src/diagram/content.ts';
import { diagramOf } from '../../src/diagram/diagram.ts';
import type { Extent, Point } from '../../src/diagram/geometry.ts';
import { type Drawing, type IconOptions, iconOf } from '../../src/diagram/icon.ts';
import type { Group, Path, Shape, Words } from '../../src/diagram/shapes.ts';
import type { Values } from '../../src/diagram/values.ts';
import type { ClassEntity } from '../../src/model/classes/class.ts';
import { classByName } from '../../src/model/classes/lookup.ts';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';

/** A class of a text, by default the last one; `files` are those of libraries. */
export function classIn(
  text: string,
  name?: string,
  files: Readonly<Record<string, string>> = {},
): ClassEntity {
  const library = new Library({ files: new TextFiles(files), roots: [''] });
  const { definition, diagnostics } = parse(new Source('test.mo', text));
  expect(diagnostics).toEqual([]);
  expect(library.add(definition)).toEqual([]);
  return classByName(library, name ?? definition.classes.at(-1)!.name.text)!;
}

export const icon = (text: string, name?: string, options?: IconOptions): Drawing =>
  iconOf(classIn(text, name), options);

export const diagram = (text: string, name?: string, values?: Values): Diagram =>
  diagramOf(classIn(text, name), values && { values });

/** A class `A` whose icon has these graphics. */
export const iconClass = (graphics: string, declarations = '', more = ''): string =>
  `model A ${declarations} annotation(Icon(${more}graphics = {${graphics}})); end A;`;

/** All shapes that are no groups, in the order in which they are drawn. */
export const leaves = (shapes: readonly Shape[]): Exclude<Shape, Group>[] =>
  shapes.flatMap((shape) => (shape.kind === 'group' ? leaves(shape.shapes) : [shape]));

export const paths = ({ shapes }: Pick<Drawing, 'shapes'>): Path[] =>
  leaves(shapes).filter((shape) => shape.kind === 'path' && !shape.unseen) as Path[];

export const words = ({ shapes }: Pick<Drawing, 'shapes'>): Words[] =>
  leaves(shapes).filter((shape) => shape.kind === 'words') as Words[];

export const texts = (drawing: Pick<Drawing, 'shapes'>): string[] => words(drawing).map(({ text }) => text);

/** `M0,0 L1,2 Z`. */
export const outline = ({ pieces }: Path): string =>
  pieces
    .map(([letter, ...points]) => letter + points.map(([x, y]) => `${near(x)},${near(y)}`).join(' '))
    .join(' ');

const near = (value: number): number => Math.round(value * 1e6) / 1e6 || 0;

export const component = ({ components }: Diagram, name: string) => {
  const found = components.find((one) => one.name === name);
  expect(found, name).toBeDefined();
  return found!;
};

/** Both corners, rounded. */
export const corners = ([a, b]: Extent): number[] => [...a, ...b].map(near);

export const place = ([x, y]: Point): number[] => [near(x), near(y)];
