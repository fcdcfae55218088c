/**
 * Parameters as fields, and numbers as sliders too, which act while they are dragged. Values are shown in the display unit of the parameter, and kept in its unit.
 */
import { readable } from '../../names/readable.ts';
import { displayed } from '../../results/plot/value.ts';
import { prettyUnit } from '../../units/display.ts';
import type { Parameter, ParameterSetting } from '../protocol.ts';
import { fill, iconButton, make } from './dom.ts';
import { isWrong, numberField, showNumber } from './fields.ts';
import { searchField } from './items.ts';
import { asSignal, boundProblem, rangeOf, shownOf, sliderValue, storedOf, written } from './parameter.ts';
import type { Runs } from './runs.ts';
import { type Store, whyNone } from './store.ts';
import { askSweep } from './sweep.ts';
import { texts } from './texts.ts';
import { perFrame } from './value.ts';

/** More are found by searching. */
const MOST = 100;
const STEPS = 200;
/** Milliseconds: keys that follow sooner move a slider on. */
const ONE_MOVE = 1000;

/** Gives a parameter another value, or its own; says whether that is a step of one move. */
type Give = (value: ParameterSetting | undefined, isMoving?: boolean) => void;

export class Parameters {
  readonly element: HTMLElement;
  private readonly list = make('div', { class: 'rows' });
  private readonly search: HTMLInputElement;
  private readonly rows = new Map<string, Row>();
  /** What is shown, as text. */
  private drawn = '';

  constructor(
    private readonly store: Store,
    private readonly runs: Runs,
  ) {
    this.search = searchField(texts.searchParameters, () => this.draw());
    const reset = make(
      'button',
      { type: 'button', class: 'plain small', on: { click: () => runs.give({}) } },
      texts.resetAll,
    );
    store.values.watch((values) => {
      reset.disabled = Object.keys(values).length === 0;
    });
    this.element = make(
      'div',
      { class: 'parameters' },
      make('div', { class: 'bar' }, this.search, reset),
      this.list,
    );
    perFrame([store.report, store.isReading, store.model], () => this.draw());
    store.values.follow(() => this.refresh());
  }

  private draw(): void {
    const { report } = this.store;
    const all = report.now?.parameters ?? [];
    const wanted = this.search.value.toLowerCase();
    const shown = all.filter(
      (parameter) =>
        isSettable(parameter) && `${parameter.name} ${parameter.description}`.toLowerCase().includes(wanted),
    );
    const none = all.length > 0 ? texts.noneSettable : texts.noParameters;
    const empty = wanted !== '' ? texts.noMatch : report.now ? none : this.unknown();
    const key = JSON.stringify([wanted, shown, empty], (_, value: unknown) =>
      typeof value === 'number' ? String(value) : value,
    );
    // While a text is looked at, the same parameters are told again: a slider that is being dragged stays.
    if (key === this.drawn) {
      this.refresh();
      return;
    }
    this.drawn = key;
    this.rows.clear();
    for (const parameter of shown.slice(0, MOST)) this.rows.set(parameter.name, this.row(parameter));
    fill(
      this.list,
      ...[...this.rows.values()].map(({ element }) => element),
      shown.length === 0 && make('p', { class: 'empty' }, empty),
      shown.length > MOST && make('p', { class: 'empty' }, texts.moreMatches(shown.length - MOST)),
    );
    this.refresh();
  }

  /** Why nothing is known of parameters. */
  private unknown(): string {
    const { isReading, model } = this.store;
    return isReading.now || model.now === undefined ? whyNone(this.store) : texts.unknownParameters;
  }

  private refresh(): void {
    const { now } = this.store.values;
    for (const [name, row] of this.rows) row.show(now[name]);
  }

  private give(name: string, value: ParameterSetting | undefined, isMoving = false): void {
    const { [name]: _, ...others } = this.store.values.now;
    this.runs.give(value === undefined ? others : { ...others, [name]: value }, isMoving);
  }

  /** What begins a sweep, by the names of parameters that can have one. */
  get sweeps(): readonly { readonly name: string; readonly begin: () => void }[] {
    return [...this.rows].flatMap(([name, { sweep }]) => (sweep ? [{ name, begin: sweep }] : []));
  }

  private async sweep(parameter: Parameter): Promise<void> {
    const members = await askSweep(parameter);
    if (members) await this.runs.sweep(members);
  }

  private row(parameter: Parameter): Row {
    const { name, description } = parameter;
    const give: Give = (value, isMoving) => this.give(name, value, isMoving);
    const field = this.field(parameter, give);
    const reset = iconButton('undo', texts.reset(name), () => give(undefined), { class: 'tool small quiet' });
    const sweep = field.slider && ((): void => void this.sweep(parameter));
    const unit = prettyUnit(displayed(asSignal(parameter)).unit);
    const element = make(
      'div',
      { class: 'row', title: description || name },
      make(
        'span',
        { class: 'name' },
        name,
        description !== '' && make('span', { class: 'description' }, description),
      ),
      make('span', { class: 'value' }, field.element, make('span', { class: 'unit' }, unit)),
      field.slider ?? make('span'),
      sweep ? iconButton('sweep', texts.sweepOf(name), sweep, { class: 'tool small' }) : make('span'),
      reset,
    );
    return {
      element,
      sweep,
      show: (value) => {
        field.show(value ?? (parameter.value as ParameterSetting));
        reset.disabled = value === undefined;
        element.classList.toggle('changed', value !== undefined);
      },
    };
  }

  private field(parameter: Parameter, give: Give): Field {
    if (parameter.type === 'Boolean') return booleanField(parameter, give);
    if (parameter.literals) return choiceField(parameter, parameter.literals, give);
    if (parameter.type === 'String') return textField(parameter, give);
    return this.numeric(parameter, give);
  }

  private numeric(parameter: Parameter, give: Give): Field {
    const { name, type, value } = parameter;
    const input = numberField(
      name,
      (seen) => {
        if (seen === undefined) give(undefined);
        else if (type === 'Integer' && !Number.isInteger(seen)) return texts.notWhole;
        else {
          const wanted = storedOf(parameter, seen);
          const problem = boundProblem(parameter, wanted);
          if (problem === undefined) give(wanted);
          return problem;
        }
        return undefined;
      },
      { size: 9, 'data-run': true },
    );
    const [low, high] = rangeOf(parameter);
    const slider = make('input', {
      type: 'range',
      min: 0,
      max: STEPS,
      step: type === 'Integer' ? STEPS / Math.max(1, high - low) : 'any',
      'aria-label': texts.slider(name),
    });
    let isMoving = false;
    let moved = Number.NEGATIVE_INFINITY;
    slider.addEventListener('input', (event) => {
      const wanted = sliderValue(parameter, Number(slider.value) / STEPS);
      give(wanted, isMoving || event.timeStamp - moved < ONE_MOVE);
      moved = event.timeStamp;
      isMoving = true;
    });
    // A pointer lets it go, or a key has moved it by one step: others may follow.
    slider.addEventListener('change', () => {
      isMoving = false;
    });
    let shownLast: ParameterSetting | undefined;
    return {
      element: input,
      slider,
      show: (now) => {
        const number = typeof now === 'number' ? now : (value as number);
        // What is being written stays as it is written.
        const isKept = document.activeElement === input || (isWrong(input) && shownLast === now);
        shownLast = now;
        if (!isKept) showNumber(input, written(shownOf(parameter, number)));
        slider.value = String(((number - low) / (high - low)) * STEPS);
        slider.setAttribute('aria-valuetext', readable(shownOf(parameter, number)));
      },
    };
  }
}

interface Row {
  readonly element: HTMLElement;
  /** Begins a sweep, where there can be one. */
  readonly sweep: (() => void) | undefined;
  show(value: ParameterSetting | undefined): void;
}

interface Field {
  readonly element: HTMLElement;
  readonly slider?: HTMLElement;
  show(value: ParameterSetting): void;
}

/** Scalars that the model lets be changed. */
const isSettable = ({ dims, final, hidden }: Parameter): boolean => dims.length === 0 && !final && !hidden;

function booleanField({ name }: Parameter, give: (value: ParameterSetting) => void): Field {
  const input = make('input', { type: 'checkbox', 'aria-label': name });
  input.addEventListener('change', () => give(input.checked));
  return { element: input, show: (value) => (input.checked = value === true) };
}

function choiceField(
  { name }: Parameter,
  literals: readonly string[],
  give: (value: ParameterSetting) => void,
): Field {
  const select = make(
    'select',
    { 'aria-label': name },
    ...literals.map((literal) => make('option', { value: literal }, literal)),
  );
  select.addEventListener('change', () => give(select.value));
  return { element: select, show: (value) => (select.value = String(value)) };
}

function textField({ name }: Parameter, give: (value: ParameterSetting) => void): Field {
  const input = make('input', { type: 'text', 'aria-label': name, size: 12 });
  input.addEventListener('change', () => give(input.value));
  return { element: input, show: (value) => (input.value = String(value)) };
}
