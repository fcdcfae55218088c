/** Palettes: of what bodies consist, and how they look. */
import { nearest } from '../../diagnostic/nearest.ts';
import { listed } from '../../diagnostic/words.ts';
import { problem } from '../problem.ts';

/** In SI units. */
export interface SolidMaterial {
  readonly density: number;
  readonly youngsModulus: number;
  readonly poissonsRatio: number;
}

const solid = (density: number, youngsModulus: number, poissonsRatio: number): SolidMaterial => ({
  density,
  youngsModulus,
  poissonsRatio,
});

/** Typical values: materials of a name differ by some percent. */
export const solidMaterials: Readonly<Record<string, SolidMaterial>> = {
  Steel: solid(8000, 2e11, 0.3),
  Aluminium: solid(2700, 6.9e10, 0.32),
  Brass: solid(8500, 1.05e11, 0.35),
  Copper: solid(8960, 1.2e11, 0.34),
  Titanium: solid(4500, 1.16e11, 0.32),
  Concrete: solid(2400, 3e10, 0.2),
  Glass: solid(2500, 7e10, 0.22),
  Ice: solid(917, 9e9, 0.33),
  Rubber: solid(1100, 1e7, 0.49),
  DryWood: solid(700, 1.1e10, 0.4),
  BilliardBall: solid(1768, 5.4e9, 0.34),
  BilliardCue: solid(700, 1.1e10, 0.4),
  BilliardCushion: solid(700, 1.1e10, 0.4),
  BilliardTable: solid(700, 1.1e10, 0.4),
  /** Has no mass: for objects that only watch others. */
  Observer: solid(0, 2e11, 0.3),
};

export const solidMaterial = (object: string, name: string): SolidMaterial =>
  found(object, name, 'solid material', solidMaterials);

/** Red, green and blue of sRGB, from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number];

/** A name of CSS in upper or lower case, `#rrggbb`, or red, green and blue from 0 to 255. */
export type GivenColor = string | readonly [red: number, green: number, blue: number];

export interface VisualMaterial {
  readonly color: Color;
  /** From 0, opaque, to 1, invisible. */
  readonly transparency: number;
  /** From 0, dull, to 1, a mirror. */
  readonly shininess: number;
}

/** A material by its name or that of a colour, or in part. */
export type GivenVisual =
  | string
  | { readonly color?: GivenColor; readonly transparency?: number; readonly shininess?: number };

const SHININESS = 0.7;

const visual = (color: string, shininess = SHININESS, transparency = 0): VisualMaterial => ({
  color: fromHex(color),
  transparency,
  shininess,
});

export const visualMaterials: Readonly<Record<string, VisualMaterial>> = {
  Steel: visual('a8b0b8', 0.9),
  Aluminium: visual('d0d5db', 0.85),
  Brass: visual('c9a227', 0.9),
  Copper: visual('b87333', 0.9),
  Titanium: visual('878681', 0.8),
  Concrete: visual('a3a29e', 0.1),
  Glass: visual('cfe8f0', 0.95, 0.7),
  Ice: visual('d6f0ff', 0.8, 0.4),
  Rubber: visual('2b2b2b', 0.2),
  DryWood: visual('c19a6b', 0.2),
};

/** What an object looks like that does not say so. */
const standard: VisualMaterial = visual('4f7fb5');

export function visualMaterial(object: string, given: GivenVisual = {}): VisualMaterial {
  if (typeof given === 'string') {
    if (Object.hasOwn(visualMaterials, given)) return visualMaterials[given]!;
    return { ...standard, color: colorOf(object, given, Object.keys(visualMaterials)) };
  }
  const part = (name: 'transparency' | 'shininess'): number => {
    const value = given[name] ?? standard[name];
    if (value >= 0 && value <= 1) return value;
    throw problem(object, `${name} is ${value}, but must be between 0 and 1.`);
  };
  return {
    color: given.color === undefined ? standard.color : colorOf(object, given.color),
    transparency: part('transparency'),
    shininess: part('shininess'),
  };
}

/** Other names may stand in place of a colour, too. */
export function colorOf(object: string, given: GivenColor, others: readonly string[] = []): Color {
  if (typeof given !== 'string') {
    if (given.length === 3 && given.every((part) => part >= 0 && part <= 255)) {
      return [given[0] / 255, given[1] / 255, given[2] / 255];
    }
    throw problem(object, `its colour is {${given.join(', ')}}, but must be three numbers from 0 to 255.`);
  }
  const hex = /^#([0-9a-f]{6})$/i.exec(given)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const known = colors.get(given.toLowerCase());
  if (known) return known;
  const meant = nearest(given.toLowerCase(), colors.keys()) ?? nearest(given, others);
  const hint = meant
    ? `Did you mean \`${meant}\`?`
    : 'Colours have their names of CSS, such as red or steelblue, or are written as #rrggbb.';
  throw problem(object, `there is no colour \`${given}\`.`, hint, 'unknown-name');
}

function found<T>(object: string, name: string, what: string, all: Readonly<Record<string, T>>): T {
  if (Object.hasOwn(all, name)) return all[name]!;
  const names = Object.keys(all);
  const meant = nearest(name, names);
  const hint = meant ? `Did you mean \`${meant}\`?` : `There are ${listed(names, 20)}.`;
  throw problem(object, `there is no ${what} \`${name}\`.`, hint, 'unknown-name');
}

function fromHex(hex: string): Color {
  const value = Number.parseInt(hex, 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** The named colours of CSS (Color Module Level 4, section 6.1). */
const colors: ReadonlyMap<string, Color> = new Map(
  `
  aliceblue f0f8ff, antiquewhite faebd7, aqua 00ffff, aquamarine 7fffd4, azure f0ffff, beige f5f5dc,
  bisque ffe4c4, black 000000, blanchedalmond ffebcd, blue 0000ff, blueviolet 8a2be2, brown a52a2a,
  burlywood deb887, cadetblue 5f9ea0, chartreuse 7fff00, chocolate d2691e, coral ff7f50,
  cornflowerblue 6495ed, cornsilk fff8dc, crimson dc143c, cyan 00ffff, darkblue 00008b, darkcyan 008b8b,
  darkgoldenrod b8860b, darkgray a9a9a9, darkgreen 006400, darkgrey a9a9a9, darkkhaki bdb76b,
  darkmagenta 8b008b, darkolivegreen 556b2f, darkorange ff8c00, darkorchid 9932cc, darkred 8b0000,
  darksalmon e9967a, darkseagreen 8fbc8f, darkslateblue 483d8b, darkslategray 2f4f4f, darkslategrey 2f4f4f,
  darkturquoise 00ced1, darkviolet 9400d3, deeppink ff1493, deepskyblue 00bfff, dimgray 696969,
  dimgrey 696969, dodgerblue 1e90ff, firebrick b22222, floralwhite fffaf0, forestgreen 228b22,
  fuchsia ff00ff, gainsboro dcdcdc, ghostwhite f8f8ff, gold ffd700, goldenrod daa520, gray 808080,
  green 008000, greenyellow adff2f, grey 808080, honeydew f0fff0, hotpink ff69b4, indianred cd5c5c,
  indigo 4b0082, ivory fffff0, khaki f0e68c, lavender e6e6fa, lavenderblush fff0f5, lawngreen 7cfc00,
  lemonchiffon fffacd, lightblue add8e6, lightcoral f08080, lightcyan e0ffff, lightgoldenrodyellow fafad2,
  lightgray d3d3d3, lightgreen 90ee90, lightgrey d3d3d3, lightpink ffb6c1, lightsalmon ffa07a,
  lightseagreen 20b2aa, lightskyblue 87cefa, lightslategray 778899, lightslategrey 778899,
  lightsteelblue b0c4de, lightyellow ffffe0, lime 00ff00, limegreen 32cd32, linen faf0e6, magenta ff00ff,
  maroon 800000, mediumaquamarine 66cdaa, mediumblue 0000cd, mediumorchid ba55d3, mediumpurple 9370db,
  mediumseagreen 3cb371, mediumslateblue 7b68ee, mediumspringgreen 00fa9a, mediumturquoise 48d1cc,
  mediumvioletred c71585, midnightblue 191970, mintcream f5fffa, mistyrose ffe4e1, moccasin ffe4b5,
  navajowhite ffdead, navy 000080, oldlace fdf5e6, olive 808000, olivedrab 6b8e23, orange ffa500,
  orangered ff4500, orchid da70d6, palegoldenrod eee8aa, palegreen 98fb98, paleturquoise afeeee,
  palevioletred db7093, papayawhip ffefd5, peachpuff ffdab9, peru cd853f, pink ffc0cb, plum dda0dd,
  powderblue b0e0e6, purple 800080, rebeccapurple 663399, red ff0000, rosybrown bc8f8f, royalblue 4169e1,
  saddlebrown 8b4513, salmon fa8072, sandybrown f4a460, seagreen 2e8b57, seashell fff5ee, sienna a0522d,
  silver c0c0c0, skyblue 87ceeb, slateblue 6a5acd, slategray 708090, slategrey 708090, snow fffafa,
  springgreen 00ff7f, steelblue 4682b4, tan d2b48c, teal 008080, thistle d8bfd8, tomato ff6347,
  turquoise 40e0d0, violet ee82ee, wheat f5deb3, white ffffff, whitesmoke f5f5f5, yellow ffff00,
  yellowgreen 9acd32
  `
    .trim()
    .split(/,\s+/)
    .map((entry) => {
      const [name, hex] = entry.split(' ');
      return [name!, fromHex(hex!)];
    }),
);
