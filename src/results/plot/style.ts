/**
 * Colours of plots. The curves follow the palette of Okabe and Ito, which people with every kind of colour vision can
 * tell apart, darkened for white and lightened for black ground where the contrast asks for it. A colour is the name of an entry of the theme, or
 * `#rrggbb` where it is the same on every ground. In SVG, names are CSS variables that change with the reader's preference;
 * presentation attributes repeat the light ones for programs that know no variables (editors, converters to PDF).
 */
import { channels } from '../../paint/raster.ts';

export type Theme = Readonly<Record<string, string>>;

const numbered = (letter: string, colors: readonly string[]): Theme =>
  Object.fromEntries(colors.map((color, i) => [`${letter}${i}`, color]));

/** `c0`, `c1`, … are curves, `m0`, `m1`, … modes. */
export const LIGHT: Theme = {
  ground: '#ffffff',
  text: '#1f2933',
  muted: '#616e7c',
  grid: '#e8ebef',
  axis: '#9aa5b1',
  zero: '#c3cad3',
  mark: '#7b8794',
  ...numbered('c', ['#0072b2', '#d55e00', '#009e73', '#b5529a', '#d48a00', '#3a9fdc', '#7a3e9d', '#5f6b7a']),
  ...numbered('m', ['#e3e8ef', '#cfe3f5', '#fbe0c8', '#cdeadd', '#f1d6e8', '#f9ecc0', '#ddd6f3', '#d3d9de']),
};

export const DARK: Theme = {
  ground: '#14181d',
  text: '#e4e7eb',
  muted: '#9aa5b1',
  grid: '#252b33',
  axis: '#5b6673',
  zero: '#3e4751',
  mark: '#7b8794',
  ...numbered('c', ['#4aa8e8', '#ff8b4a', '#2fcf9f', '#e58bc8', '#f5bd41', '#8fd3ff', '#b98ae0', '#a9b4c2']),
  ...numbered('m', ['#2a323c', '#1c3b54', '#54361f', '#1c4637', '#4c2b42', '#4d421c', '#372f57', '#3c444c']),
};

const CURVES = 8;
/** Modes with colours of their own. */
export const MODES = 8;

export const curveColor = (order: number): string => `c${order % CURVES}`;
export const modeColor = (order: number): string => `m${order % MODES}`;

/** Lengths of dashes and gaps; beyond the palette curves are dashed. */
export function curveDash(order: number): readonly number[] {
  return dashOf(Math.floor(order / CURVES));
}

export const dashOf = (kind: number): readonly number[] => [[], [7, 3], [2, 3], [9, 3, 2, 3]][kind % 4]!;

/** Colours of things in order (elements of an array, times), for lines: of middle lightness, seen on every ground. */
const LINES = ['#3b6fd6', '#1a9aa8', '#5fa62e', '#d08a00', '#d5402b'];
/** And for areas, from little to much: that of viridis (Smith and van der Walt), in which lightness grows evenly. */
const AREAS = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'];

/** Colours of several arrays in one diagram, each of a hue of its own. */
const HUES = [
  ['#1f5fb0', '#74bdf0'],
  ['#a84300', '#f2a860'],
  ['#00704f', '#5fc9a0'],
  ['#71308f', '#d79ae0'],
];

export const hueRamp =
  (number: number): ((share: number) => string) =>
  (share) =>
    rampAt(HUES[number % HUES.length]!, share);

export const lineRamp = (share: number): string => rampAt(LINES, share);
export const areaRamp = (share: number): string => rampAt(AREAS, share);

function rampAt(stops: readonly string[], share: number): string {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const before = Math.min(stops.length - 2, Math.floor(place));
  const [a, b] = [channels(stops[before]!), channels(stops[before + 1]!)];
  const mixed = a.map((value, i) => Math.round(value + (b[i]! - value) * (place - before)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** What a colour is in a theme. */
export const colorIn = (theme: Theme, color: string): string =>
  color.startsWith('#') ? color : theme[color]!;

/** The style sheet of a picture that uses some colours of the theme as fill and as stroke; all rules start with `.mutabor-plot`. */
export function styleSheet(
  theme: 'auto' | 'light' | 'dark',
  fills: ReadonlySet<string>,
  strokes: ReadonlySet<string>,
): string {
  const root = '.mutabor-plot';
  const used = Object.keys(LIGHT).filter((name) => fills.has(name) || strokes.has(name));
  const variables = (colors: Theme): string => used.map((name) => `--${name}:${colors[name]}`).join(';');
  const rules = used.flatMap((name) => [
    fills.has(name) ? `${root} .f-${name}{fill:var(--${name})}` : '',
    strokes.has(name) ? `${root} .s-${name}{stroke:var(--${name})}` : '',
  ]);
  return [
    `${root}{${variables(theme === 'dark' ? DARK : LIGHT)};font-family:${FONTS}}`,
    theme === 'auto' ? `@media (prefers-color-scheme:dark){${root}{${variables(DARK)}}}` : '',
    `${root} .tick{font-variant-numeric:tabular-nums}`,
    `${root} .halo{paint-order:stroke}`,
    ...rules,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export const FONTS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';
