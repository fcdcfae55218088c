/** What leaves the studio: results and pictures as files, and all that a report says of a run. */
import { attempted, Failure } from '../../diagnostic/failure.ts';
import { chartOf } from '../../diagram/chart.ts';
import { diagramOf } from '../../diagram/diagram.ts';
import type { Drawing } from '../../diagram/icon.ts';
import { drawingPng } from '../../diagram/png.ts';
import { pointsOf } from '../../diagram/shapes.ts';
import { drawingSvg } from '../../diagram/svg.ts';
import type { FileSystem } from '../../model/classes/files.ts';
import { classByName } from '../../model/classes/lookup.ts';
import { csvParts } from '../../results/files/csv.ts';
import { matParts } from '../../results/files/mat.ts';
import { layoutFigure } from '../../results/plot/figure.ts';
import { renderPng } from '../../results/plot/png.ts';
import { renderSvg } from '../../results/plot/svg.ts';
import type { Content, CurvesOrder, ExportMethods, ModelName, RunAccount } from '../protocol.ts';
import { Handed } from '../rpc.ts';
import type { WorkspaceFiles } from './files.ts';
import { type Models, parametersOf } from './models.ts';
import type { Run, Runs } from './runs.ts';

const fileParts = { csv: csvParts, mat: matParts };

/** Pixels of the longer side of a picture of a class. */
const SIZE = 1600;

export class Exports {
  constructor(
    private readonly files: WorkspaceFiles,
    private readonly models: Models,
    private readonly runs: Runs,
  ) {}

  readonly methods: ExportMethods = {
    sources: (of) => {
      const { sources, libraries } = this.models.sources(of);
      const names = new Set([...libraries].map((path) => this.models.libraryOf(path)));
      return { files: [...sources.keys()], libraries: [...names] };
    },
    results: ({ run, format }) => this.results(run, format),
    curves: (order) => this.curves(order),
    drawn: (of) => this.drawn(of),
    account: (run) => this.account(run),
  };

  private results(run: number, format: 'csv' | 'mat'): Handed<Uint8Array> | undefined {
    const table = this.runs.find(run)?.table();
    return table && handed([...fileParts[format](table.visible())]);
  }

  private curves({
    runs,
    diagrams,
    window,
    format,
    theme,
    ...look
  }: CurvesOrder): ReturnType<ExportMethods['curves']> {
    const shown = runs.flatMap(({ run, label }, number) => {
      const table = this.runs.find(run)?.table();
      return table ? [{ label: runs.length === 1 ? '' : label, number, table }] : [];
    });
    if (shown.length === 0) return undefined;
    const isKnown = (name: string): boolean => shown.some(({ table }) => table.has(name));
    const known = diagrams
      .map(({ curves, ...axis }) => ({ ...axis, curves: curves.filter(isKnown) }))
      .filter(({ curves, over = 'time' }) => curves.length > 0 && isKnown(over));
    const view = window && { window: { low: window[0], high: window[1] } };
    try {
      const layout = known.length > 0 ? known : undefined;
      const figure = layoutFigure(shown, layout, { theme, timeUnit: 's', ...look }, view);
      return handed([format === 'svg' ? renderSvg(figure) : renderPng(figure)]);
    } catch (problem) {
      if (problem instanceof RangeError) return problem.message;
      throw problem;
    }
  }

  private drawn({
    what,
    format,
    values,
    ...of
  }: Parameters<ExportMethods['drawn']>[0]): Handed<Uint8Array> | undefined {
    const drawing = this.drawings(of, this.files, (name) =>
      Object.hasOwn(values, name) ? values[name] : undefined,
    )?.[what];
    return (
      drawing &&
      handed([
        format === 'svg' ? drawingSvg(drawing, { ground: '#ffffff' }) : drawingPng(drawing, { size: SIZE }),
      ])
    );
  }

  private drawings(
    { file, model }: ModelName,
    files: FileSystem,
    values?: (name: string) => number | undefined,
  ): Readonly<Record<'diagram' | 'chart', Drawing | undefined>> | undefined {
    const library = attempted(() => this.models.library(file, undefined, files));
    const entity = library instanceof Failure ? undefined : classByName(library, model);
    if (!entity) return undefined;
    const diagram = diagramOf(entity, values && { values });
    const isEmpty = pointsOf(diagram.shapes).next().done === true;
    return { diagram: isEmpty ? undefined : diagram, chart: chartOf(entity) };
  }

  private account(number: number): RunAccount | undefined {
    const run = this.runs.find(number);
    if (!run?.made) return undefined;
    const { simulation, sources } = run.made;
    const { order } = run;
    const drawings = this.drawings(order, asThen(sources, this.files));
    const picture = (drawing: Drawing | undefined, prefix: string): string | undefined =>
      drawing && drawingSvg(drawing, { prefix, ground: '#ffffff' });
    return {
      description: simulation.model.description,
      sources: Object.fromEntries(
        [...sources].flatMap(([path, content]) => (typeof content === 'string' ? [[path, content]] : [])),
      ),
      parameters: valuesOf(run),
      diagram: picture(drawings?.diagram, 'diagram-'),
      chart: picture(drawings?.chart, 'chart-'),
      states: Object.fromEntries(run.modes().map(({ signature, states }) => [signature, states])),
    };
  }
}

/** Parameters as the run had them; none where a value cannot be one. */
function valuesOf({ made, order }: Run): RunAccount['parameters'] {
  const found = attempted(() => parametersOf(made!.simulation, order.values));
  return found instanceof Failure ? [] : found;
}

/** Files as they were read once; others as they are. */
const asThen = (sources: ReadonlyMap<string, Content>, files: FileSystem): FileSystem => ({
  list: (path) => files.list(path),
  read: (path) => {
    const content = sources.get(path);
    return typeof content === 'string' ? content : files.read(path);
  },
  bytes: (path) => files.bytes?.(path),
});

/** A file from its parts. */
function handed(parts: readonly (string | Uint8Array)[]): Handed<Uint8Array> {
  const encoder = new TextEncoder();
  const chunks = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return new Handed(bytes, [bytes.buffer]);
}
