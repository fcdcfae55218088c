/**
 * One diagram, drawn by uPlot: axes, grid and canvas are its own; curves are traced from the series of runs (`trace.ts`), so that a million rows cost as much as the
 * picture is wide. Behind the curves lie bands of modes; impulses are arrows. There are at most two measures, one with its axis at the left, one at the right.
 */
import uPlot from 'uplot';
import { type Frame, trace } from '../../trace.ts';
import { arrowLength } from './arrows.ts';
import {
  arrowsIn,
  GAP,
  type Margins,
  type Measure,
  measuresOf,
  measuring,
  rangeOf,
  type Ticks,
  timeTicks,
  valueTicks,
} from './axes.ts';
import type { Curve, Picture } from './content.ts';

/** Pixels of the axis of time, above the curves without and with the unit of an axis, between two ticks, of these, and of arrows. */
const [BOTTOM, ABOVE, UNITS, BETWEEN_X, BETWEEN_Y, TICK] = [34, 8, 20, 80, 34, 4] as const;
const HEAD = 6;
/** Bands that are narrower are not seen. */
const THINNEST = 0.5;

export class Plot {
  private readonly plot: uPlot;
  private picture: Picture;
  private readonly measures: readonly string[];
  private readonly measureText: Measure;

  constructor(
    target: HTMLElement,
    picture: Picture,
    private margins: Margins,
    private size: { readonly width: number; readonly height: number },
    /** Called whenever it has been drawn, which is later than it was asked for: times have their places only then. */
    private readonly drawn: () => void,
  ) {
    this.picture = picture;
    this.measureText = measuring(picture.palette.font);
    this.measures = measuresOf(picture.curves);
    this.plot = new uPlot(this.options(size), this.data(), target);
    this.show(picture);
  }

  /** Whether another picture can be shown by the same plot. */
  fits({ curves }: Picture): boolean {
    return (
      curves.length === this.picture.curves.length &&
      measuresOf(curves).join('\n') === this.measures.join('\n')
    );
  }

  show(picture: Picture, margins = this.margins): void {
    this.picture = picture;
    this.margins = margins;
    const { plot } = this;
    for (const [k, { opacity }] of picture.curves.entries()) plot.series[k + 1]!.alpha = opacity;
    // Scales ask for their ranges, and paths are made anew.
    plot.setData(this.data(), true);
  }

  resize(width: number, height: number): void {
    this.size = { width, height };
    this.plot.setSize({ width, height });
  }

  /** The area of the curves, to which `timeAt` and `placeOf` belong. */
  get over(): HTMLElement {
    return this.plot.over;
  }

  timeAt(x: number): number {
    return this.plot.posToVal(x, 'x');
  }

  placeOf(time: number): number {
    return this.plot.valToPos(time, 'x');
  }

  remove(): void {
    this.plot.destroy();
  }

  /** uPlot itself sees no values: only as many points as it has to have. */
  private data(): uPlot.AlignedData {
    const { from, to } = this.picture.window;
    return [[from, to], ...this.picture.curves.map(() => [null, null])] as uPlot.AlignedData;
  }

  private options(size: { readonly width: number; readonly height: number }): uPlot.Options {
    const { palette } = this.picture;
    const axis = {
      stroke: () => this.picture.palette.muted,
      font: palette.font,
      grid: { stroke: () => this.picture.palette.grid, width: 1 },
      ticks: { stroke: () => this.picture.palette.grid, width: 1, size: TICK },
      gap: GAP - TICK,
    };
    return {
      ...size,
      legend: { show: false },
      cursor: { show: false },
      padding: [
        () => (this.scales[1] ? UNITS : ABOVE) as number,
        () => (this.measures.length > 1 ? 0 : this.margins.right),
        0,
        0,
      ],
      scales: {
        x: { time: false, range: () => [this.picture.window.from, this.picture.window.to] },
        ...Object.fromEntries(
          this.measures.map((measure, k) => [`y${k}`, { range: () => rangeOf(this.picture, measure) }]),
        ),
      },
      axes: [
        {
          ...axis,
          size: BOTTOM,
          splits: () => this.timeAxis().values.slice(),
          values: () => this.timeAxis().labels.slice(),
        },
        ...this.measures.slice(0, 2).map(
          (measure, k): uPlot.Axis => ({
            ...axis,
            scale: `y${k}`,
            side: k === 0 ? 3 : 1,
            size: () => (k === 0 ? this.margins.left : this.margins.right),
            grid: { ...axis.grid, show: k === 0 },
            splits: () => this.valueAxis(measure).values.slice(),
            values: () => this.valueAxis(measure).labels.slice(),
          }),
        ),
      ],
      series: [
        {},
        ...this.picture.curves.map(
          (curve, k): uPlot.Series => ({
            scale: `y${this.measures.indexOf(curve.measure)}`,
            points: { show: false },
            stroke: () => this.picture.curves[k]!.color,
            dash: [...curve.dash],
            alpha: curve.opacity,
            width: 1.6,
            paths: () => this.path(this.picture.curves[k]!),
          }),
        ),
      ],
      hooks: {
        drawClear: [() => this.drawBands()],
        draw: [() => this.drawArrows(), () => this.drawScales(), () => this.drawn()],
      },
    };
  }

  private path(curve: Curve): uPlot.Series.Paths {
    const stroke = new Path2D();
    if (!curve.isHidden)
      trace(stroke, curve.run.times, curve.series, this.frameOf(curve.measure), curve.display);
    return { stroke };
  }

  private frameOf(measure: string): Frame {
    const { bbox, scales } = this.plot;
    const { min: low = 0, max: high = 1 } = scales[`y${this.measures.indexOf(measure)}`]!;
    const { min: from = 0, max: to = 1 } = scales.x!;
    return { ...bbox, from, to, low, high };
  }

  private timeAxis(): Ticks {
    const { from, to } = this.picture.window;
    return timeTicks(from, to, this.size.width / BETWEEN_X);
  }

  private valueAxis(measure: string): Ticks {
    const count = this.size.height / BETWEEN_Y;
    return valueTicks(this.picture.curves, measure, rangeOf(this.picture, measure), count, this.measureText);
  }

  /** Powers of ten and units of the axes of values. */
  get scales(): readonly string[] {
    return this.measures.slice(0, 2).map((measure) => this.valueAxis(measure).scale);
  }

  /** Powers of ten and units: above the axis at the right, and behind the last time. That at the left has room beside the legend. */
  private drawScales(): void {
    const { ctx, bbox } = this.plot;
    const { palette, window } = this.picture;
    const pixel = devicePixelRatio;
    const right = bbox.left + bbox.width;
    ctx.save();
    ctx.font = this.font();
    ctx.fillStyle = palette.muted;
    ctx.textBaseline = 'bottom';
    ctx.textAlign = 'left';
    ctx.fillText(this.scales[1] ?? '', right + GAP * pixel, bbox.top - 5 * pixel);
    const { values, labels, scale } = this.timeAxis();
    const last = ((values.at(-1)! - window.from) / (window.to - window.from)) * bbox.width;
    ctx.textBaseline = 'top';
    ctx.fillText(
      ` ${scale}`,
      bbox.left + last + ctx.measureText(labels.at(-1)!).width / 2,
      bbox.top + bbox.height + GAP * pixel,
    );
    ctx.restore();
  }

  /** That of the page, in the pixels of the canvas. */
  private font(): string {
    return this.picture.palette.font.replace(
      /\d+px/,
      (size) => `${Number.parseInt(size, 10) * devicePixelRatio}px`,
    );
  }

  private drawBands(): void {
    const { ctx, bbox } = this.plot;
    const { bands, window } = this.picture;
    const per = bbox.width / (window.to - window.from);
    ctx.save();
    for (const { from, to, color } of bands) {
      const left = Math.max(bbox.left, bbox.left + (from - window.from) * per);
      const right = Math.min(bbox.left + bbox.width, bbox.left + (to - window.from) * per);
      if (right - left < THINNEST) continue;
      ctx.fillStyle = color;
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
    }
    ctx.restore();
  }

  /** From the zero of their axis, upwards where the impulse is positive. */
  private drawArrows(): void {
    const { ctx, bbox } = this.plot;
    const { window } = this.picture;
    const arrows = this.measures.flatMap((measure) => arrowsIn(this.picture, measure));
    const zeros = arrows.map(({ measure }) =>
      this.plot.valToPos(0, `y${this.measures.indexOf(measure)}`, true),
    );
    const length = arrowLength(arrows, zeros, bbox.top, bbox.top + bbox.height);
    const pixel = devicePixelRatio;
    const head = HEAD * pixel;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 2 * pixel;
    ctx.font = this.font();
    const isFew = arrows.length <= 12;
    for (const [k, { time, size, color, label }] of arrows.entries()) {
      const x = bbox.left + ((time - window.from) / (window.to - window.from)) * bbox.width;
      const base = zeros[k]!;
      const tip = base - size * length;
      const back = tip + Math.sign(size) * head;
      ctx.strokeStyle = ctx.fillStyle = color;
      ctx.beginPath();
      ctx.moveTo(x, base);
      ctx.lineTo(x, back);
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(x, tip);
      ctx.lineTo(x - head * 0.6, back);
      ctx.lineTo(x + head * 0.6, back);
      ctx.fill();
      if (!isFew) continue;
      const isRight = x < bbox.left + bbox.width - 120 * pixel;
      ctx.textAlign = isRight ? 'left' : 'right';
      ctx.textBaseline = 'middle';
      ctx.fillText(label, x + (isRight ? 8 : -8) * pixel, back);
    }
    ctx.restore();
  }
}
