/**
 * An animation that plays in a page: the picture, a plot beside it, and one time for both. Nothing is drawn while nothing changes.
 *
 * Keys: space plays and pauses, ← and → go on by a hundredth, Home and End to the ends; with Shift the arrows turn the camera; + and − zoom, 0 resets the
 * view; f, a, n and g show frames, arrows, names and the ground.
 */
import { button, make } from '../../results/plot/elements.ts';
import type { Scene } from '../scene.ts';
import { Clock } from './clock.ts';
import { checkbox, choice, menu } from './elements.ts';
import { Labels } from './labels.ts';
import { type Label, Stage } from './stage.ts';
import { Timeline } from './timeline.ts';

/** What marks a time: the plot. */
export interface Marked {
  mark(time: number): void;
}

/** Radians by a key, and a factor. */
const ORBIT = Math.PI / 24;
const CLOSER = 1.15;
/** Objects in a list that nobody searches. */
const FEW = 12;

export class Player {
  private readonly clock: Clock;
  private readonly timeline: Timeline;
  private readonly stage: Stage | undefined;
  private readonly labels = make('div', 'labels');
  private readonly places = new Labels();
  private readonly misleading = make('p', '', MISLEADING);
  private readonly boxes = new Map<string, HTMLInputElement>();
  private plot: Marked | undefined;
  private frame = 0;
  private last = 0;
  private shown = Number.NaN;

  constructor(
    root: HTMLElement,
    private readonly scene: Scene,
  ) {
    this.clock = new Clock(scene.times[0]!, scene.times.at(-1)!, scene.fastest);
    this.timeline = new Timeline(this.clock, {
      toggle: () => this.toggle(),
      seek: (time) => this.seek(time),
    });
    const place = make('section', 'stage');
    place.setAttribute('aria-label', 'Picture');
    root.append(place, this.timeline.element);
    this.stage = this.staged(place);
    place.append(this.labels, make('h1', '', scene.title), this.notes());
    if (!this.stage) return;
    place.append(this.menus(this.stage));
    this.watch(this.stage, place);
    document.addEventListener('keydown', (event) => this.key(event, this.stage!));
    this.later();
  }

  /** The picture; a sentence where the browser cannot draw it. */
  private staged(place: HTMLElement): Stage | undefined {
    const canvas = make('canvas');
    const context = canvas.getContext('webgl2', { alpha: true, antialias: true, stencil: false });
    if (!context) {
      const sentence = make('p', 'missing', NO_WEBGL);
      sentence.setAttribute('role', 'alert');
      place.append(sentence);
      return undefined;
    }
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    const count = this.scene.nodes.length;
    canvas.setAttribute(
      'aria-label',
      `Moving picture of ${count} object${count === 1 ? '' : 's'}; Shift and arrows turn it`,
    );
    place.append(canvas);
    const stage = new Stage(canvas, context, this.scene, () => this.later());
    const { follow } = this.scene;
    stage.show(this.clock.time);
    if (follow) stage.follow(follow.node, follow.isNear);
    return stage;
  }

  /** What a reader should know, until it is put away. */
  private notes(): HTMLElement {
    const notes = make('div', 'notes');
    for (const { text, hint } of this.scene.notes) {
      const note = make('p', '', `${text} ${hint}`.replaceAll('`', ''));
      note.append(button('×', 'Close', () => note.remove()));
      notes.append(note);
    }
    this.misleading.hidden = true;
    notes.append(this.misleading);
    return notes;
  }

  /** Another thing that shows the time. */
  join(plot: Marked): void {
    this.plot = plot;
    plot.mark(this.clock.time);
  }

  seek(time: number): void {
    this.clock.seek(time);
    this.later();
  }

  private toggle(): void {
    if (this.clock.isRunning) this.clock.pause();
    else this.clock.play();
    this.last = Number.NaN;
    this.later();
  }

  /** Draws when the browser does, however much has changed. */
  private later(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    this.frame = 0;
    const { clock, stage } = this;
    if (clock.isRunning && !Number.isNaN(this.last)) clock.advance((now - this.last) / 1000);
    this.last = now;
    this.timeline.show();
    this.misleading.hidden = !clock.isMisleading;
    if (clock.time !== this.shown) {
      this.shown = clock.time;
      stage?.show(clock.time);
      this.plot?.mark(clock.time);
    }
    this.name(stage?.draw() ?? []);
    if (clock.isRunning) this.later();
  }

  private name(labels: readonly Label[]): void {
    while (this.labels.children.length > labels.length) this.labels.lastChild!.remove();
    while (this.labels.children.length < labels.length) this.labels.append(make('span'));
    const elements = [...this.labels.children] as HTMLElement[];
    for (const [i, { text, kind }] of labels.entries()) {
      if (elements[i]!.textContent !== text) elements[i]!.textContent = text;
      elements[i]!.className = kind;
    }
    const named = labels.map(({ name, kind, x, y }, i) => {
      const { offsetWidth: width, offsetHeight: height } = elements[i]!;
      return { key: `${kind} ${name}`, x, y, width, height };
    });
    for (const [i, place] of this.places.arranged(named).entries()) {
      const { style } = elements[i]!;
      style.visibility = place ? 'visible' : 'hidden';
      if (place) style.transform = `translate(${place.left}px, ${place.top}px)`;
    }
  }

  private menus(stage: Stage): HTMLElement {
    const { nodes, arrows } = this.scene;
    const named = (text: string, key: string, isShown: boolean, change: (isShown: boolean) => void) => {
      const label = checkbox(
        text,
        isShown,
        (isChecked) => {
          change(isChecked);
          this.later();
        },
        key,
      );
      this.boxes.set(key, label.querySelector('input')!);
      return label;
    };
    const follow = make('label', 'wide');
    const chosen = (this.scene.follow?.node ?? -1) + 1;
    const names = ['nothing', ...nodes.map(({ name }) => name)];
    follow.append(
      make('span', '', 'Follow'),
      choice('Follow an object', names, chosen, (index) => {
        stage.follow(index === 0 ? undefined : index - 1);
        this.later();
      }),
    );
    const reset = () => {
      stage.reset();
      this.later();
    };
    const view = menu('View', [
      named('Frames', 'f', stage.showsFrames, (isShown) => (stage.showsFrames = isShown)),
      ...(arrows.length > 0
        ? [named('Forces and torques', 'a', stage.showsArrows, (isShown) => (stage.showsArrows = isShown))]
        : []),
      named('Names', 'n', false, (isShown) => (stage.showsNames = isShown)),
      named('Ground', 'g', stage.showsGround, (isShown) => (stage.showsGround = isShown)),
      follow,
    ]);
    const bar = make('div', 'menus');
    bar.append(button('Reset view', 'Reset view (0)', reset), menu('Objects', this.objects(stage)), view);
    return bar;
  }

  private objects(stage: Stage): HTMLElement[] {
    const { nodes } = this.scene;
    const labels = nodes.map(({ name }, i) =>
      checkbox(name, true, (isChecked) => {
        stage.want(i, isChecked);
        this.later();
      }),
    );
    if (nodes.length <= FEW) return labels;
    const search = make('input');
    search.type = 'search';
    search.placeholder = 'Search';
    search.setAttribute('aria-label', 'Search objects');
    search.addEventListener('input', () => {
      const text = search.value.toLowerCase();
      for (const [i, label] of labels.entries()) label.hidden = !nodes[i]!.name.toLowerCase().includes(text);
    });
    return [search, ...labels];
  }

  /** Sizes, and light or dark. */
  private watch(stage: Stage, place: HTMLElement): void {
    // At once: a canvas of another size is empty.
    new ResizeObserver(() => {
      stage.resize();
      this.name(stage.draw());
    }).observe(place);
    const preference = matchMedia('(prefers-color-scheme: dark)');
    const adapt = () => {
      stage.dark(preference.matches);
      this.later();
    };
    preference.addEventListener('change', adapt);
    adapt();
  }

  private key(event: KeyboardEvent, stage: Stage): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    if (target.closest('select, input:not([type=range], [type=checkbox])')) return;
    if (event.key === ' ' && target.closest('button, summary, input[type=checkbox]')) return;
    if (!(event.shiftKey ? this.turn(event.key, stage) : this.press(event.key, stage))) return;
    event.preventDefault();
  }

  /** False for keys that mean nothing. */
  private press(key: string, stage: Stage): boolean {
    const { clock } = this;
    const step = { ArrowLeft: -0.01, ArrowRight: 0.01, PageUp: 0.1, PageDown: -0.1 }[key];
    const box = this.boxes.get(key.toLowerCase());
    if (step !== undefined) this.seek(clock.time + step * clock.duration);
    else if (key === ' ') this.toggle();
    else if (key === 'Home') this.seek(clock.start);
    else if (key === 'End') this.seek(clock.end);
    else if (key === '+' || key === '=') stage.orbit(0, 0, CLOSER);
    else if (key === '-') stage.orbit(0, 0, 1 / CLOSER);
    else if (key === '0') {
      stage.reset();
      this.later();
    } else if (box) box.click();
    else return false;
    return true;
  }

  private turn(key: string, stage: Stage): boolean {
    if (key === '+') stage.orbit(0, 0, CLOSER);
    else if (key === 'ArrowLeft' || key === 'ArrowRight')
      stage.orbit(key === 'ArrowLeft' ? ORBIT : -ORBIT, 0, 1);
    else if (key === 'ArrowUp' || key === 'ArrowDown') stage.orbit(0, key === 'ArrowUp' ? ORBIT : -ORBIT, 1);
    else return false;
    return true;
  }
}

const NO_WEBGL =
  'This picture is drawn with WebGL 2, which this browser does not offer. Another browser, or hardware acceleration in its settings, will show it.';

const MISLEADING =
  'Something turns faster than a screen can show: it may seem to turn slowly, or backwards. Choose a lower speed.';
