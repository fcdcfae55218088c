/** Plots as PNG files: the same shapes as in SVG, filled into pixels here, so that no browser and no converter is needed. */
import { checkOptions, type OptionKind } from '../../diagnostic/options.ts';
import { lettering, UNIT } from '../../paint/letters.ts';
import { pngFile } from '../../paint/png.ts';
import { dashed, Raster } from '../../paint/raster.ts';
import type { Rectangle } from './axis.ts';
import { checkPlot, type Figure, layoutFigure, type PlotOptions, type Plotted, runsOf } from './figure.ts';
import type { Layout } from './layout.ts';
import { type Shape, shapesOf, type TextShape } from './shapes.ts';
import { colorIn, DARK, LIGHT, type Theme } from './style.ts';

export interface PngOptions extends PlotOptions {
  /** Pixels of the file for a pixel of the plot; 2 where it is left out. */
  readonly scale?: number;
}

const scales: OptionKind = {
  is: (value) => typeof value === 'number' && value >= 0.5 && value <= 8,
  what: 'a number from 0.5 to 8',
};

/** What fits into memory. */
const MOST_PIXELS = 2e8;

/** The file of a plot; light, unless the theme is `dark`. */
export function plotPng(plotted: Plotted, layout?: Layout, options: PngOptions = {}): Uint8Array {
  const { scale = 2, ...others } = options;
  checkPlot(plotted, others, 'plotPng');
  checkOptions({ scale }, { scale: scales }, 'plotPng');
  return renderPng(layoutFigure(runsOf(plotted), layout, others), scale);
}

/** Throws a `RangeError` where it is too large. */
export function renderPng(figure: Figure, scale = 2): Uint8Array {
  if (figure.width * figure.height * scale ** 2 > MOST_PIXELS)
    throw new RangeError(
      `A picture of ${figure.width} by ${figure.height} pixels, times ${scale}, is too large for a PNG file.`,
    );
  const raster = new Raster(Math.ceil(figure.width * scale), Math.ceil(figure.height * scale));
  const brush = new Brush(raster, scale, figure.theme === 'dark' ? DARK : LIGHT);
  for (const shape of shapesOf(figure)) brush.draw(shape);
  return pngFile(raster);
}

class Brush {
  constructor(
    private readonly raster: Raster,
    private readonly scale: number,
    private readonly theme: Theme,
  ) {}

  draw(shape: Shape, opacity = 1): void {
    const { raster, scale } = this;
    switch (shape.kind) {
      case 'group': {
        const isOff = shape.class?.split(' ').includes('off');
        for (const inner of shape.shapes) this.draw(inner, isOff ? 0.35 : opacity);
        return;
      }
      case 'lines': {
        const { lines, dash = [], width, color } = shape;
        const dashes = this.scaled(dash);
        const pieces = lines.flatMap((line) => dashed(this.scaled(line), dashes));
        raster.strokes(pieces, width * scale, this.color(color), opacity);
        return;
      }
      case 'area': {
        const scaled = shape.lines.map((line) => this.scaled(line));
        raster.polygons(scaled, this.color(shape.color), shape.opacity * opacity);
        return;
      }
      case 'box':
        if (shape.color !== '') this.box(shape, shape.color, opacity);
        return;
      case 'boxes':
        for (const cell of shape.cells) this.box(cell, shape.color, opacity);
        return;
      case 'words':
        this.words(shape, opacity);
        return;
      case 'ring': {
        const [x, y, radius, half] = this.scaled([shape.x, shape.y, shape.radius, 0.875]);
        raster.disc(x!, y!, radius! + half!, this.color(shape.color));
        raster.disc(x!, y!, radius! - half!, this.color('ground'));
      }
    }
  }

  private scaled(values: readonly number[]): number[] {
    return values.map((value) => value * this.scale);
  }

  private color(name: string): string {
    return colorIn(this.theme, name);
  }

  private box({ x, y, width, height }: Rectangle, color: string, opacity: number): void {
    const { scale } = this;
    this.raster.rectangle(x * scale, y * scale, width * scale, height * scale, this.color(color), opacity);
  }

  private words(
    { text, x, y, size, color, anchor, bold = false, halo, after }: TextShape,
    opacity: number,
  ): void {
    const unit = size * UNIT;
    const { lines, width } = lettering(text);
    const shift = anchor === 'end' ? width * unit : anchor === 'middle' ? (width * unit) / 2 : 0;
    const placed = lines.map((line) =>
      line.map((value, i) => (i % 2 === 0 ? x - shift + value * unit : y - value * unit) * this.scale),
    );
    const stroke = size * (bold ? 0.125 : 0.085) * this.scale;
    if (halo) this.raster.strokes(placed, stroke + 3 * this.scale, this.color('ground'), opacity);
    this.raster.strokes(placed, stroke, this.color(color), opacity);
    if (!after) return;
    const next = x - shift + (width + 1) * unit + after.gap;
    this.words({ kind: 'words', text: after.text, x: next, y, size, color: after.color }, opacity);
  }
}
