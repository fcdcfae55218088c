/**
 * What the page and its workers say to each other (`rpc.ts` says how): plain data, of which nothing points into the simulator.
 *
 * Results stay in the worker. A page names the signals of a run that it wants to see (`watch`), and is told their values as they come (`rows`), each row once.
 */
import type { Scene } from '../animation/scene.ts';
import type { Severity, Stage } from '../diagnostic/diagnostic.ts';
import type { DiagramComponent, DiagramConnection } from '../diagram/content.ts';
import type { Placing, Point } from '../diagram/geometry.ts';
import type { ParameterInfo } from '../instantiate.ts';
import type { Documentation } from '../language/describe.ts';
import type {
  CompletionList,
  Fold,
  Hover,
  OutlineItem,
  Refusal,
  Renaming,
  TextChange,
  TextRange,
} from '../language/index.ts';
import type { SignalInfo } from '../results/table/signal.ts';
import type { ModeEquations, SolvedBlock, WrittenEquation } from '../simulate/equations.ts';
import type { Method } from '../solve/integrator.ts';
import type { Handed } from './rpc.ts';

/** What a file holds: text, or bytes of anything else. */
export type Content = string | Uint8Array;

/** Files by path; null for those that are gone. */
export type FileChanges = Readonly<Record<string, Content | null>>;

/** A place in a text: offsets, and the line and column that people count from 1. */
export interface Place {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

/** A diagnostic as data. */
export interface Message {
  readonly severity: Severity;
  readonly code: string;
  readonly text: string;
  readonly hint?: string;
  readonly place?: Place;
  readonly notes: readonly { readonly text: string; readonly place?: Place }[];
  /** What would put it right. */
  readonly fix?: { readonly title: string; readonly changes: TextChanges };
}

/** A class that can be simulated, by the file in which it stands. */
export interface ModelName {
  readonly file: string;
  readonly model: string;
}

/** A class of a file. */
export interface ListedClass {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  /** Whether it is a model that is not partial. */
  readonly isModel: boolean;
}

/** A parameter with the bounds that are numbers. */
export interface Parameter extends ParameterInfo {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** What is known of a model before it runs. */
export interface ModelReport {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Figures that it describes itself. */
  readonly figures: readonly FigureReport[];
  /** What holds where the user says nothing else. */
  readonly settings: Required<RunSettings>;
}

/** A plot over time, or over another variable. */
export interface PlotReport {
  readonly title: string;
  readonly over?: string;
  readonly curves: readonly { readonly name: string; readonly legend: string }[];
}

export interface FigureReport {
  readonly title: string;
  /** Whether it is to be shown without being asked for. */
  readonly isPreferred: boolean;
  readonly plots: readonly PlotReport[];
  /** Curves that cannot be shown, as they are written. */
  readonly missing: readonly string[];
}

export interface ModelAnswer {
  /** Undefined where the model is wrong. */
  readonly report: ModelReport | undefined;
  readonly messages: readonly Message[];
}

export interface RunSettings {
  readonly startTime?: number;
  readonly stopTime?: number;
  readonly tolerance?: number;
  readonly intervals?: number;
  readonly method?: Method;
}

/** A value for a parameter, as `merge` takes it. */
export type ParameterSetting = number | boolean | string;

export interface RunOrder extends ModelName {
  /** The number of the run, a new one for each. */
  readonly run: number;
  readonly settings: RunSettings;
  /** Parameters and start values by name. */
  readonly values: Readonly<Record<string, ParameterSetting>>;
  /** Signals to see; null for those that the model suggests. */
  readonly watched: readonly string[] | null;
  /** Whether the run begins held, before its first step. */
  readonly isHeld?: boolean;
}

/** What is known of a signal. */
export interface SignalReport
  extends Pick<SignalInfo, 'name' | 'unit' | 'displayUnit' | 'description' | 'type' | 'role' | 'literals'> {
  /** The value of what never changes. */
  readonly constant?: number;
}

export interface ModeReport {
  readonly signature: string;
  readonly from: number;
  readonly to: number;
  readonly states: number;
  readonly index: number;
}

export interface ImpulseReport {
  readonly time: number;
  readonly variable: string;
  readonly weight: number;
  readonly unit?: string;
}

/** Values of a signal from a row on. */
export interface ColumnPart {
  readonly name: string;
  readonly first: number;
  readonly values: Float64Array;
}

/** What is new of a run. */
export interface RowsNotice {
  readonly run: number;
  /** Whether the run has begun again: what was told before does not count. */
  readonly isAnew: boolean;
  /** Times from a row on. */
  readonly first: number;
  readonly time: Float64Array;
  readonly columns: readonly ColumnPart[];
  readonly modes: readonly ModeReport[];
  readonly impulses: readonly ImpulseReport[];
  /** All signals; undefined where they are those that were told last, of this run or the one before. */
  readonly signals: readonly SignalReport[] | undefined;
  /** What the model suggests to see, as far as one can say yet. */
  readonly suggested: readonly string[];
  /** The time that is reached, and the one to reach. */
  readonly reached: number;
  readonly stopTime: number;
}

export interface HeldNotice {
  readonly run: number;
  readonly time: number;
  readonly isHeld: boolean;
}

export interface RunReport {
  readonly run: number;
  readonly status: 'done' | 'terminated' | 'failed' | 'stopped';
  readonly stage?: Stage;
  readonly time: number;
  readonly messages: readonly Message[];
  readonly statistics: Readonly<Record<'steps' | 'events' | 'modesCompiled' | 'translations', number>> &
    Readonly<Record<'translateMs' | 'compileMs' | 'simulateMs', number>>;
  /** Whether there is something to see in space. */
  readonly hasScene: boolean;
}

/** What to do with a run that goes on. */
export type RunControl = 'hold' | 'go' | 'event' | 'stop';

export interface EngineMethods extends LanguageMethods, LibraryMethods, ModeMethods, LateMethods {
  /** Holds a lock as long as the worker lives, so that the page knows when it has ended; true where locks are there to be held. */
  live(lock: string): Promise<boolean>;
  files(changes: FileChanges): void;
  /** All libraries that there are beside the files of the workspace. */
  libraries(packs: readonly LibraryPack[]): void;
  classes(file: string): readonly ListedClass[];
  model(of: ModelName): ModelAnswer;
  run(order: RunOrder): Promise<RunReport>;
  control(of: { readonly run: number; readonly what: RunControl }): void;
  watch(of: { readonly run: number; readonly names: readonly string[] }): void;
  /** Values of signals at a time: the limits from before and after, in the order of the names; NaN where there is none. */
  values(of: {
    readonly run: number;
    readonly time: number;
    readonly names: readonly string[];
  }): Handed<Float64Array>;
  /** Runs that are not needed any more. */
  forget(runs: readonly number[]): void;
}

/** What a first look does not need: its code comes when somebody asks for it. */
export interface LateMethods extends DiagramMethods, DocumentationMethods, ExportMethods {
  /** All that moves in space. */
  scene(run: number): Scene | undefined;
  /** Icons of classes of libraries as SVG; undefined for those that have none. */
  icons(names: readonly string[]): readonly (string | undefined)[];
}

export interface EngineNotices {
  rows: RowsNotice;
  held: HeldNotice;
}

// ---------------------------------------------------------------- language

/** A place in a text: what editors ask about. */
export interface TextPoint {
  readonly file: string;
  readonly at: number;
}

/** Changes of texts by path. */
export type TextChanges = readonly (readonly [string, readonly TextChange[]])[];

export interface LanguageMethods {
  complete(point: TextPoint): CompletionList | undefined;
  hover(point: TextPoint): Hover | undefined;
  /** With the text of a file that is none of the workspace. */
  definition(point: TextPoint): { readonly place: Place; readonly text?: string } | undefined;
  /** Of any file that can be read, also of libraries. */
  libraryText(path: string): string | undefined;
  renamable(point: TextPoint): TextRange | Refusal;
  rename(
    of: TextPoint & { readonly name: string },
  ): { readonly changes: TextChanges; readonly moves: Renaming['moves'] } | Refusal;
  outline(file: string): readonly OutlineItem[];
  folds(file: string): readonly Fold[];
  /** Names of the classes of a text, those around a place first. */
  checkable(point: TextPoint): readonly string[];
  /** Mistakes of syntax, and those of some classes. */
  check(of: { readonly file: string; readonly names: readonly string[] }): readonly Message[];
}

// ---------------------------------------------------------------- diagrams

/** Pictures of a class as SVG, and what is in them. */
export interface DrawingAnswer {
  readonly diagram: string;
  /** Undefined where it has no state machine. */
  readonly chart: string | undefined;
  /** Paths of states; `path.active` is their signal. */
  readonly states: readonly string[];
  readonly components: readonly DiagramComponent[];
  readonly connections: readonly DiagramConnection[];
  readonly grid: Point;
  /** Variables that the picture depends on. */
  readonly names: readonly string[];
}

export type DiagramAction =
  | { readonly kind: 'place'; readonly name: string; readonly placing: Placing }
  | { readonly kind: 'remove'; readonly name: string }
  /** A component of a class; where there is room, if no place is named. */
  | { readonly kind: 'add'; readonly class: string; readonly at?: Point }
  | { readonly kind: 'connect'; readonly from: string; readonly to: string }
  | { readonly kind: 'disconnect'; readonly from: string; readonly to: string; readonly at?: number };

export interface DiagramMethods {
  /** With the values of variables at a moment; undefined where the text cannot be read. */
  drawing(of: ModelName & { readonly values: Readonly<Record<string, number>> }): DrawingAnswer | undefined;
  /** Changes of the file, one after the other; none where one of the actions cannot be done. */
  editDiagram(of: ModelName & { readonly actions: readonly DiagramAction[] }): {
    readonly steps: readonly (readonly TextChange[])[];
    readonly problems: readonly Message[];
    /** Names of components that were added. */
    readonly added: readonly string[];
  };
}

// ---------------------------------------------------------------- exports

/** Curves as they are seen: of one run or of several, by what these are called. */
export interface CurvesOrder {
  readonly runs: readonly { readonly run: number; readonly label: string }[];
  /** Names of signals, and of what they are drawn over where that is not the time; none for what the model suggests. */
  readonly diagrams: readonly { readonly curves: readonly string[]; readonly over?: string }[];
  readonly window: readonly [from: number, to: number] | undefined;
  readonly format: 'svg' | 'png';
  /** `auto` is for SVG alone. */
  readonly theme: 'auto' | 'light' | 'dark';
  /** That of the model where it is left out. */
  readonly title?: string;
  /** Pixels. */
  readonly width?: number;
}

/** What a run was made of, and what is told of it nowhere else. */
export interface RunAccount {
  readonly description: string;
  /** Texts that the model was made of, by path, as they were then. */
  readonly sources: Readonly<Record<string, string>>;
  /** With the values that the run had. */
  readonly parameters: readonly Parameter[];
  /** Pictures of the class, where there is something in them. */
  readonly diagram: string | undefined;
  readonly chart: string | undefined;
  /** Names of states by the signature of the mode. */
  readonly states: Readonly<Record<string, readonly string[]>>;
}

export interface SourcesReport {
  readonly files: readonly string[];
  readonly libraries: readonly string[];
}

/** Answers are undefined where the run or the class is not known any more. */
export interface ExportMethods {
  /** Paths of the files that a model is made of, as far as they can be read, and names of libraries. */
  sources(of: ModelName): SourcesReport;
  results(of: { readonly run: number; readonly format: 'csv' | 'mat' }): Handed<Uint8Array> | undefined;
  /** Or what is wrong with the order. */
  curves(order: CurvesOrder): Handed<Uint8Array> | string | undefined;
  drawn(
    of: ModelName & {
      readonly what: 'diagram' | 'chart';
      readonly format: 'svg' | 'png';
      readonly values: Readonly<Record<string, number>>;
    },
  ): Handed<Uint8Array> | undefined;
  account(run: number): RunAccount | undefined;
}

// ---------------------------------------------------------------- documentation

export interface DocumentedClass {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly info: Documentation | undefined;
  readonly revisions: Documentation | undefined;
}

/** A class by its name, as a file sees it; without one, as libraries do. */
type ClassSeen = { readonly file: string | undefined; readonly model: string };

export interface DocumentationMethods {
  documentation(of: ClassSeen): DocumentedClass | undefined;
  /** Pictures of libraries (`modelica://…`) as addresses that hold them; undefined where there is none. */
  pictures(of: ClassSeen & { readonly addresses: readonly string[] }): readonly (string | undefined)[];
}

// ---------------------------------------------------------------- libraries

/** The folder below which workers see libraries; no file of the workspace can have a path in it. */
export const LIBRARIES = '(libraries)';

/** A library, or a folder of several, as one piece: its files one behind the other, texts of models before all others. */
export interface LibraryPack {
  /** The name of its folder below `LIBRARIES`. */
  readonly name: string;
  /** Folders with packages, from there; the empty one is its own. */
  readonly roots: readonly string[];
  readonly paths: readonly string[];
  /** Where each file ends. */
  readonly ends: Float64Array;
  /** How many of the files are texts of models. */
  readonly texts: number;
  readonly content: Blob;
  /** Whether it comes from the server, which has it again the next time. */
  readonly isServed?: boolean;
}

/** A class of the tree of libraries. */
export interface LibraryClass {
  /** Qualified. */
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly hasClasses: boolean;
  /** Whether a diagram can have components of it. */
  readonly isComponent: boolean;
}

export interface LibraryMethods {
  /** The classes in a package, in its order; those of the top level where none is named. */
  browse(name: string | undefined): readonly LibraryClass[];
  /** Classes whose names, or descriptions, have all the words of a text; the most fitting ones first. */
  findClasses(of: { readonly words: string; readonly most: number }): Promise<readonly LibraryClass[]>;
  /** Where a class is written, and whether it could run. */
  classText(
    name: string,
  ): { readonly place: Place; readonly text: string; readonly isModel: boolean } | undefined;
}

// ---------------------------------------------------------------- modes

/** A mode that a run has visited. */
export interface VisitedMode {
  readonly signature: string;
  /** Some of their names, and how many there are. */
  readonly states: readonly string[];
  readonly stateCount: number;
}

/** An equation of the text that a block comes from. */
export interface BlockEquation extends Omit<WrittenEquation, 'span'> {
  readonly place: Place | undefined;
}

export interface BlockReport extends Omit<SolvedBlock, 'equations'> {
  readonly equations: readonly BlockEquation[];
}

/** What is solved in a mode. */
export interface EquationsReport extends Omit<ModeEquations, 'blocks'> {
  readonly blocks: readonly BlockReport[];
  /** How many there are in all. */
  readonly blockCount: number;
  /** Files whose text is not what it was when the model ran: places in them are those of then. */
  readonly changed: readonly string[];
}

export interface ModeMethods {
  visitedModes(run: number): readonly VisitedMode[];
  /** Files of the model whose texts are others than those that ran. */
  changedSince(run: number): readonly string[];
  /** Undefined where the run has not visited it, or is not known any more. */
  modeEquations(of: { readonly run: number; readonly signature: string }): EquationsReport | undefined;
}
