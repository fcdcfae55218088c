/** What runs, how, and how far it has come. */
import { readable } from '../../names/readable.ts';
import { spaced } from '../../paint/text.ts';
import { methods } from '../../solve/integrator.ts';
import type { RunSettings } from '../protocol.ts';
import { fill, icon, iconButton, make } from './dom.ts';
import { isWrong, numberField, showNumber } from './fields.ts';
import type { Run } from './run.ts';
import type { Runs } from './runs.ts';
import { isOpen, type Store, whyNone } from './store.ts';
import { texts } from './texts.ts';
import { perFrame } from './value.ts';

export class Toolbar {
  readonly element: HTMLElement;
  private readonly model: HTMLSelectElement;
  private readonly progress = make('progress', { max: 1, value: 0, 'aria-label': texts.run });
  private readonly status = make('output', { class: 'status' });
  private readonly buttons: Readonly<Record<'run' | 'hold' | 'stop' | 'event', HTMLButtonElement>>;
  private readonly fields: Readonly<
    Record<'stopTime' | 'startTime' | 'tolerance' | 'intervals', HTMLInputElement>
  >;
  private readonly method: HTMLSelectElement;
  private followed = (): void => {};

  constructor(
    private readonly store: Store,
    runs: Runs,
    ...extras: readonly HTMLElement[]
  ) {
    this.model = make('select', {
      'aria-label': texts.model,
      title: texts.model,
      on: { change: () => store.model.set(this.model.value) },
    });
    this.buttons = {
      run: make(
        'button',
        { type: 'button', class: 'primary', title: texts.runKey, on: { click: () => void runs.run() } },
        icon('run'),
        texts.run,
      ),
      hold: iconButton('pause', texts.pause, () => runs.toggleHold()),
      event: iconButton('event', texts.nextEvent, () => runs.toEvent()),
      stop: iconButton('stop', texts.stop, () => runs.control('stop')),
    };
    const number = (name: keyof RunSettings, label: string, width: number): HTMLInputElement =>
      numberField(label, (value) => this.set(name, value), { size: width, 'data-run': true });
    this.fields = {
      stopTime: number('stopTime', texts.stopTime, 6),
      startTime: number('startTime', texts.startTime, 6),
      tolerance: number('tolerance', texts.tolerance, 6),
      intervals: number('intervals', texts.intervals, 6),
    };
    this.method = make(
      'select',
      {
        'aria-label': texts.method,
        on: { change: () => this.set('method', this.method.value as RunSettings['method']) },
      },
      ...methods.map((method) => make('option', { value: method }, method)),
    );
    this.element = make(
      'header',
      { class: 'toolbar' },
      make('h1', { class: 'brand' }, 'Mutabor'),
      this.model,
      make('div', { class: 'group', role: 'group', 'aria-label': texts.run }, ...Object.values(this.buttons)),
      make('label', { class: 'field' }, make('span', {}, texts.stopTime), this.fields.stopTime, 's'),
      this.settings(),
      make('div', { class: 'state' }, this.progress, this.status),
      make('div', { class: 'spring' }),
      ...extras,
    );
    perFrame([store.classes, store.model, store.isReading, store.open], () => this.drawModels());
    perFrame([store.settings, store.report], () => this.drawSettings());
    store.open.follow(() => {
      for (const field of Object.values(this.fields)) showNumber(field, '');
    });
    perFrame([store.open, store.model], () => this.drawState(store.active.now));
    store.active.watch((run) => {
      this.followed();
      const ends = run
        ? [run.state.follow(() => this.drawState(run)), run.version.follow(() => this.drawState(run))]
        : [];
      this.followed = () => {
        for (const end of ends) end();
      };
      this.drawState(run);
    });
  }

  private settings(): HTMLElement {
    const row = (label: string, field: HTMLElement, unit = ''): HTMLElement =>
      make('label', { class: 'field' }, make('span', {}, label), field, unit);
    return make(
      'details',
      { class: 'menu' },
      make(
        'summary',
        { class: 'tool', title: texts.settings, 'aria-label': texts.settings },
        icon('settings'),
      ),
      make(
        'div',
        { class: 'popup' },
        row(texts.startTime, this.fields.startTime, 's'),
        row(texts.tolerance, this.fields.tolerance),
        row(texts.intervals, this.fields.intervals),
        row(texts.method, this.method),
      ),
    );
  }

  /** Gives what is wrong. */
  private set<Name extends keyof RunSettings>(name: Name, value: RunSettings[Name]): string | undefined {
    if (name === 'tolerance' && value !== undefined && !(Number(value) > 0 && Number(value) < 1))
      return texts.badTolerance;
    if (name === 'intervals' && value !== undefined && !(Number.isInteger(value) && Number(value) >= 1))
      return texts.badIntervals;
    const { [name]: _, ...others } = this.store.settings.now;
    this.store.settings.set(value === undefined ? others : { ...others, [name]: value });
    return undefined;
  }

  private drawModels(): void {
    const { classes, model } = this.store;
    const models = classes.now.filter(({ isModel }) => isModel);
    // What stands around the outermost class of the text says nothing of its models, and would take the room of their names.
    const around = classes.now[0]?.name.lastIndexOf('.') ?? -1;
    fill(
      this.model,
      ...models.map(({ name, description }) =>
        make('option', { value: name, title: spaced(name, description) }, name.slice(around + 1)),
      ),
      models.length === 0 && make('option', { value: '' }, whyNone(this.store)),
    );
    this.model.value = model.now ?? '';
    this.model.title = spaced(texts.model, model.now ?? '');
    this.model.disabled = models.length === 0;
    this.buttons.run.disabled = model.now === undefined;
    this.buttons.event.disabled = model.now === undefined;
  }

  private drawSettings(): void {
    const declared = this.store.report.now?.settings;
    const wanted = this.store.settings.now;
    for (const [name, field] of Object.entries(this.fields) as ['stopTime', HTMLInputElement][]) {
      if (document.activeElement === field || isWrong(field)) continue;
      field.placeholder = declared ? String(declared[name]) : '';
      field.value = wanted[name] === undefined ? '' : String(wanted[name]);
    }
    this.method.value = wanted.method ?? declared?.method ?? 'auto';
  }

  private drawState(run: Run | undefined): void {
    const state = run?.state.now;
    const isOn = run !== undefined && !run.isOver;
    this.buttons.hold.disabled = !isOn;
    this.buttons.stop.disabled = !isOn;
    this.progress.hidden = !isOn;
    const isHeld = state === 'held';
    fill(this.buttons.hold, icon(isHeld ? 'run' : 'pause'));
    this.buttons.hold.title = isHeld ? texts.goOn : texts.pause;
    this.buttons.hold.setAttribute('aria-label', this.buttons.hold.title);
    if (!run) {
      this.status.textContent = '';
      return;
    }
    const share = (run.reached - run.startTime) / (run.stopTime - run.startTime);
    if (Number.isFinite(share)) this.progress.value = share;
    else this.progress.removeAttribute('value');
    const text = stateText(run);
    this.status.textContent = isOpen(run.order, this.store) ? text : texts.stateOf(run.order.model, text);
    this.status.className = `status ${state}`;
    this.status.title = run.report
      ? texts.took(totalOf(run), run.report.statistics.steps, run.report.statistics.events)
      : '';
  }
}

const seconds = (time: number): string => `${readable(time)} s`;

const totalOf = ({ report }: Run): string => {
  const { translateMs, compileMs, simulateMs } = report!.statistics;
  return String(Math.round(translateMs + compileMs + simulateMs));
};

function stateText(run: Run): string {
  const state = run.state.now;
  if (state === 'translating') return texts.translating;
  if (state === 'running') return texts.running(seconds(run.reached), seconds(run.stopTime));
  if (state === 'held') return texts.held(seconds(run.reached));
  if (Number.isNaN(run.reached)) return texts.notBegun;
  return texts.ended[state](seconds(run.reached));
}
