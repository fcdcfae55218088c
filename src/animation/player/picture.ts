/**
 * The moving picture of a scene with what belongs to it: names and arrows over it, notes, menus for what is shown, and keys. It is drawn when it is told to, and says when something has changed that asks
 * for it; what time it shows is the matter of others (`player.ts`, and the studio).
 *
 * Keys: with Shift the arrows turn the camera; + and − zoom, 0 resets the view; f, a, n and g show frames, arrows, names and the ground.
 */
import { button, make } from '../../results/plot/elements.ts';
import type { Scene } from '../scene.ts';
import { checkbox, choice, menu } from './elements.ts';
import { Labels } from './labels.ts';
import { type Label, Stage } from './stage.ts';

/** Radians by a key, and a factor. */
const ORBIT = Math.PI / 24;
const CLOSER = 1.15;
/** Objects in a list that nobody searches. */
const FEW = 12;

export class Picture {
  readonly element = make('section', 'stage');
  private readonly stage: Stage | undefined;
  private readonly labels = make('div', 'labels');
  private readonly places = new Labels();
  private readonly misleading = make('p', '', MISLEADING);
  private readonly boxes = new Map<string, HTMLInputElement>();
  private around: readonly HTMLElement[] = [];

  /** `changed` is called where the picture should be drawn again. The element has to be in the page before. */
  constructor(
    root: Node,
    private scene: Scene,
    time: number,
    private readonly changed: () => void,
  ) {
    this.element.setAttribute('aria-label', 'Picture');
    root.appendChild(this.element);
    this.stage = this.staged();
    this.stage?.show(time);
    const { follow } = scene;
    if (follow) this.stage?.follow(follow.node, follow.isNear);
    this.element.append(this.labels);
    this.surround();
    // At once: a canvas of another size is empty.
    if (this.stage)
      new ResizeObserver(() => {
        this.stage!.resize();
        this.draw();
      }).observe(this.element);
  }

  /** Whether the browser can draw it. */
  get isThere(): boolean {
    return this.stage !== undefined;
  }

  /** Another scene in the place of this one. */
  change(scene: Scene, time: number): void {
    this.scene = scene;
    this.stage?.change(scene);
    this.stage?.show(time);
    this.surround();
  }

  show(time: number): void {
    this.stage?.show(time);
  }

  draw(): void {
    this.name(this.stage?.draw() ?? []);
  }

  dark(isDark: boolean): void {
    this.stage?.dark(isDark);
    this.changed();
  }

  /** Says that what is seen is not what happens. */
  mislead(isMisleading: boolean): void {
    this.misleading.hidden = !isMisleading;
  }

  /** The picture; a sentence where the browser cannot draw it. */
  private staged(): Stage | undefined {
    const canvas = make('canvas');
    const context = canvas.getContext('webgl2', { alpha: true, antialias: true, stencil: false });
    if (!context) {
      const sentence = make('p', 'missing', NO_WEBGL);
      sentence.setAttribute('role', 'alert');
      this.element.append(sentence);
      return undefined;
    }
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    const count = this.scene.nodes.length;
    canvas.setAttribute(
      'aria-label',
      `Moving picture of ${count} object${count === 1 ? '' : 's'}; Shift and arrows turn it`,
    );
    this.element.append(canvas);
    return new Stage(canvas, context, this.scene, () => this.changed());
  }

  /** Title, notes and menus, which are those of a scene. */
  private surround(): void {
    for (const element of this.around) element.remove();
    const open = new Set(this.around.flatMap((one) => [...one.querySelectorAll('details')]).map(isOpen));
    this.around = [
      make('h1', '', this.scene.title),
      this.notes(),
      ...(this.stage ? [this.menus(this.stage)] : []),
    ];
    this.element.append(...this.around);
    for (const details of this.element.querySelectorAll('details'))
      details.open = open.has(details.querySelector('summary')!.textContent!);
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
          this.changed();
        },
        key,
      );
      this.boxes.set(key, label.querySelector('input')!);
      return label;
    };
    const follow = make('label', 'wide');
    const chosen = (stage.followedNode ?? -1) + 1;
    const names = ['nothing', ...nodes.map(({ name }) => name)];
    follow.append(
      make('span', '', 'Follow'),
      choice('Follow an object', names, chosen, (index) => {
        stage.follow(index === 0 ? undefined : index - 1);
        this.changed();
      }),
    );
    const reset = () => {
      stage.reset();
      this.changed();
    };
    const view = menu('View', [
      named('Frames', 'f', stage.showsFrames, (isShown) => (stage.showsFrames = isShown)),
      ...(arrows.length > 0
        ? [named('Forces and torques', 'a', stage.showsArrows, (isShown) => (stage.showsArrows = isShown))]
        : []),
      named('Names', 'n', stage.showsNames, (isShown) => (stage.showsNames = isShown)),
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
        this.changed();
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

  /** False for keys that mean nothing to the picture. */
  key(event: KeyboardEvent): boolean {
    const { stage } = this;
    if (!stage) return false;
    return event.shiftKey ? this.turn(event.key, stage) : this.press(event.key, stage);
  }

  private press(key: string, stage: Stage): boolean {
    const box = this.boxes.get(key.toLowerCase());
    if (key === '+' || key === '=') stage.orbit(0, 0, CLOSER);
    else if (key === '-') stage.orbit(0, 0, 1 / CLOSER);
    else if (key === '0') {
      stage.reset();
      this.changed();
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

/** The word on a menu that is open. */
const isOpen = (details: HTMLDetailsElement): string | undefined =>
  details.open ? details.querySelector('summary')!.textContent! : undefined;

/** Whether a key is one of what has the focus. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.composedPath()[0] as Element;
  if (target.closest('select, input:not([type=range], [type=checkbox])')) return true;
  return event.key === ' ' && target.closest('button, summary, input[type=checkbox]') !== null;
}

const NO_WEBGL =
  'This picture is drawn with WebGL 2, which this browser does not offer. Another browser, or hardware acceleration in its settings, will show it.';

const MISLEADING =
  'Something turns faster than a screen can show: it may seem to turn slowly, or backwards. Choose a lower speed.';
