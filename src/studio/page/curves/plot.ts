/**
 * One diagram, drawn by uPlot: axes, grid and canvas are its own; curves are traced from the series of runs (`trace.ts`), so that a million rows cost as much as the
 * picture is wide. Behind the curves lie bands of modes; impulses are arrows. There are at most two measures, one with its axis at the left, one at the right.
 */
import uPlot from 'uplot';
import { exponentLabel, niceTicks, paddedRange } from '../../../results/plot/ticks.ts';
import { namesOf } from '../../../results/plot/value.ts';
import type { Display } from '../../../units/display.ts';
import type { SignalReport } from '../../protocol.ts';
import type { Series } from '../../series.ts';
import { type Frame, rangeIn, trace } from '../../trace.ts';
import type { Run } from '../run.ts';
import type { Window } from '../store.ts';
import { arrowLength, type Pointed, rangeWith } from './arrows.ts';
import type { Palette } from './palette.ts';

/** A curve of a diagram. */
export interface Curve {
  readonly name: string;
  readonly run: Run;
  readonly series: Series;
  readonly signal: SignalReport;
  readonly display: Display;
  /** What it measures: curves of one measure share an axis. */
  readonly measure: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly opacity: number;
  readonly isHidden: boolean;
}

export interface Band extends Window {
  readonly color: string;
}

export interface Arrow extends Pointed {
  readonly time: number;
  /** On whose axis it stands. */
  readonly measure: string;
  readonly color: string;
  readonly label: string;
}

/** All that a diagram shows. */
export interface Picture {
  readonly curves: readonly Curve[];
  readonly bands: readonly Band[];
  readonly arrows: readonly Arrow[];
  readonly window: Window;
  readonly palette: Palette;
  /** Pixels beside the curves, the same for all diagrams that stand below each other. */
  readonly right: number;
}

/** Pixels of axes: left, and right where there is one or is none. */
export const LEFT = 64;
export const [RIGHT_AXIS, NO_AXIS] = [60, 36] as const;
/** Of the axis of time, between two ticks, and of arrows. */
const [BOTTOM, BETWEEN_X, BETWEEN_Y] = [34, 80, 34] as const;
const HEAD = 6;
/** Of all times of the page: axes, fields and messages can be compared. */
export const TIME_UNIT = 's';
/** Bands that are narrower are not seen. */
const THINNEST = 0.5;

export class Plot {
  private readonly plot: uPlot;
  private picture: Picture;
  private readonly measures: readonly string[];

  constructor(
    target: HTMLElement,
    picture: Picture,
    size: { readonly width: number; readonly height: number },
  ) {
    this.picture = picture;
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

  show(picture: Picture): void {
    this.picture = picture;
    const { plot } = this;
    for (const [k, { opacity }] of picture.curves.entries()) plot.series[k + 1]!.alpha = opacity;
    // Scales ask for their ranges, and paths are made anew.
    plot.setData(this.data(), true);
  }

  resize(width: number, height: number): void {
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
      ticks: { stroke: () => this.picture.palette.grid, width: 1, size: 4 },
    };
    return {
      ...size,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, () => this.picture.right - (this.measures.length > 1 ? RIGHT_AXIS : 0), 0, 0],
      scales: {
        x: { time: false, range: () => [this.picture.window.from, this.picture.window.to] },
        ...Object.fromEntries(
          this.measures.map((measure, k) => [`y${k}`, { range: () => this.rangeOf(measure) }]),
        ),
      },
      axes: [
        {
          ...axis,
          size: BOTTOM,
          splits: (plot, _, min, max) => this.timeTicks(plot, min, max).map(({ time }) => time),
          values: (plot) => {
            const { min = 0, max = 1 } = plot.scales.x!;
            return this.timeTicks(plot, min, max).map(({ label }) => label);
          },
        },
        ...this.measures.slice(0, 2).map(
          (measure, k): uPlot.Axis => ({
            ...axis,
            scale: `y${k}`,
            side: k === 0 ? 3 : 1,
            size: k === 0 ? LEFT : RIGHT_AXIS,
            grid: { ...axis.grid, show: k === 0 },
            splits: (plot, _, min, max) => this.valueTicks(plot, measure, min, max).values.slice(),
            values: (plot) => {
              const { min = 0, max = 1 } = plot.scales[`y${k}`]!;
              return this.valueTicks(plot, measure, min, max).labels.slice();
            },
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
      hooks: { drawClear: [() => this.drawBands()], draw: [() => this.drawArrows()] },
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

  /** Of what is seen of all curves of a measure, as it is shown. */
  private rangeOf(measure: string): [low: number, high: number] {
    const { from, to } = this.picture.window;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { measure: own, run, series, display, signal, isHidden } of this.picture.curves) {
      if (own !== measure || isHidden) continue;
      const range = rangeIn(run.times, series, from, to);
      if (range) {
        low = Math.min(low, display.scale * range.low + display.offset);
        high = Math.max(high, display.scale * range.high + display.offset);
      }
      if (!isNamedMeasure(measure)) continue;
      const { names, first } = namesOf(signal);
      [low, high] = [Math.min(low, first), Math.max(high, first + names.length - 1)];
    }
    const range = paddedRange(...rangeWith(low, high, this.arrowsIn(measure)));
    return [range.low, range.high];
  }

  /** Those that are seen. */
  private arrowsIn(measure: string): readonly Arrow[] {
    const { arrows, window } = this.picture;
    return arrows.filter(
      (one) => one.measure === measure && one.time >= window.from && one.time <= window.to,
    );
  }

  private timeTicks(
    plot: uPlot,
    min: number,
    max: number,
  ): { readonly time: number; readonly label: string }[] {
    const count = Math.max(2, plot.width / BETWEEN_X);
    const { values, labels, exponent } = niceTicks({ low: min, high: max }, count);
    const power = exponentLabel(exponent);
    return values.map((time, k) => ({
      time,
      label: k === values.length - 1 ? `${labels[k]}${power} ${TIME_UNIT}` : labels[k]!,
    }));
  }

  private valueTicks(plot: uPlot, measure: string, min: number, max: number) {
    const named = isNamedMeasure(measure) && this.picture.curves.find((curve) => curve.measure === measure);
    if (named) {
      const { names, first } = namesOf(named.signal);
      return { values: names.map((_, k) => first + k), labels: names };
    }
    const count = Math.max(2, plot.height / BETWEEN_Y);
    const { values, labels, exponent } = niceTicks({ low: min, high: max }, count);
    const power = exponentLabel(exponent);
    // The power of ten stands once, at the top.
    return {
      values,
      labels: labels.map((label, k) => (k === values.length - 1 ? `${label}${power}` : label)),
    };
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
    const { window, palette } = this.picture;
    const arrows = this.measures.flatMap((measure) => this.arrowsIn(measure));
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
    ctx.font = palette.font.replace(/\d+px/, (size) => `${Number.parseInt(size, 10) * pixel}px`);
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

/** Measures in the order of their first curves. */
export const measuresOf = (curves: readonly Pick<Curve, 'measure'>[]): string[] => [
  ...new Set(curves.map(({ measure }) => measure)),
];

/** Measures of values that have names begin so. */
export const NAMED = 'names:';
const isNamedMeasure = (measure: string): boolean => measure.startsWith(NAMED);
