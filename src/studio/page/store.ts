/**
 * What the page knows: all parts of it show values of this store, and say here what a person wants. No part knows another one.
 */
import type { Point } from '../../diagram/geometry.ts';
import type { SharedView } from '../link.ts';
import type {
  LibraryPack,
  ListedClass,
  Message,
  ModelName,
  ModelReport,
  ParameterSetting,
  Place,
  RunSettings,
} from '../protocol.ts';
import type { Run } from './run.ts';
import type { StoredFile } from './storage.ts';
import { texts } from './texts.ts';
import { Value } from './value.ts';

/** A file as it is listed. */
export interface FileEntry {
  readonly path: string;
  readonly origin: 'example' | 'own' | 'disk' | 'shared';
  /** Differs from what is saved, or from the example as it was. */
  readonly isChanged: boolean;
}

/** A diagram of curves: names of signals. */
export interface DiagramSpec {
  readonly id: number;
  readonly signals: readonly string[];
  /** What they are drawn over, where that is not the time. */
  readonly over?: string;
  /** What the model calls it and its curves, where it is a plot of a figure of the model. */
  readonly title?: string;
  readonly legends?: Readonly<Record<string, string>>;
}

/** A part of the time. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Something to tell that concerns the studio and not a model; it is put away, or an action is chosen. */
export interface Notice {
  readonly text: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** Of notices of one kind only the last is shown. */
  readonly kind?: string;
  readonly actions?: readonly { readonly title: string; readonly run: () => void }[];
}

/** What is to be looked at as soon as there is a run of a model. */
export interface WantedView extends ModelName {
  readonly view: SharedView;
}

/** A file that was changed here and elsewhere. */
export interface Conflict {
  readonly path: string;
  readonly mine: string;
  /** Undefined where the file is gone. */
  readonly theirs: StoredFile | undefined;
  readonly where: 'disk' | 'tab';
}

export class Store {
  readonly files = new Value<readonly FileEntry[]>([]);
  /** Tabs of areas that are seen, by their ids, and those that are to be. */
  readonly tabs = new Value<readonly string[]>([]);
  readonly wantedTabs = new Value<readonly string[]>([]);
  /** The path of the file that is open. */
  readonly open = new Value<string | undefined>(undefined);
  /** A file whose text is another one, not by the editor; each time another object. */
  readonly replaced = new Value<{ readonly path: string } | undefined>(undefined);
  readonly conflict = new Value<Conflict | undefined>(undefined);
  /** Classes of that file. */
  readonly classes = new Value<readonly ListedClass[]>([]);
  /** Whether it is not known yet which they are, or what there is to know of the model. */
  readonly isReading = new Value(true);
  /** The model that runs, of that file. */
  readonly model = new Value<string | undefined>(undefined);
  /** What is known of it. */
  readonly report = new Value<ModelReport | undefined>(undefined);
  /** What the user wants other than the model says. */
  readonly settings = new Value<RunSettings>({});
  readonly values = new Value<Readonly<Record<string, ParameterSetting>>>({});

  /** The run that was started last. */
  readonly active = new Value<Run | undefined>(undefined);
  /** The run that is seen: the same, as soon as there is something of it. */
  readonly run = new Value<Run | undefined>(undefined);
  /** The run before, where it is shown, and others of a family. */
  readonly before = new Value<Run | undefined>(undefined);
  readonly isComparing = new Value(false);
  /** Runs of a sweep, in the order of their values. */
  readonly family = new Value<readonly Run[]>([]);

  /** The one time that all parts show; NaN where there is no run. */
  readonly cursor = new Value(Number.NaN);
  /** Whether that time follows a run to where it has come. */
  readonly isFollowing = new Value(true);
  /** A time that the pointer is at in a diagram. */
  readonly pointed = new Value<number | undefined>(undefined);
  /** What of the time is seen; undefined for all of it. */
  readonly window = new Value<Window | undefined>(undefined);
  readonly diagrams = new Value<readonly DiagramSpec[]>([]);
  /** Whether the diagrams are those that the model suggests. */
  readonly isSuggested = new Value(true);
  /** The diagram that the last curve was put in. */
  readonly diagram = new Value(0);
  /** By whom the model comes with a view. */
  readonly wanted = new Value<WantedView | undefined>(undefined);
  /** Curves that are switched off. */
  readonly hidden = new Value<ReadonlySet<string>>(new Set());

  /** What there is to say of the model that is chosen, or of its run. */
  readonly messages = new Value<readonly Message[]>([]);
  /** What is wrong with the text that is open, in all of its classes. */
  readonly checked = new Value<readonly Message[]>([]);
  readonly notices = new Value<readonly Notice[]>([]);
  /** A place that is to be looked at; each time another object. */
  readonly place = new Value<Place | undefined>(undefined);
  /** Libraries that this browser keeps. */
  readonly libraries = new Value<readonly LibraryPack[]>([]);
  /** A class of which a component is to be added to the diagram, where there is room or at a point of it; each time another object. */
  readonly adding = new Value<{ readonly class: string; readonly at?: Point } | undefined>(undefined);
  /** A class whose documentation is to be shown; each time another object. */
  readonly documenting = new Value<{ readonly class: string } | undefined>(undefined);
  /** A class whose text is to be shown; each time another object. */
  readonly opening = new Value<{ readonly class: string } | undefined>(undefined);
  /** What the person wants, undefined for what the system says; and what it is. */
  readonly theme = new Value<'light' | 'dark' | undefined>(undefined);
  readonly isDark = new Value(false);

  notify(notice: Notice): void {
    if (this.notices.now.some(({ text }) => text === notice.text)) return;
    if (notice.kind !== undefined) this.withdraw(notice.kind);
    this.notices.set([...this.notices.now, notice]);
  }

  /** What a notice of a kind has said is over. */
  withdraw(kind: string): void {
    const others = this.notices.now.filter((one) => one.kind !== kind);
    if (others.length < this.notices.now.length) this.notices.set(others);
  }
}

/** All that is wrong, each once: what was found in the text may be told of the model as well. */
export function problemsOf({ messages, checked }: Store): readonly Message[] {
  const isSaid = ({ text, place }: Message): boolean =>
    checked.now.some((one) => one.text === text && one.place?.file === place?.file);
  return [...checked.now, ...messages.now.filter((one) => !isSaid(one))];
}

/** Why there is no model. */
export function whyNone({ isReading, open }: Store): string {
  if (isReading.now) return texts.readingModel;
  return open.now === undefined ? texts.noFile : texts.noModel;
}

/** Whether a model is the one that is open, and would run. */
export const isOpen = ({ file, model }: ModelName, { open, model: chosen }: Store): boolean =>
  file === open.now && model === chosen.now;
