import { Color } from 'three';
import { describe, expect, test } from 'vitest';
import { colorOf, solidMaterial, solidMaterials, visualMaterial } from '../../src/bodies/shapes/materials.ts';
import { refusal } from './notation.ts';

describe('solid materials', () => {
  test("have density, Young's modulus and Poisson's ratio", () => {
    expect(solidMaterial('it', 'Steel')).toEqual({ density: 8000, youngsModulus: 2e11, poissonsRatio: 0.3 });
  });

  test('are all possible', () => {
    for (const { density, youngsModulus, poissonsRatio } of Object.values(solidMaterials)) {
      expect(density).toBeGreaterThanOrEqual(0);
      expect(youngsModulus).toBeGreaterThan(0);
      expect(poissonsRatio).toBeGreaterThan(0);
      expect(poissonsRatio).toBeLessThan(0.5);
    }
  });

  test('have names that are known', () => {
    expect(refusal(() => solidMaterial('arm', 'steel'))).toBe(
      '[unknown-name] `arm`: there is no solid material `steel`. | Did you mean `Steel`?',
    );
    expect(refusal(() => solidMaterial('arm', 'Unobtainium'))).toMatch(/\| There are Steel, Aluminium, /);
    expect(refusal(() => solidMaterial('arm', 'constructor'))).toContain('no solid material `constructor`');
  });
});

describe('colours', () => {
  test('have the names of CSS', () => {
    const names = Object.entries(Color.NAMES);
    expect(names.length).toBe(148);
    for (const [name, value] of names) {
      expect(colorOf('it', name).map((part) => Math.round(255 * part))).toEqual([
        value >> 16,
        (value >> 8) & 255,
        value & 255,
      ]);
    }
    expect(colorOf('it', 'SteelBlue')).toEqual([0x46 / 255, 0x82 / 255, 0xb4 / 255]);
  });

  test('or numbers', () => {
    expect(colorOf('it', '#fF8000')).toEqual([1, 128 / 255, 0]);
    expect(colorOf('it', [255, 0, 51])).toEqual([1, 0, 0.2]);
  });

  test('that are wrong are refused', () => {
    expect(refusal(() => colorOf('arm', 'rad'))).toBe(
      '[unknown-name] `arm`: there is no colour `rad`. | Did you mean `red`?',
    );
    expect(refusal(() => colorOf('arm', '#12345'))).toMatch(
      /no colour `#12345`\. \| Colours have their names/,
    );
    expect(refusal(() => colorOf('arm', [256, 0, 0]))).toBe(
      '[bad-body] `arm`: its colour is {256, 0, 0}, but must be three numbers from 0 to 255.',
    );
    expect(refusal(() => colorOf('arm', [0, Number.NaN, 0]))).toContain('three numbers from 0 to 255');
  });
});

describe('visual materials', () => {
  test('by name, by colour or in part', () => {
    expect(visualMaterial('it', 'Glass').transparency).toBeGreaterThan(0.5);
    expect(visualMaterial('it', 'red')).toEqual({ color: [1, 0, 0], transparency: 0, shininess: 0.7 });
    expect(visualMaterial('it', { color: 'lime', transparency: 0.5 })).toEqual({
      color: [0, 1, 0],
      transparency: 0.5,
      shininess: 0.7,
    });
    expect(visualMaterial('it')).toEqual(visualMaterial('it', {}));
  });

  test('that are wrong are refused', () => {
    expect(refusal(() => visualMaterial('arm', 'Stel'))).toMatch(
      /no colour `Stel`\. \| Did you mean `Steel`\?/,
    );
    expect(refusal(() => visualMaterial('arm', { transparency: 2 }))).toBe(
      '[bad-body] `arm`: transparency is 2, but must be between 0 and 1.',
    );
    expect(refusal(() => visualMaterial('arm', { shininess: Number.NaN }))).toContain('between 0 and 1');
  });
});
