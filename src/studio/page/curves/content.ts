/** What a diagram shows: curves, bands of modes behind them, impulses as arrows. */
import type { Display } from '../../../units/display.ts';
import type { SignalReport } from '../../protocol.ts';
import type { Series } from '../../series.ts';
import type { Run } from '../run.ts';
import type { Window } from '../store.ts';
import type { Pointed } from './arrows.ts';
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
}
