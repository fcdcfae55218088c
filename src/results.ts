/**
 * `mutabor/results`: tables of results, by whoever they were made, their files, comparisons and plots. It knows nothing of models: a page
 * that shows results alone loads this and nothing else.
 */

export {
  type CompareOptions,
  type Comparison,
  compareResults,
  type Interval,
  type SignalComparison,
} from './results/compare/compare.ts';
export { describeComparison, describeTable } from './results/compare/describe.ts';
export { readArrow, toArrow } from './results/files/arrow.ts';
export { readCsv, toCsv } from './results/files/csv.ts';
export { type FilePlace, FormatError } from './results/files/format.ts';
export { readResults } from './results/files/formats.ts';
export { readJson, toJson } from './results/files/json.ts';
export {
  type LinearModel,
  type LinearVariable,
  linearToJson,
  linearToMat,
  linearToMatlab,
  type Pole,
} from './results/files/linear.ts';
export { readMat, toMat } from './results/files/mat.ts';
export { chooseSignals } from './results/plot/choose.ts';
export type { PlotOptions, Plotted, TimeUnit } from './results/plot/figure.ts';
export { plotHtml } from './results/plot/html.ts';
export { byUnit, type Diagram, type DiagramOptions, type Layout } from './results/plot/layout.ts';
export { type PngOptions, plotPng } from './results/plot/png.ts';
export { plotSvg } from './results/plot/svg.ts';
export { type PlotViewer, showPlot } from './results/plot/viewer.ts';
export {
  type FromArraysOptions,
  fromArrays,
  type Nested,
  type ToArraysOptions,
  toArrays,
} from './results/table/arrays.ts';
export { TableBuilder } from './results/table/builder.ts';
export type { Column, TableReader } from './results/table/reader.ts';
export type { ArrayInfo, SignalInfo } from './results/table/signal.ts';
export type { Shelf } from './results/table/store.ts';
export {
  type Attribute,
  type Independent,
  type SignalArray,
  SignalTable,
  type TableExtras,
  type TableImpulse,
  type TableMode,
  type TableSegment,
} from './results/table/table.ts';
