/** Visualizers of the Modelica Standard Library: what their variables say is what animations show. Expected places are computed by hand from the definitions of `ModelicaServices`. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AnimatedNode, Animation } from '../../src/animation/animation.ts';
import { animationGlb } from '../../src/animation/glb.ts';
import { animationOf } from '../../src/animation/recorded.ts';
import { animationNotes } from '../../src/animation/scene.ts';
import { rotated } from '../../src/animation/turning.ts';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { library } from '../models/notation.ts';

/** What a tool finds in place of the library: the classes of `ModelicaServices`, without equations. */
const services = `
package ModelicaServices
  package Animation
    record Orientation Real T[3,3]; Real w[3]; end Orientation;
    type Quantity = enumeration(Force, Torque, Velocity, Acceleration, AngularVelocity, AngularAcceleration, RelativePosition);
    model Shape
      parameter String shapeType = "box";
      input Orientation R(T = identity(3), w = zeros(3));
      input Real r[3] = {0, 0, 0};
      input Real r_shape[3] = {0, 0, 0};
      input Real lengthDirection[3] = {1, 0, 0};
      input Real widthDirection[3] = {0, 1, 0};
      input Real length = 0, width = 0, height = 0, extra = 0;
      input Real color[3] = {255, 0, 0};
      input Real specularCoefficient = 0.7;
    end Shape;
    model Vector
      input Orientation R(T = identity(3), w = zeros(3));
      input Real r[3] = {0, 0, 0};
      input Real coordinates[3] = {0, 0, 0};
      input Real color[3] = {0, 0, 255};
      parameter Quantity quantity = Quantity.Force;
      input Boolean headAtOrigin = false;
    end Vector;
    model Surface
      input Orientation R(T = identity(3), w = zeros(3));
      input Real r_0[3] = {0, 0, 0};
      parameter Integer nu = 2, nv = 2;
      parameter Boolean multiColoredSurface = false;
      input Real color[3] = {255, 0, 0};
      input Real transparency = 0;
      replaceable partial function surfaceCharacteristic
        input Integer nu, nv;
        input Boolean multiColoredSurface;
        output Real X[nu, nv], Y[nu, nv], Z[nu, nv];
        output Real C[if multiColoredSurface then nu else 0, if multiColoredSurface then nv else 0, 3];
      end surfaceCharacteristic;
    end Surface;
  end Animation;
end ModelicaServices;
package Own "A library that uses them"
  model Box = ModelicaServices.Animation.Shape(shapeType = "box");
  model Link "Inherits a shape"
    extends ModelicaServices.Animation.Shape;
  end Link;
  function wave
    input Integer nu, nv;
    input Boolean multiColoredSurface;
    output Real X[nu, nv], Y[nu, nv], Z[nu, nv];
    output Real C[if multiColoredSurface then nu else 0, if multiColoredSurface then nv else 0, 3] = zeros(0, 0, 3);
    input Real height = 1;
  algorithm
    for i in 1:nu loop
      for j in 1:nv loop
        X[i, j] := i;
        Y[i, j] := j;
        Z[i, j] := height*i*j;
      end for;
    end for;
  end wave;
end Own;
`;

async function animation(
  elements: string,
  stopTime = 1,
  files: Record<string, string> = {},
): Promise<Animation | undefined> {
  const text = `${services}\nmodel Test\n${elements}\nend Test;`;
  const model = loadModel(loadText(text), 'Test', {}, { files });
  return animationOf(await simulate(model, { stopTime, intervals: 10 }));
}

/** Where a point of the shape, given by its own coordinates, is in the last row. */
function last(node: AnimatedNode, point: readonly [number, number, number]): number[] {
  const [p, q, s] = [3, 4, 3].map((size, k) => {
    const values = [node.positions, node.rotations, node.scales ?? [1, 1, 1]][k]!;
    return Array.from({ length: size }, (_, i) => values[values.length - size + i]!);
  }) as [number[], [number, number, number, number], number[]];
  const turned = rotated(q, [point[0] * s[0]!, point[1] * s[1]!, point[2] * s[2]!]);
  return turned.map((value, i) => value + p[i]!);
}

const close = (actual: readonly number[], expected: readonly number[]): void => {
  expect(actual).toHaveLength(expected.length);
  for (const [k, value] of expected.entries()) expect(actual[k]).toBeCloseTo(value, 9);
};

describe('shapes', () => {
  test('begin at r + transpose(R.T)*r_shape and reach as far as their length', async () => {
    // The frame is turned by 90 degrees about z: its x is y of the world.
    const { nodes } = (await animation(`Own.Box b(
      R(T = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}, w = zeros(3)),
      r = {1, 2, 3}, r_shape = {0.5, 0, 0}, length = 2*time, width = 0.2, height = 0.4, color = {0, 51, 255});`))!;
    const [box] = nodes as [AnimatedNode];
    expect(box.name).toBe('b');
    expect(box.material!.color).toEqual([0, 0.2, 1]);
    close(last(box, [0, 0, 0]), [1, 2.5, 3]);
    close(last(box, [1, 0, 0]), [1, 4.5, 3]);
    close(last(box, [0, 0.5, 0]), [0.9, 2.5, 3]);
    close(last(box, [0, 0, 0.5]), [1, 2.5, 3.2]);
  });

  test('lie along lengthDirection and widthDirection, as far as that is perpendicular', async () => {
    const { nodes } = (await animation(`Own.Link l(shapeType = "cylinder", length = 3, width = 1, height = 1,
      lengthDirection = {0, 0, 2}, widthDirection = {1, 0, 5});`))!;
    close(last(nodes[0]!, [1, 0, 0]), [0, 0, 3]);
    close(last(nodes[0]!, [0, 0.5, 0]), [0.5, 0, 0]);
    close(last(nodes[0]!, [0, 0, 0.5]), [0, 0.5, 0]);
  });

  test('have other directions where the given ones are parallel or none', async () => {
    const { nodes } = (await animation(`
      Own.Box p(length = 1, width = 1, height = 1, lengthDirection = {0, 1, 0}, widthDirection = {0, 3, 0});
      Own.Box n(length = 1, width = 1, height = 1, lengthDirection = {0, 0, 0});`))!;
    close(last(nodes[0]!, [1, 0, 0]), [0, 1, 0]);
    close(last(nodes[0]!, [0, 1, 0]), [1, 0, 0]);
    close(last(nodes[1]!, [1, 0, 0]), [1, 0, 0]);
  });

  /** The box around a geometry, stretched. */
  const extent = ({ geometry, scales }: AnimatedNode): number[] => {
    const positions = (geometry as { positions: Float32Array }).positions;
    const own = [0, 1, 2].map((k) => {
      const values = Array.from(positions).filter((_, i) => i % 3 === k);
      return [Math.min(...values) * scales![k]!, Math.max(...values) * scales![k]!];
    });
    return own.flat();
  };

  test.each([
    ['box', 0, [0, 2, -0.15, 0.15, -0.2, 0.2]],
    ['sphere', 0, [0, 2, -0.15, 0.15, -0.2, 0.2]],
    ['cylinder', 1, [0, 2, -0.15, 0.15, -0.2, 0.2]],
    ['pipe', 0.5, [0, 2, -0.15, 0.15, -0.2, 0.2]],
    ['pipecylinder', 0.5, [0, 2, -0.15, 0.15, -0.2, 0.2]],
    ['cone', 0, [0, 2, -0.15, 0.15, -0.2, 0.2]],
    ['cone', 2, [0, 2, -0.3, 0.3, -0.4, 0.4]],
    // Half a cylinder at each end.
    ['beam', 0, [-0.15, 2.15, -0.15, 0.15, -0.2, 0.2]],
  ])('a %s with extra = %d is as large as it says', async (type, extra, expected) => {
    const { nodes } = (await animation(
      `Own.Link s(shapeType = "${type}", length = 2, width = 0.3, height = 0.4, extra = ${extra});`,
    ))!;
    const actual = extent(nodes[0]!);
    for (const [k, value] of expected.entries()) expect(actual[k]).toBeCloseTo(value, 3);
  });

  test('gear wheels have their teeth outside, or inside', async () => {
    const { nodes } = (await animation(`
      Own.Link out(shapeType = "gearwheel", length = 1, width = 2, height = 2, extra = 12);
      Own.Link ring(shapeType = "gearwheel", length = 1, width = 2, height = 2, extra = -12);`))!;
    const radii = (node: AnimatedNode): number[] => {
      const { positions } = node.geometry as { positions: Float32Array };
      return Array.from(
        { length: positions.length / 3 },
        (_, k) => 2 * Math.hypot(positions[3 * k + 1]!, positions[3 * k + 2]!),
      );
    };
    expect(Math.max(...radii(nodes[0]!))).toBeCloseTo(1, 5);
    expect(Math.min(...radii(nodes[1]!))).toBeCloseTo(0.9, 5);
    expect(Math.max(...radii(nodes[1]!))).toBeGreaterThan(1);
  });

  test('springs stretch', async () => {
    const { nodes } = (await animation(
      'Own.Link s(shapeType = "spring", length = 1 + time, width = 0.2, height = 0.02, extra = 5);',
    ))!;
    const { scales } = nodes[0]!;
    expect(scales![scales!.length - 3]! / scales![0]!).toBeCloseTo(2, 9);
  });

  test('are not there while they have no size, and are where it comes', async () => {
    const { nodes } = (await animation(
      'Own.Box b(length = if time < 0.45 then 0 else 1, width = if time < 0.45 then 0 else 1, height = if time < 0.45 then 0 else 1);',
    ))!;
    const { visible } = nodes[0]!;
    expect([visible![0], visible![visible!.length - 1]]).toEqual([0, 1]);
    expect(await animation('Own.Box b;')).toBeUndefined();
  });

  test('that change their colour are seen in one after the other', async () => {
    const { nodes, times } = (await animation(
      'Own.Box b(length = 1, width = 1, height = 1, color = if time < 0.45 then {255, 0, 0} else {0, 0, 255});',
    ))!;
    expect(nodes.map(({ material }) => material!.color)).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
    for (let row = 0; row < times.length; row++)
      expect(nodes.reduce((sum, { visible }) => sum + visible![row]!, 0)).toBe(1);
  });

  test('in arrays of components are seen one by one', async () => {
    const { nodes } = (await animation(
      'Own.Box b[3](each length = 1, each width = 1, each height = 1, r = {{k, 0, time} for k in 1:3});',
    ))!;
    expect(nodes.map(({ name }) => name)).toEqual(['b[1]', 'b[2]', 'b[3]']);
    close(last(nodes[2]!, [0, 0, 0]), [3, 0, 1]);
  });

  test('turn as often as their angular velocity says', async () => {
    const animated = (await animation(`Own.Box b(length = 1, width = 1, height = 1,
      R(T = {{cos(100*time), sin(100*time), 0}, {-sin(100*time), cos(100*time), 0}, {0, 0, 1}}, w = {0, 0, 100}));`))!;
    const { angularVelocities } = animated.nodes[0]!;
    close(Array.from(angularVelocities!).slice(-3), [0, 0, 100]);
    expect(animationNotes(animated)).toEqual([]);
  });
});

describe('files', () => {
  const face = (...corners: number[][]): string =>
    [
      '0',
      '3DFACE',
      '8',
      'layer',
      ...corners.flatMap((corner, k) => corner.flatMap((value, i) => [`${10 * (i + 1) + k}`, `${value}`])),
    ].join('\n');
  const dxf = `0\nSECTION\n2\nENTITIES\n${face([0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0])}\n${face([0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 0])}\n0\nENDSEC\n0\nEOF\n`;

  test('DXF faces with four corners are two triangles, seen from both sides, as they are in the file', async () => {
    const { nodes } = (await animation('Own.Link s(shapeType = "part.dxf");', 1, { 'part.dxf': dxf }))!;
    const { indices, positions } = nodes[0]!.geometry as { indices: Uint32Array; positions: Float32Array };
    expect(indices.length / 3).toBe(2 * 3);
    expect(Math.max(...positions)).toBe(1);
    close(last(nodes[0]!, [1, 1, 0]), [1, 1, 0]);
  });

  test('are stretched where extra is 1', async () => {
    const { nodes } = (await animation(
      'Own.Link s(shapeType = "part.dxf", extra = 1, length = 2, width = 3, height = 4);',
      1,
      {
        'part.dxf': dxf,
      },
    ))!;
    close(last(nodes[0]!, [1, 1, 1]), [2, 3, 4]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'missing.dxf',
      {},
      's is not shown: the file “missing.dxf” does not exist, or is outside of the folders of libraries and the working folder.',
    ],
    [
      'part.dxf',
      { 'part.dxf': 'nonsense\n1\n' },
      's is not shown: `part.dxf`: line 1: `nonsense` is not the number of a DXF group.',
    ],
    [
      'part.dxf',
      { 'part.dxf': '0\n3DFACE\n10\nx\n' },
      's is not shown: `part.dxf`: line 4: `x` is not a coordinate.',
    ],
    [
      'part.dxf',
      { 'part.dxf': '0\n3DFACE\n10\n1\n0\nEOF\n' },
      's is not shown: `part.dxf`: line 5: the face before it has no three corners.',
    ],
    [
      'part.dxf',
      { 'part.dxf': '0\nPOLYLINE\n0\nEOF\n' },
      's is not shown: `part.dxf`: the file has no faces of type 3DFACE.',
    ],
    ['part.dxf', { 'part.dxf': '' }, 's is not shown: `part.dxf`: the mesh has no faces.'],
    [
      'part.3ds',
      { 'part.3ds': '' },
      's is not shown: `part.3ds`: this is not a file of a mesh that can be read.',
    ],
    ['ball', {}, 's is not shown: its `shapeType` "ball" is not known.'],
  ])('%s that cannot be shown is told (%#)', async (type, files, note) => {
    const animated = (await animation(
      `Own.Link s(shapeType = "${type}", length = 1); Own.Box other(length = 1, width = 1, height = 1);`,
      1,
      files,
    ))!;
    expect(animationNotes(animated).map(({ text }) => text)).toEqual([note]);
    expect(animated.nodes.map(({ name }) => name)).toEqual(['other']);
  });
});

describe('vectors', () => {
  test('are arrows along the axes of the world, in their colour, shown at once', async () => {
    const { arrows, showsArrows } = (await animation(`Own.Box other(length = 1, width = 1, height = 1);
      ModelicaServices.Animation.Vector v(R(T = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}, w = zeros(3)), r = {1, 0, 0}, coordinates = {3*time, 0, 0},
        quantity = ModelicaServices.Animation.Quantity.Torque, headAtOrigin = true);`))!;
    const [arrow] = arrows as [NonNullable<Animation['arrows']>[number]];
    expect(showsArrows).toBe(true);
    expect(arrow).toMatchObject({ name: 'v', kind: 'torque', ends: true, color: [0, 0, 1] });
    close(Array.from(arrow.vectors).slice(-3), [0, 3, 0]);
    close(Array.from(arrow.origins).slice(-3), [1, 0, 0]);
  });

  test('of relative positions are as long as these', async () => {
    const { nodes } =
      (await animation(`ModelicaServices.Animation.Vector v(r = {1, 0, 0}, coordinates = {0, 2, 0},
        quantity = ModelicaServices.Animation.Quantity.RelativePosition);
      ModelicaServices.Animation.Vector w(r = {1, 0, 0}, coordinates = {0, 2, 0}, headAtOrigin = true,
        quantity = ModelicaServices.Animation.Quantity.RelativePosition);`))!;
    close(last(nodes[0]!, [0, 0, 0]), [1, 0, 0]);
    close(last(nodes[0]!, [1, 0, 0]), [1, 2, 0]);
    close(last(nodes[1]!, [1, 0, 0]), [1, 0, 0]);
    close(last(nodes[1]!, [0, 0, 0]), [1, -2, 0]);
  });
});

describe('surfaces', () => {
  const surface = (
    height: string,
  ): string => `ModelicaServices.Animation.Surface s(nu = 3, nv = 2, r_0 = {10, 0, 0}, transparency = 0.25,
    redeclare function surfaceCharacteristic = Own.wave(height = ${height}));`;

  test('have the points that their function gives', async () => {
    const { nodes } = (await animation(`parameter Real h = 2; ${surface('h')}`))!;
    expect(nodes).toHaveLength(1);
    const { positions } = nodes[0]!.geometry as { positions: Float32Array };
    const points = Array.from({ length: 6 }, (_, k) => Array.from(positions.subarray(3 * k, 3 * k + 3)));
    expect(points).toEqual([1, 2, 3].flatMap((i) => [1, 2].map((j) => [i, j, 2 * i * j])));
    expect(nodes[0]!.material!.opacity).toBe(0.75);
    close(last(nodes[0]!, [1, 1, 2]), [11, 1, 2]);
  });

  test('without a function that can be called are told', async () => {
    const animated = (await animation(
      'Own.Box other(length = 1, width = 1, height = 1); ModelicaServices.Animation.Surface s;',
    ))!;
    expect(animationNotes(animated).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^The surface s is not shown: .*surfaceCharacteristic/),
    ]);
  });

  test('that change their form have one for each time', async () => {
    const { nodes, times } = (await animation(`Real h = time; ${surface('h')}`))!;
    expect(nodes).toHaveLength(times.length);
    for (const [row, { geometry, visible }] of nodes.entries()) {
      expect(visible![row]).toBe(1);
      expect((geometry as { positions: Float32Array }).positions[2]).toBeCloseTo(times[row]!, 6);
    }
  });
});

const roots = (process.env.MODELICAPATH ?? '')
  .split(':')
  .filter((root) => existsSync(`${root}/Modelica/package.mo`));
const skipped = roots.length === 0;

describe.skipIf(skipped)(
  `Modelica.Mechanics.MultiBody${skipped ? ' (skipped: Modelica is not on MODELICAPATH)' : ''}`,
  () => {
    const example = async (name: string, stopTime: number): Promise<Animation> => {
      const model = loadModel(library(...roots), `Modelica.Mechanics.MultiBody.Examples.${name}`);
      return animationOf(await simulate(model, { stopTime, intervals: 20 }))!;
    };

    test('the boxes of a double pendulum hang together and the world points up', async () => {
      const animated = await example('Elementary.DoublePendulum', 0.5);
      expect(animated.up).toEqual([0, 1, 0]);
      expect(animationNotes(animated)).toEqual([]);
      const node = (name: string) => animated.nodes.find((one) => one.name === name)!;
      const [first, second] = [
        node('boxBody1.frameTranslation.shape'),
        node('boxBody2.frameTranslation.shape'),
      ];
      // r = {0.5, 0, 0}: the end of the first is the beginning of the second.
      close(last(first, [1, 0, 0]), last(second, [0, 0, 0]));
      const [end, begin] = [last(second, [1, 0, 0]), last(second, [0, 0, 0])];
      expect(Math.hypot(...end.map((value, k) => value - begin[k]!))).toBeCloseTo(0.5, 9);
      expect(animationGlb(animated).length).toBeGreaterThan(10_000);
    });

    test('surfaces and their changing forms are shown', async () => {
      const animated = await example('Elementary.Surfaces', 1);
      expect(animationNotes(animated)).toEqual([]);
      const torus = animated.nodes.find(({ name }) => name === 'torus.surface')!;
      const { positions } = torus.geometry as { positions: Float32Array };
      // R = 0.5, r = 0.1: all points are at this distance from the circle of radius R about y.
      for (let k = 0; k < positions.length; k += 3) {
        const [x, y, z] = positions.subarray(k, k + 3) as unknown as [number, number, number];
        expect(Math.hypot(Math.hypot(x, z) - 0.5, y)).toBeCloseTo(0.1, 5);
      }
    });
  },
);
