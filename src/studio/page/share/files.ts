/** What the studio gives as files: each row is one, with what it is made of. */
import type { Content, CurvesOrder } from '../../protocol.ts';
import { differencesOf } from '../curves/compared.ts';
import { paletteOf } from '../curves/palette.ts';
import { modeOrders } from '../curves/pictures.ts';
import type { Engine } from '../engine.ts';
import { graphOf } from '../modes/graph.ts';
import { graphPicture } from '../modes/picture.ts';
import type { Run } from '../run.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { reportHtml } from './report.ts';

const words = texts.sharing;

export interface OfferedFile {
  readonly id: string;
  readonly title: string;
  /** Whether there has to be a run. */
  readonly ofRun: boolean;
  readonly ending: string;
  readonly type: string;
  /** Undefined where what it is made of is not known any more; a problem where it cannot be made. */
  readonly make: (store: Store, engine: Engine) => Promise<Content | FileProblem | undefined>;
}

/** Why there is no file. */
export class FileProblem {
  constructor(readonly text: string) {}
}

const png = { ending: 'png', type: 'image/png' };
const svg = { ending: 'svg', type: 'image/svg+xml' };
const ofRun = { ofRun: true };
const ofModel = { ofRun: false };

export const offeredFiles: readonly OfferedFile[] = [
  { id: 'report', title: words.report, ...ofRun, ending: 'html', type: 'text/html', make: report },
  { id: 'curves-svg', title: words.curvesSvg, ...ofRun, ...svg, make: curves('svg') },
  { id: 'curves-png', title: words.curvesPng, ...ofRun, ...png, make: curves('png') },
  { id: 'csv', title: words.csv, ...ofRun, ending: 'csv', type: 'text/csv', make: results('csv') },
  {
    id: 'mat',
    title: words.mat,
    ...ofRun,
    ending: 'mat',
    type: 'application/x-matlab-data',
    make: results('mat'),
  },
  { id: 'diagram-svg', title: words.diagramSvg, ...ofModel, ...svg, make: drawn('diagram', 'svg') },
  { id: 'diagram-png', title: words.diagramPng, ...ofModel, ...png, make: drawn('diagram', 'png') },
  { id: 'chart-svg', title: words.chartSvg, ...ofModel, ...svg, make: drawn('chart', 'svg') },
  { id: 'chart-png', title: words.chartPng, ...ofModel, ...png, make: drawn('chart', 'png') },
];

/** The name of a file for a model: its letters and digits. */
export const fileNameOf = (model: string, { id, ending }: OfferedFile): string =>
  `${model.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, 80) || 'model'}${id.startsWith('chart') ? '-chart' : ''}.${ending}`;

/** Gives a file to the browser, which keeps it where its user says. */
export function download(name: string, type: string, content: Content): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function results(format: 'csv' | 'mat'): OfferedFile['make'] {
  return async (store, engine) => engine.runner.ask('results', { run: store.run.now!.order.run, format });
}

function drawn(what: 'diagram' | 'chart', format: 'svg' | 'png'): OfferedFile['make'] {
  return async (store, engine) => {
    const [file, model] = [store.open.now, store.model.now];
    if (file === undefined || model === undefined) return undefined;
    const found = await engine.service.ask('drawn', { file, model, what, format, values: {} });
    return found ?? new FileProblem(what === 'chart' ? words.noChart : words.noDiagram);
  };
}

function curves(format: 'svg' | 'png'): OfferedFile['make'] {
  return async (store, engine) => {
    const theme = store.isDark.now ? 'dark' : 'light';
    const found = await engine.runner.ask('curves', curvesOrder(store, format, theme));
    return typeof found === 'string' ? new FileProblem(found) : found;
  };
}

/** What the run before is called: by how it differs. */
const runBefore = (store: Store): string =>
  [texts.runBefore, differencesOf(store)].filter((words) => words !== '').join(', ');

/** What is seen of curves. */
function curvesOrder(store: Store, format: 'svg' | 'png', theme: CurvesOrder['theme']): CurvesOrder {
  const { run, before, family, isComparing, window, diagrams, hidden } = store;
  const other = isComparing.now && before.now !== run.now ? before.now : undefined;
  const named = (one: Run, label: string) => ({ run: one.order.run, label });
  return {
    runs:
      family.now.length > 0
        ? family.now.map((member) => named(member, member.label))
        : [named(run.now!, words.thisRun), ...(other ? [named(other, runBefore(store))] : [])],
    diagrams: diagrams.now.map(({ signals, over }) => ({
      curves: signals.filter((name) => !hidden.now.has(name)),
      ...(over !== undefined && { over }),
    })),
    window: window.now && [window.now.from, window.now.to],
    format,
    theme,
  };
}

async function report(store: Store, engine: Engine): Promise<Content | undefined> {
  const run = store.run.now!;
  const account = await engine.runner.ask('account', run.order.run);
  if (!account) return undefined;
  const drawing = await engine.runner.ask('curves', curvesOrder(store, 'svg', 'auto'));
  const visited = await engine.runner.ask('visitedModes', run.order.run);
  const orders = modeOrders(run);
  const palette = paletteOf(false);
  const graph = graphPicture(graphOf(run, visited), (mode) => palette.mode(orders.get(mode) ?? 0));
  const { file } = run.order;
  // Texts of libraries are not those of the person.
  const own = new Set(store.files.now.map(({ path }) => path));
  const others = Object.keys(account.sources).filter((path) => path !== file && own.has(path));
  return reportHtml({
    run,
    account,
    files: [file, ...others],
    curves: drawing instanceof Uint8Array ? new TextDecoder().decode(drawing) : undefined,
    modes: run.modes.length > 1 ? graph.outerHTML : undefined,
    date: new Date().toISOString().slice(0, 10),
  });
}
