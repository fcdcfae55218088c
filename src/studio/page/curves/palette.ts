/** Colours of diagrams, by light and dark, as those of plots have them. */
import { curveColor, curveDash, DARK, LIGHT, modeColor } from '../../../results/plot/style.ts';

export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly font: string;
  curve(order: number): string;
  dash(order: number): readonly number[];
  /** A colour for an area behind curves. */
  mode(order: number): string;
}

export function paletteOf(isDark: boolean): Palette {
  const theme = isDark ? DARK : LIGHT;
  return {
    text: theme.text!,
    muted: theme.muted!,
    grid: theme.grid!,
    font: '12px system-ui, sans-serif',
    curve: (order) => theme[curveColor(order)]!,
    dash: curveDash,
    mode: (order) => theme[modeColor(order)]!,
  };
}
