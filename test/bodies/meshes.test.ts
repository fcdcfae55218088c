/** Bodies whose shapes come from files. */
import { describe, expect, test } from 'vitest';
import { Failure, type Files, instantiate, type LoadOptions, loadModel, simulate } from '../../src/index.ts';
import { close } from '../models/notation.ts';
import { binaryStl, boxMesh, objText } from './notation.ts';

const box = boxMesh([-0.5, -0.1, -0.15], [0.5, 0.1, 0.15]);
const millimetres = boxMesh([-500, -100, -150], [500, 100, 150]);

const hanging = (shape: string) => `model Hanging
  import Mutabor.Bodies.*;
  World world;
  Object3D hinge;
  ${shape}
  RevoluteWithFlange joint(obj1 = "world", obj2 = "hinge", axis = {1, 2, 2}, phi(fixed = true), w(fixed = true));
end Hanging;`;
const meshed = (modifier: string) =>
  hanging(`Mesh part(parent = "hinge", translation = {0.5, 0, 0}, density = 1000, ${modifier});`);

const result = (text: string, files?: Files) =>
  simulate(loadModel(text, undefined, {}, { files }), { stopTime: 1, tolerance: 1e-9, audit: true });

/** The only message of a run that fails. */
async function refused(text: string, files?: Files): Promise<string> {
  const { status, diagnostics } = await result(text, files);
  expect(status).toBe('failed');
  const [{ code, message, hint, span } = {}] = diagnostics;
  expect(span!.source.text.slice(span!.start)).toMatch(/^part\b/);
  return `[${code}] ${message}${hint ? ` | ${hint}` : ''}`;
}

describe('a mesh', () => {
  test.each<[string, string, Files]>([
    ['of an OBJ text', 'file = "part.obj"', { 'part.obj': objText(box) }],
    ['of a binary STL file', 'file = "part.stl"', { 'part.stl': binaryStl(box) }],
    [
      'in millimetres',
      'file = "a/b.STL", scale = {0.001, 0.001, 0.001}',
      { 'a/b.STL': binaryStl(millimetres) },
    ],
    [
      'that a function gives',
      'file = "part.obj"',
      (name) => (name === 'part.obj' ? objText(box) : undefined),
    ],
  ])('%s moves as the body of its shape', async (_, modifier, files) => {
    const { table, diagnostics } = await result(meshed(modifier), files);
    expect(diagnostics).toEqual([]);
    // About an axis (1, 2, 2)/3 through the hinge; the centre of mass is at (1/2, 0, 0), the weight acts along -y.
    const m = 1000 * 1 * 0.2 * 0.3;
    const [Ixx, Iyy, Izz] = [m * (0.04 + 0.09), m * (1 + 0.09), m * (1 + 0.04)].map((value) => value / 12);
    const inertia = (Ixx! + 4 * (Iyy! + m / 4) + 4 * (Izz! + m / 4)) / 9;
    close(table.value('joint.a', 0), (-m * 9.81 * 0.5 * (2 / 3)) / inertia, 1e-6);
    const same = await result(
      hanging(
        'Box part(parent = "hinge", translation = {0.5, 0, 0}, density = 1000, lengthY = 0.2, lengthZ = 0.3);',
      ),
    );
    close(table.value('joint.phi', 1), same.table.value('joint.phi', 1), 1e-6);
  });

  test('without mass is only seen and need not be closed', async () => {
    const open = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n';
    const text = hanging(
      'Mesh part(parent = "world", file = "open.obj"); Sphere ball(parent = "hinge", translation = {1, 0, 0}, mass = 1);',
    );
    const { status, pictures } = await result(text, { 'open.obj': open });
    expect(status).toBe('done');
    const seen = pictures[0]!.shapes.find(({ name }) => name === 'part')!.geometry!;
    expect('indices' in seen && seen.indices.length).toBe(3);
  });

  test('is read once for all objects and runs of a model', async () => {
    const read: string[] = [];
    const files = (name: string, declaredIn: string) => {
      read.push(`${name} in ${declaredIn}`);
      return objText(box);
    };
    const two = hanging(
      'Mesh part(parent = "hinge", mass = 1, file = "part.obj"); Mesh other(parent = "part", mass = 1, file = "part.obj");',
    );
    const model = instantiate(two, { files });
    const first = await model.simulate();
    const { status, pictures } = await model.simulate({ merge: { part: { mass: 2 } } });
    expect(status).toBe('done');
    expect(pictures[0]!.shapes[2]!.geometry).toBe(first.pictures[0]!.shapes[1]!.geometry);
    expect(read).toEqual(['part.obj in model.mo']);
  });

  test('that is missing is refused with its object', async () => {
    const text = meshed('file = "part.obj"');
    expect(await refused(text)).toBe(
      "[file-not-found] `part`: There is no file `part.obj`. | Give its bytes to what loads the model, with the option `files: { 'part.obj': bytes }`.",
    );
    expect(await refused(text, { 'Part.obj': '' })).toBe(
      '[file-not-found] `part`: There is no file `part.obj`. | Did you mean `Part.obj`?',
    );
    expect(await refused(text, () => undefined)).toBe(
      '[file-not-found] `part`: There is no file `part.obj`.',
    );
    const failing = () => {
      throw new Error('the disk is gone');
    };
    expect(await refused(text, failing)).toBe(
      '[file-not-found] `part`: The file `part.obj` cannot be read: the disk is gone.',
    );
    const late = (() => Promise.resolve(objText(box))) as unknown as Files;
    expect(await refused(text, late)).toBe(
      '[file-not-found] `part`: The file `part.obj` cannot be read: the function `files` gives neither bytes nor a text.',
    );
    expect(await refused(meshed('file = "toString"'), {})).toBe(
      '[file-not-found] `part`: There is no file `toString`.',
    );
  });

  test('that is broken is refused with its object and the line of the file', async () => {
    const text = meshed('file = "part.obj"');
    expect(await refused(text, { 'part.obj': 'v 0 0 0\nv 0 0\n' })).toBe(
      '[bad-mesh] `part`: `part.obj`: line 2: a vertex needs three coordinates.',
    );
    expect(await refused(text, { 'part.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' })).toMatch(
      /^\[bad-mesh\] `part`: /,
    );
    expect(await refused(meshed('file = "part.ply"'), { 'part.ply': 'ply' })).toBe(
      '[bad-mesh] `part`: `part.ply`: this is not a file of a mesh that can be read. | Meshes are read from files of type .obj, .stl and .dxf.',
    );
    expect(await refused(meshed('file = "part.stl"'), { 'part.stl': new Uint8Array(7) })).toMatch(
      /^\[bad-mesh\] `part`: `part.stl`: the file is too short/,
    );
  });

  test.each([[[]], ['part.obj'], [{ 'part.obj': 3 }], [{ 'part.obj': [1, 2] }]])(
    'cannot come from %j',
    (files) => {
      const load = () =>
        loadModel(meshed('file = "part.obj"'), undefined, {}, { files } as unknown as LoadOptions);
      expect(load).toThrow(Failure);
      expect(load).toThrow(
        /^The option `files` of `loadModel` must be an object with bytes \(`Uint8Array`\) or texts by name, or a function/,
      );
    },
  );
});
