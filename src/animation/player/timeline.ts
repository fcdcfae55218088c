/** The bar below the picture: play and pause, the time, the speed, and whether it loops. */
import { button, make } from '../../results/plot/elements.ts';
import { type Clock, speedsFor } from './clock.ts';
import { choice } from './elements.ts';

export class Timeline {
  readonly element = make('div', 'timeline');
  private readonly play: HTMLButtonElement;
  private readonly slider = make('input');
  private readonly readout = make('output');
  private isRunning: boolean | undefined;

  constructor(
    private readonly clock: Clock,
    actions: { readonly toggle: () => void; readonly seek: (time: number) => void },
  ) {
    const { slider } = this;
    this.play = button('', 'Play', actions.toggle);
    this.play.classList.add('play');
    slider.type = 'range';
    slider.step = 'any';
    slider.min = String(clock.start);
    slider.max = String(clock.end);
    slider.setAttribute('aria-label', 'Time');
    slider.addEventListener('input', () => actions.seek(Number(slider.value)));
    const speeds = speedsFor(clock.duration, clock.fastest);
    const speed = choice(
      'Speed',
      speeds.map((one) => `${one}×`),
      speeds.indexOf(clock.speed),
      (i) => (clock.speed = speeds[i]!),
    );
    const loop = button('⟲', 'Repeat', () => {
      clock.loops = !clock.loops;
      loop.setAttribute('aria-pressed', String(clock.loops));
    });
    loop.setAttribute('aria-pressed', 'false');
    this.readout.setAttribute('aria-live', 'off');
    this.element.append(this.play, slider, this.readout, speed, loop);
    this.element.hidden = clock.duration === 0;
    this.show();
  }

  /** As the clock is. */
  show(): void {
    const { clock, play, slider } = this;
    slider.value = String(clock.time);
    this.readout.textContent = timeText(clock);
    slider.setAttribute('aria-valuetext', timeText(clock));
    if (this.isRunning === clock.isRunning) return;
    this.isRunning = clock.isRunning;
    const label = clock.isRunning ? 'Pause' : 'Play';
    play.setAttribute('aria-label', label);
    play.title = `${label} (space)`;
    play.replaceChildren(icon(clock.isRunning ? 'M2 1h4v14h-4zM10 1h4v14h-4z' : 'M3 1l12 7l-12 7z'));
  }
}

/** To a thousandth of the whole. */
function timeText({ time, duration }: Clock): string {
  const digits = Math.max(0, Math.min(15, 3 - Math.floor(Math.log10(duration || 1))));
  return `${time.toFixed(digits)} s`;
}

function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({
    viewBox: '0 0 16 16',
    width: '16',
    height: '16',
    'aria-hidden': 'true',
  }))
    svg.setAttribute(name, value);
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}
