/**
 * Meshes in Wavefront's OBJ format: lines with a keyword each, of which vertices (`v`) and faces (`f`) matter here.
 *
 *     v 0 0 1          a vertex; what follows the three coordinates is colour or weight
 *     f 1/1/1 2//3 -1  a face: vertices counted from 1 or, if negative, back from the latest; then texture and normal
 *
 * A backslash at its end continues a line. Faces with more than three vertices, which may point inward, are cut into triangles.
 */
import { suggestion } from '../../diagnostic/nearest.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import type { Vector } from '../space.ts';
import { badMesh, checkedMesh, type Mesh } from './mesh.ts';
import { polygonTriangles } from './polygon.ts';

export function objMesh(name: string, text: string): Mesh {
  const positions: number[] = [];
  /** Vertices of each face, with its line, to say where one is wrong that uses vertices which never come. */
  const faces: { readonly line: number; readonly corners: readonly number[] }[] = [];
  for (const { number, words } of statementsOf(text)) {
    if (number % 4096 === 0) pulse();
    const wrong = (message: string, hint?: string) => badMesh(name, `line ${number}: ${message}`, hint);
    const [keyword = '', ...rest] = words;
    if (keyword === 'v') {
      if (rest.length < 3) throw wrong('a vertex needs three coordinates.');
      for (const word of rest.slice(0, 3)) {
        const value = Number(word);
        if (!Number.isFinite(value)) throw wrong(`\`${word}\` is not a coordinate.`);
        positions.push(value);
      }
    } else if (keyword === 'f') {
      if (rest.length < 3) throw wrong('a face needs three vertices.');
      const count = positions.length / 3;
      const corners = rest.map((word) => {
        const [vertex = ''] = word.split('/');
        const index = Number(vertex);
        if (vertex === '' || !Number.isInteger(index)) throw wrong(`\`${word}\` is not a vertex of a face.`);
        if (index === 0) throw wrong('there is no vertex 0: they are counted from 1.');
        if (index < -count)
          throw wrong(`vertex ${index} does not exist: there are ${count} before this line.`);
        return index < 0 ? count + index : index - 1;
      });
      faces.push({ line: number, corners });
    } else if (curved.has(keyword)) {
      throw wrong(`\`${keyword}\` is a curved surface.`, 'Export the mesh with flat faces.');
    } else if (!ignored.has(keyword)) {
      throw wrong(
        `\`${keyword.slice(0, 40)}\` is not a statement of an OBJ file.`,
        suggestion(keyword, ['v', 'f', ...ignored]),
      );
    }
  }
  const count = positions.length / 3;
  const point = (vertex: number): Vector => [
    positions[3 * vertex]!,
    positions[3 * vertex + 1]!,
    positions[3 * vertex + 2]!,
  ];
  const triangles: number[] = [];
  for (const { line, corners } of faces) {
    if (triangles.length % 4096 === 0) pulse();
    const missing = corners.find((vertex) => vertex >= count);
    if (missing !== undefined) {
      throw badMesh(name, `line ${line}: vertex ${missing + 1} does not exist: there are ${count}.`);
    }
    if (corners.length === 3) triangles.push(...corners);
    else {
      for (const triangle of polygonTriangles(corners.map(point))) {
        triangles.push(...triangle.map((k) => corners[k]!));
      }
    }
  }
  return checkedMesh(name, Float64Array.from(positions), Uint32Array.from(triangles));
}

/** Statements without a meaning for the surface: textures, normals, names, materials, and how to show it. */
const ignored: ReadonlySet<string> = new Set(
  'vt vn vp g o s l p mg usemtl mtllib usemap maplib bevel c_interp d_interp lod shadow_obj trace_obj call csh'.split(
    ' ',
  ),
);
const curved: ReadonlySet<string> = new Set('cstype deg surf curv curv2 bmat step'.split(' '));

/** The words of each line that has some, without comments. */
function* statementsOf(
  text: string,
): Generator<{ readonly number: number; readonly words: readonly string[] }> {
  let [number, begin, open] = [0, 0, ''];
  for (const line of text.split(/\r\n|\n|\r/)) {
    number++;
    if (open === '') begin = number;
    const content = open + (line.includes('#') ? line.slice(0, line.indexOf('#')) : line);
    if (content.endsWith('\\')) {
      open = `${content.slice(0, -1)} `;
      continue;
    }
    open = '';
    const words = content.split(/\s+/).filter((word) => word !== '');
    if (words.length > 0) yield { number: begin, words };
  }
  const words = open.split(/\s+/).filter((word) => word !== '');
  if (words.length > 0) yield { number: begin, words };
}
