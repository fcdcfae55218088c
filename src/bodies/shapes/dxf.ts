/**
 * Meshes in the DXF format, as far as it is faces in space. The file is lines in pairs, a number that says what the value on the next line is:
 *
 *     0 3DFACE            an entity begins
 *     10 x 20 y 30 z      its first corner; 11 21 31, 12 22 32 and 13 23 33 are the others
 *
 * A face whose last corners are equal, or that has no fourth one, is a triangle. Other entities, layers and colours are passed over.
 */
import { pulse } from '../../diagnostic/pulse.ts';
import { badMesh, checkedMesh, type Mesh, welded } from './mesh.ts';

export function dxfMesh(name: string, text: string): Mesh {
  const lines = text.split(/\r\n|\n|\r/);
  const positions: number[] = [];
  const triangles: number[] = [];
  /** Coordinates of the face that is being read, by corner and axis. */
  let face: number[] | undefined;
  let others = 0;
  const close = (line: number): void => {
    if (!face) return;
    const corners = [0, 1, 2, 3].map((k) => face!.slice(3 * k, 3 * k + 3));
    const isWhole = (corner: readonly number[]): boolean =>
      corner.length === 3 && corner.every(Number.isFinite);
    if (!corners.slice(0, 3).every(isWhole))
      throw badMesh(name, `line ${line}: the face before it has no three corners.`);
    const [a, , c, d] = corners as [number[], number[], number[], number[]];
    const isFour = isWhole(d) && !same(c, d) && !same(a, d);
    const first = positions.length / 3;
    for (const corner of corners.slice(0, isFour ? 4 : 3)) positions.push(...corner);
    triangles.push(first, first + 1, first + 2);
    if (isFour) triangles.push(first, first + 2, first + 3);
  };
  for (let k = 0; k + 1 < lines.length; k += 2) {
    if (k % 8192 === 0) pulse();
    const code = Number(lines[k]!.trim());
    if (lines[k]!.trim() === '' || !Number.isInteger(code))
      throw badMesh(
        name,
        `line ${k + 1}: \`${lines[k]!.trim().slice(0, 40)}\` is not the number of a DXF group.`,
      );
    const value = lines[k + 1]!.trim();
    if (code === 0) {
      close(k + 1);
      face = value.toUpperCase() === '3DFACE' ? new Array(12).fill(Number.NaN) : undefined;
      if (surfaces.has(value.toUpperCase())) others++;
    } else if (face && code >= 10 && code <= 33 && code % 10 <= 3) {
      const number = Number(value);
      if (value === '' || !Number.isFinite(number))
        throw badMesh(name, `line ${k + 2}: \`${value.slice(0, 40)}\` is not a coordinate.`);
      face[3 * (code % 10) + Math.floor(code / 10) - 1] = number;
    }
  }
  close(lines.length);
  if (triangles.length === 0 && others > 0)
    throw badMesh(name, 'the file has no faces of type 3DFACE.', 'Export it with faces (3DFACE).');
  return welded(checkedMesh(name, Float64Array.from(positions), Uint32Array.from(triangles)));
}

/** Entities that have a surface in another form. */
const surfaces: ReadonlySet<string> = new Set(['POLYLINE', 'MESH', '3DSOLID', 'BODY', 'SURFACE', 'INSERT']);

const same = (a: readonly number[], b: readonly number[]): boolean => a.every((value, k) => value === b[k]);
