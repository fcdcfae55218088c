/** Meshes from files, by the ending of their names. */
import { dxfMesh } from './dxf.ts';
import { badMesh, type Mesh } from './mesh.ts';
import { objMesh } from './obj.ts';
import { stlMesh } from './stl.ts';

export function fileMesh(name: string, bytes: Uint8Array): Mesh {
  const ending = /\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase();
  if (ending === 'obj') return objMesh(name, new TextDecoder().decode(bytes));
  if (ending === 'stl') return stlMesh(name, bytes);
  if (ending === 'dxf') return dxfMesh(name, new TextDecoder().decode(bytes));
  throw badMesh(
    name,
    'this is not a file of a mesh that can be read.',
    'Meshes are read from files of type .obj, .stl and .dxf.',
  );
}
