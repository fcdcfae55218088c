/**
 * Colours of plots. The curves follow the palette of Okabe and Ito, which people with every kind of colour vision can
 * tell apart, darkened for white and lightened for black ground where the contrast asks for it. Colours are CSS variables
 * that change with the reader's preference; presentation attributes repeat the light ones for programs that know no
 * variables (editors, converters to PDF).
 */

const LIGHT = {
  ground: '#ffffff',
  text: '#1f2933',
  muted: '#616e7c',
  grid: '#e8ebef',
  axis: '#9aa5b1',
  zero: '#c3cad3',
  strip: '#eef1f5',
  mark: '#7b8794',
  curves: ['#0072b2', '#d55e00', '#009e73', '#b5529a', '#d48a00', '#3a9fdc', '#7a3e9d', '#5f6b7a'],
};

const DARK: typeof LIGHT = {
  ground: '#14181d',
  text: '#e4e7eb',
  muted: '#9aa5b1',
  grid: '#252b33',
  axis: '#5b6673',
  zero: '#3e4751',
  strip: '#20262d',
  mark: '#7b8794',
  curves: ['#4aa8e8', '#ff8b4a', '#2fcf9f', '#e58bc8', '#f5bd41', '#8fd3ff', '#b98ae0', '#a9b4c2'],
};

/** The colour of signal number `order` without variables. */
export function curveColor(order: number): string {
  return LIGHT.curves[order % LIGHT.curves.length]!;
}

/** Beyond the palette curves are dashed. */
export function curveDash(order: number): string {
  return ['', '7 3', '2 3', '9 3 2 3'][Math.floor(order / LIGHT.curves.length) % 4]!;
}

export const curveClass = (order: number): string => `c${order % LIGHT.curves.length}`;

/** Light values of the named colours, for presentation attributes. */
export const light = LIGHT;

/** The style sheet of a plot; all its rules start with `.mutabor-plot`. */
export function styleSheet(theme: 'auto' | 'light' | 'dark'): string {
  const root = '.mutabor-plot';
  const variables = (colors: typeof LIGHT): string => {
    const { curves, ...named } = colors;
    const rules = [...Object.entries(named), ...curves.map((color, i) => [`c${i}`, color] as const)];
    return rules.map(([name, color]) => `--${name}:${color}`).join(';');
  };
  const lines = [
    `${root}{${variables(theme === 'dark' ? DARK : LIGHT)};font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:12px}`,
    theme === 'auto' ? `@media (prefers-color-scheme:dark){${root}{${variables(DARK)}}}` : '',
    `${root} .ground{fill:var(--ground)}`,
    `${root} text{fill:var(--text)}`,
    `${root} .muted{fill:var(--muted)}`,
    `${root} .title{font-size:15px;font-weight:600}`,
    `${root} .tick,${root} .strip text{font-size:11px;fill:var(--muted);font-variant-numeric:tabular-nums}`,
    `${root} .name{font-weight:600}`,
    `${root} .grid{stroke:var(--grid)}`,
    `${root} .axis{stroke:var(--axis)}`,
    `${root} .zero{stroke:var(--zero)}`,
    `${root} .strip rect{fill:var(--strip)}`,
    `${root} .change{stroke:var(--mark)}`,
    ...LIGHT.curves.map((_, i) => `${root} .c${i}{stroke:var(--c${i});color:var(--c${i})}`),
    `${root} .area,${root} .head{fill:currentColor;stroke:none}`,
    `${root} .weight{fill:currentColor;stroke:var(--ground);stroke-width:3px;paint-order:stroke;font-size:11px;font-weight:600}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
