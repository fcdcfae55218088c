/** The page: makes the store, the workers and all that is seen, and puts it together. */

import { commandsOf } from './actions.ts';
import { Commands } from './commands.ts';
import { askConflicts } from './conflict.ts';
import { Curves } from './curves/curves.ts';
import { DiagramView } from './diagram/view.ts';
import { Documentation } from './documentation/documentation.ts';
import { make } from './dom.ts';
import { Editor } from './editor/editor.ts';
import { Engine } from './engine.ts';
import { Explorer } from './explorer.ts';
import { pointAt, wrongField } from './fields.ts';
import { reveal, splitter, Tabs } from './layout.ts';
import { takeFiles } from './libraries/drop.ts';
import { LibraryShelf } from './libraries/shelf.ts';
import { LibraryTree } from './libraries/tree.ts';
import { Messages } from './messages.ts';
import { ModelWatch } from './models.ts';
import { ModesView } from './modes/view.ts';
import { notices } from './notices.ts';
import { Parameters } from './parameters.ts';
import { Runs } from './runs.ts';
import { Sharing } from './share/dialog.ts';
import { Opening } from './share/opening.ts';
import { SpaceView } from './space/space.ts';
import { Stale } from './stale.ts';
import { BrowserStorage, ServerStorage, serverToken } from './storage.ts';
import { Store } from './store.ts';
import { texts } from './texts.ts';
import { themeButton } from './theme.ts';
import { Timebar } from './timebar.ts';
import { Toolbar } from './toolbar.ts';
import { Variables } from './variables.ts';
import { EXAMPLES, Workspace } from './workspace.ts';

declare global {
  /** What `examples.js` leaves in a page. */
  var mutaborExamples: Readonly<Record<string, string>> | undefined;
}

/** What somebody sees who has never been here. */
const FIRST = `${EXAMPLES}IdealClutch.mo`;

async function main(): Promise<void> {
  const store = new Store();
  const token = await serverToken();
  const engine: Engine = new Engine(
    { rows: (notice) => runs.rows(notice), held: (notice) => runs.held(notice) },
    () => store.notify({ text: texts.engineEnded, severity: 'warning' }),
  );
  const runs = new Runs(
    store,
    () => engine,
    () => models.settled(),
    () => {
      const wrong = wrongField();
      store.withdraw('field');
      if (!wrong) return true;
      const { input, name, problem } = wrong;
      if (input.closest('.parameters')) values.choose('parameters');
      pointAt(input);
      store.notify({ text: texts.wrongField(name, problem), severity: 'error', kind: 'field' });
      return false;
    },
  );
  for (const taken of [store.values, store.settings]) taken.follow(() => store.withdraw('field'));
  const server = token === undefined ? undefined : new ServerStorage(token);
  const browser = new BrowserStorage();
  const workspace = new Workspace(store, engine, browser, server);
  const shelf = new LibraryShelf(store, engine, browser, server);
  const opening = new Opening(store, workspace);
  const models: ModelWatch = new ModelWatch(store, () => engine);
  const editor = new Editor(store, workspace, engine, () => {
    models.changed();
    diagram.changed();
    documentation.changed();
    stale.changed();
  });
  const diagram = new DiagramView(store, engine, editor, () => models.settled());
  const timebar = new Timebar(store);
  const documentation = new Documentation(store, engine);
  const space = new SpaceView(store, engine);
  const work = new Tabs('work', texts.text, [
    {
      id: 'text',
      title: texts.text,
      content: editor.element,
      tool: editor.toggle,
      focus: () => editor.focus(),
    },
    { id: 'diagram', title: texts.diagram, content: diagram.element, shown: () => diagram.shown() },
    { id: 'space', title: texts.scene, content: space.element, shown: () => space.shown() },
    {
      id: 'documentation',
      title: texts.documentation,
      content: documentation.element,
      shown: () => documentation.shown(),
    },
  ]);
  space.isThere.watch((isThere) => work.offer('space', isThere));
  const stale: Stale = new Stale(
    store,
    () => engine,
    () => void runs.run(),
  );
  const modes = new ModesView(store, engine);
  const watch = new Tabs('watch', texts.curves, [
    {
      id: 'curves',
      title: texts.curves,
      content: new Curves(
        store,
        () => engine,
        () => void runs.run(),
        stale.element,
      ).element,
    },
    { id: 'modes', title: texts.modes, content: modes.element, shown: () => modes.shown() },
  ]);
  const parameters = new Parameters(store, runs);
  const values: Tabs = new Tabs('values', texts.parameters, [
    { id: 'parameters', title: texts.parameters, content: parameters.element },
    { id: 'variables', title: texts.variables, content: new Variables(store).element },
  ]);
  const messages = new Messages(store, (fix) => editor.putRight(fix));
  const said = new Tabs('said', texts.messages, [
    { id: 'messages', title: texts.messages, content: messages.element },
  ]);
  messages.count.watch((count) => said.mark('messages', count));
  const left = make('section', { class: 'area work', 'aria-label': texts.text }, work.element);
  left.append(
    splitter('said', texts.messages, left, { initial: 130, least: 40, from: 'bottom' }),
    said.element,
  );
  const right = make(
    'section',
    { class: 'area watch', 'aria-label': texts.curves },
    watch.element,
    timebar.element,
  );
  right.append(
    splitter('values', texts.parameters, right, { initial: 220, least: 40, from: 'bottom' }),
    values.element,
  );
  // In narrow windows areas stand below each other: what runs is seen.
  store.active.follow(() => reveal(right));
  const grid = make('main', { class: 'grid' });
  const libraries = new LibraryTree(store, engine, shelf);
  const explorer = new Explorer(store, workspace, opening);
  const sources = new Tabs('sources', texts.explorer, [
    { id: 'files', title: texts.explorer, content: explorer.element },
    { id: 'libraries', title: texts.libraries, content: libraries.element, shown: () => libraries.shown() },
  ]);
  sources.element.classList.add('sources');
  store.adding.follow((adding) => adding && work.choose('diagram'));
  store.documenting.follow((wanted) => wanted && work.choose('documentation'));
  store.opening.follow((opening) => opening && work.choose('text'));
  store.place.follow((place) => {
    if (place) write();
  });
  grid.append(
    sources.element,
    splitter('files', texts.explorer, grid, { initial: 210, least: 120, from: 'left' }),
    left,
    splitter('watch', texts.curves, grid, { initial: 640, least: 240, from: 'right' }),
    right,
  );
  const sharing = new Sharing(store, workspace, engine, opening);
  const theme = themeButton(store);
  const write = (): void => {
    work.choose('text');
    editor.focus();
  };
  const shareable = [work, watch, values];
  for (const { chosen } of shareable)
    chosen.watch(() => store.tabs.set(shareable.map(({ chosen: { now } }) => now)));
  store.wantedTabs.follow((wanted) => {
    for (const area of shareable) area.show(wanted);
  });
  const areas = [sources, work, said, watch, values];
  const commands = new Commands(() =>
    commandsOf({ store, runs, workspace, explorer, timebar, areas, theme, sharing, parameters, write }),
  );
  document.body.append(
    new Toolbar(store, runs, commands.button, sharing.button, theme).element,
    grid,
    notices(store),
  );
  askConflicts(store, workspace);
  takeFiles((data) => {
    sources.choose('libraries');
    return shelf.addDropped(data);
  });
  addEventListener('beforeunload', (event) => {
    if (workspace.isAtRisk) event.preventDefault();
  });
  addEventListener('pagehide', () => workspace.flush());
  addEventListener('focus', () => void workspace.refresh());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void workspace.refresh();
  });
  // Before the files: models of these may need them.
  await shelf.begin();
  void shelf.serve();
  await workspace.begin(globalThis.mutaborExamples ?? {});
  // Somebody may have been quicker.
  if (!(await opening.openAddress()) && store.open.now === undefined)
    store.open.set(workspace.has(FIRST) ? FIRST : store.files.now[0]?.path);
}

void main();
