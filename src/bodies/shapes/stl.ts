/**
 * Meshes in the STL format, a list of triangles with their corners, in text or binary:
 *
 *     text:    solid NAME { facet normal x y z  outer loop  vertex x y z (3 times)  endloop  endfacet } endsolid NAME
 *     binary:  80 bytes of anything, the number n of triangles (4 bytes), n times 50 bytes: normal and corners, 4 bytes each number, and 2 bytes
 *
 * A binary file may begin with "solid" as well. Its length tells: 84 + 50 n, where a text would have four characters that make n larger than any file.
 * Normals are ignored, because many programs write wrong ones.
 */
import { pulse } from '../../diagnostic/pulse.ts';
import { badMesh, checkedMesh, type Mesh, welded } from './mesh.ts';

export function stlMesh(name: string, bytes: Uint8Array): Mesh {
  const corners = isBinary(bytes) ? binaryCorners(bytes) : textCorners(name, bytes);
  const triangles = Uint32Array.from({ length: corners.length / 3 }, (_, k) => k);
  return welded(checkedMesh(name, corners, triangles));
}

const HEADER = 84;
const FACET = 50;

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const facetsOf = (bytes: Uint8Array): number => viewOf(bytes).getUint32(80, true);

const isBinary = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER && bytes.length === HEADER + FACET * facetsOf(bytes);

function binaryCorners(bytes: Uint8Array): Float64Array {
  const view = viewOf(bytes);
  const count = facetsOf(bytes);
  const corners = new Float64Array(9 * count);
  for (let facet = 0; facet < count; facet++) {
    const start = HEADER + FACET * facet + 12;
    for (let k = 0; k < 9; k++) corners[9 * facet + k] = view.getFloat32(start + 4 * k, true);
  }
  return corners;
}

function textCorners(name: string, bytes: Uint8Array): Float64Array {
  const text = new TextDecoder().decode(bytes);
  if (!/^\s*solid\b/i.test(text)) throw badMesh(name, lengthText(bytes));
  const corners: number[] = [];
  let inLoop = -1;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (index % 4096 === 0) pulse();
    const wrong = (message: string) => badMesh(name, `line ${index + 1}: ${message}`);
    const [keyword = '', ...rest] = line.trim().split(/\s+/);
    switch (keyword.toLowerCase()) {
      case 'vertex':
        if (inLoop < 0) throw wrong('a vertex stands outside of a loop.');
        if (rest.length !== 3) throw wrong('a vertex needs three coordinates.');
        for (const word of rest) {
          const value = Number(word);
          if (!Number.isFinite(value)) throw wrong(`\`${word}\` is not a coordinate.`);
          corners.push(value);
        }
        inLoop++;
        break;
      case 'outer':
        if (inLoop >= 0) throw wrong('the loop before this one is not closed.');
        inLoop = 0;
        break;
      case 'endloop':
        if (inLoop !== 3) {
          throw wrong(`this facet has ${Math.max(inLoop, 0)} vertices, but must have three.`);
        }
        inLoop = -1;
        break;
      case 'solid':
      case 'endsolid':
      case 'facet':
      case 'endfacet':
      case '':
        break;
      default:
        throw wrong(`\`${keyword.slice(0, 40)}\` is not a word of an STL file.`);
    }
  }
  if (inLoop >= 0) throw badMesh(name, 'the file ends in the midst of a facet.');
  return Float64Array.from(corners);
}

/** Why a file that is no text is not binary either. */
function lengthText(bytes: Uint8Array): string {
  if (bytes.length < HEADER) return 'the file is too short for an STL file.';
  const count = facetsOf(bytes);
  return `the file should have ${HEADER + FACET * count} bytes for its ${count} triangles, but has ${bytes.length}.`;
}
