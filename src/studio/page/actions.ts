/** What the list of commands offers. */
import type { Command } from './commands.ts';
import { newDiagram } from './curves/diagrams.ts';
import type { Explorer } from './explorer.ts';
import type { Tabs } from './layout.ts';
import type { Parameters } from './parameters.ts';
import type { Runs } from './runs.ts';
import type { Sharing } from './share/dialog.ts';
import { type OfferedFile, offeredFiles } from './share/files.ts';
import type { Store } from './store.ts';
import { texts } from './texts.ts';
import type { Timebar } from './timebar.ts';
import type { Workspace } from './workspace.ts';

export interface Parts {
  readonly store: Store;
  readonly runs: Runs;
  readonly workspace: Workspace;
  readonly explorer: Explorer;
  readonly timebar: Timebar;
  readonly areas: readonly Tabs[];
  readonly theme: HTMLButtonElement;
  readonly sharing: Sharing;
  readonly parameters: Parameters;
  /** Goes to the text. */
  readonly write: () => void;
}

export function commandsOf(parts: Parts): Command[] {
  const { store, runs, workspace, explorer, timebar, areas, theme, sharing, parameters, write } = parts;
  const hasModel = (): boolean => store.model.now !== undefined;
  // Models of a text that was written a moment ago are not known yet; a run waits for them.
  const hasText = (): boolean => store.open.now !== undefined;
  const hasRun = (): boolean => store.run.now !== undefined;
  const goesOn = (): boolean => store.active.now !== undefined && !store.active.now.isOver;
  const isHeld = store.active.now?.state.now === 'held';
  const give = (file: OfferedFile): void => {
    let last = '';
    void sharing
      .give(file, (text) => {
        last = text;
      })
      .then(() => store.notify({ text: last, severity: 'info' }));
  };
  const openFile = (path: string): void => {
    store.open.set(path);
    write();
  };
  return [
    { title: texts.run, keys: 'Ctrl+Enter', isPossible: hasText, run: () => void runs.run() },
    { title: isHeld ? texts.goOn : texts.pause, isPossible: goesOn, run: () => runs.toggleHold() },
    { title: texts.nextEvent, isPossible: hasModel, run: () => runs.toEvent() },
    { title: texts.stop, isPossible: goesOn, run: () => runs.control('stop') },
    {
      title: texts.save,
      keys: 'Ctrl+S',
      isPossible: hasText,
      run: () => void workspace.save(store.open.now!),
    },
    { title: texts.newFile, run: () => void explorer.create() },
    { title: texts.play, isPossible: hasRun, run: () => timebar.toggle() },
    { title: texts.zoomAll, isPossible: hasRun, run: () => store.window.set(undefined) },
    { title: texts.newDiagram, isPossible: hasRun, run: () => newDiagram(store) },
    { title: texts.compare, isPossible: hasRun, run: () => store.isComparing.set(!store.isComparing.now) },
    { title: texts.resetAll, isPossible: hasModel, run: () => runs.give({}) },
    { title: texts.sharing.command, run: () => sharing.button.click() },
    ...offeredFiles.map((file) => ({
      title: texts.saveAs(file.title),
      isPossible: file.ofRun ? hasRun : hasModel,
      run: () => give(file),
    })),
    ...parameters.sweeps.map(({ name, begin }) => ({ title: texts.sweepOf(name), run: begin })),
    { title: texts.theme, run: () => theme.click() },
    ...areas.flatMap(({ doors }) =>
      doors.map(({ title, enter }) => ({ title: texts.showArea(title), run: enter })),
    ),
    ...store.classes.now
      .filter(({ isModel, name }) => isModel && name !== store.model.now)
      .map(({ name }) => ({ title: texts.runModel(name), run: () => store.model.set(name) })),
    ...store.files.now
      .filter(({ path }) => path !== store.open.now)
      .map(({ path }) => ({ title: texts.openFile(path), run: () => openFile(path) })),
  ];
}
