import { describe, expect, test } from 'vitest';
import { checkedShape, type GivenShape } from '../../src/bodies/shapes/shape.ts';
import { boxMesh, refusal } from './notation.ts';

const refused = (given: object): string => refusal(() => checkedShape('arm.link', given as GivenShape));

describe('what is left out', () => {
  test('has its standard value', () => {
    expect(checkedShape('it', { kind: 'sphere' })).toEqual({ kind: 'sphere', diameter: 1 });
    expect(checkedShape('it', { kind: 'cylinder', length: 3 })).toEqual({
      kind: 'cylinder',
      axis: 3,
      diameter: 1,
      length: 3,
      innerDiameter: 0,
    });
    expect(checkedShape('it', { kind: 'beam' })).toEqual({
      kind: 'beam',
      axis: 3,
      length: 1,
      width: 0.2,
      thickness: 0.1,
    });
  });

  test('fits what is given', () => {
    expect(checkedShape('it', { kind: 'gearwheel', diameter: 0.1 })).toMatchObject({
      rootDiameter: 0.9 * 0.1,
      teeth: 20,
    });
    expect(checkedShape('it', { kind: 'spring', diameter: 0.1 })).toMatchObject({
      wireDiameter: 0.05 * 0.1,
      windings: 5,
    });
  });

  test('a mesh may be mirrored', () => {
    const mesh = boxMesh([0, 0, 0], [1, 1, 1]);
    expect(checkedShape('it', { kind: 'mesh', mesh, scale: [1, -1, 1] })).toMatchObject({
      scale: [1, -1, 1],
    });
  });
});

describe('shapes that there cannot be', () => {
  test.each<[object, string]>([
    [
      { kind: 'sphere', diameter: -1 },
      '[bad-body] `arm.link`: diameter of the sphere is -1, but must be greater than zero.',
    ],
    [
      { kind: 'box', lengthY: 0 },
      '[bad-body] `arm.link`: lengthY of the box is 0, but must be greater than zero.',
    ],
    [
      { kind: 'box', lengthZ: Number.NaN },
      '[bad-body] `arm.link`: lengthZ of the box is NaN, but must be greater than zero.',
    ],
    [
      { kind: 'capsule', length: Number.POSITIVE_INFINITY },
      '[bad-body] `arm.link`: length of the capsule is Infinity, but must be greater than zero.',
    ],
    [
      { kind: 'cylinder', diameter: 0.1, innerDiameter: 0.2 },
      '[bad-body] `arm.link`: innerDiameter of the cylinder is 0.2, but must be less than diameter, which is 0.1.',
    ],
    [
      { kind: 'cylinder', innerDiameter: -0.1 },
      '[bad-body] `arm.link`: innerDiameter of the cylinder is -0.1, but must be zero or greater.',
    ],
    [
      { kind: 'cone', axis: 4 },
      '[bad-body] `arm.link`: axis of the cone is 4, but must be 1 (x), 2 (y) or 3 (z).',
    ],
    [
      { kind: 'beam', width: '0.2' },
      '[bad-body] `arm.link`: width of the beam is "0.2", but must be greater than zero.',
    ],
    [
      { kind: 'gearwheel', rootDiameter: 1.1 },
      '[bad-body] `arm.link`: rootDiameter of the gear wheel is 1.1, but must be less than diameter, which is 1.',
    ],
    [
      { kind: 'gearwheel', teeth: 7.5 },
      '[bad-body] `arm.link`: teeth of the gear wheel is 7.5, but must be a whole number between 3 and 2000.',
    ],
    [
      { kind: 'grid', length: 1e6 },
      '[bad-body] `arm.link`: distance of the grid is 0.1, which makes more than 2000 lines.',
    ],
    [
      { kind: 'text' },
      '[bad-body] `arm.link`: text of the text is missing, but must be a text that is not empty.',
    ],
    [
      { kind: 'mesh', scale: [1, 1, 1] },
      '[bad-body] `arm.link`: mesh of the mesh is missing, but must be a mesh that was read from a file.',
    ],
    [
      { kind: 'mesh', mesh: boxMesh([0, 0, 0], [1, 1, 1]), scale: [1, 0, 1] },
      '[bad-body] `arm.link`: scale of the mesh is {1, 0, 1}, but must be three numbers that are not zero.',
    ],
    [{ kind: 'shpere' }, '[unknown-name] `arm.link`: there is no shape `shpere`. | Did you mean `sphere`?'],
    [
      { kind: 'sphere', diametre: 1 },
      '[unknown-name] `arm.link`: a sphere has no parameter `diametre`. | Did you mean `diameter`?',
    ],
    [
      { kind: 'sphere', toString: 1 },
      '[unknown-name] `arm.link`: a sphere has no parameter `toString`. | The parameters of a sphere are diameter.',
    ],
    [
      { kind: 'constructor' },
      '[unknown-name] `arm.link`: there is no shape `constructor`. | Shapes are sphere, ellipsoid, box, cylinder, cone, capsule, beam, mesh, frame, grid, spring, gearwheel, text.',
    ],
  ])('%j', (given, message) => {
    expect(refused(given)).toBe(message);
  });
});
