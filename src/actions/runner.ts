/**
 * Carries out a program while a model runs. A program is a generator; what it yields is done at the instant at which it is yielded, one command after the other,
 * until one of them takes time. Between instants there is nothing but a motion of the axes, and what places hold.
 *
 * A generator cannot be copied. What can be is the list of what it was told: a run that goes on from a state tells it the same once more.
 */
import type { ComponentEvent, Instance, Point } from '../builtin/component.ts';
import type { DiagnosticOptions } from '../diagnostic/diagnostic.ts';
import type { Failure } from '../diagnostic/failure.ts';
import { suggestion } from '../diagnostic/nearest.ts';
import { badOptions, shown } from '../diagnostic/options.ts';
import { counted, listed } from '../diagnostic/words.ts';
import { type Command, commandText, limitKinds } from './commands.ts';
import { beginning, instantAt, type Now } from './now.ts';
import type { Plan } from './plan.ts';
import { actionFailure, type Ports, portsOf } from './ports.ts';
import { isSame, type Leg, nextBend, pieceAt, pointToPoint, resting } from './ptp.ts';
import { Script } from './script.ts';

/** So many commands at one instant are taken for an endless loop. */
const mostCommands = 10_000;
/** So often others may have to come to rest at one instant before the program can go on. */
const mostSettlings = 500;
/** Others are at rest when what is measured has stayed the same so often. */
const quietRounds = 2;

export class Runner {
  private readonly ports: Ports;
  private now: Now;
  private script: Script;
  /** The time that was asked for. */
  private asked = Number.POSITIVE_INFINITY;
  /** The present instant. */
  private instant = instantAt(Number.NaN);
  /** Places that took hold at the present instant. */
  private readonly fresh = new Set<number>();

  constructor(
    private readonly instance: Instance,
    private readonly plan: Plan,
  ) {
    this.ports = portsOf(instance, plan);
    this.now = beginning(this.plan, this.ports);
    this.script = this.scriptOf();
  }

  private scriptOf = (): Script => new Script(this.plan, (...told) => this.failure(...told));

  begin(first: boolean): void {
    if (!first) return;
    this.now = beginning(this.plan, this.ports);
    this.script = this.scriptOf();
    this.instant = instantAt(Number.NaN);
    this.asked = Number.POSITIVE_INFINITY;
    this.fresh.clear();
  }

  save(): { readonly now: Now; readonly asked: number } {
    return { now: this.now, asked: this.asked };
  }

  load({ now, asked }: ReturnType<Runner['save']>): void {
    this.begin(true);
    this.now = structuredClone(now);
    this.asked = asked;
    for (const { time, answer } of now.told) this.script.next(time, answer);
  }

  outputs({ y }: Point): void {
    const { since, base, rate, bend, holds, removed } = this.ports.outputs;
    const { piece, holds: held, removed: gone } = this.now;
    if (since !== undefined) {
      y[since] = piece.since;
      y.set(piece.base, base!);
      y.set(piece.rate, rate!);
      y.set(piece.bend, bend!);
    }
    if (holds !== undefined) y.set(held, holds);
    if (removed !== undefined) y.set(gone, removed);
  }

  // -------------------------------------------------------------- instants

  event(event: ComponentEvent): void {
    const { t, u } = event.point;
    const time = event.due ? Math.max(t, this.asked) : t;
    if (event.due) this.asked = Number.POSITIVE_INFINITY;
    const { now } = this;
    if (this.instant.time !== t) {
      // At the start bodies have yet to find their places.
      this.instant = instantAt(t);
      this.instant.isStruck = this.instant.isAltered = now.clock === undefined;
      this.fresh.clear();
    }
    now.clock ??= t;
    this.drive(time);
    this.arrive(time, event);
    while (now.waiting.kind === 'nothing') this.carryOut(this.next(), u, event);
    this.bend(time, event);
    this.ask(time, event);
  }

  /** Lets motions end. */
  private drive(time: number): void {
    const { now } = this;
    const left = now.legs.findIndex(({ end }) => end > time);
    now.legs = left < 0 ? [] : now.legs.slice(left);
  }

  /** Takes up the piece of the motion that begins. */
  private bend(time: number, event: ComponentEvent): void {
    const { now } = this;
    const [leg] = now.legs;
    const { piece } = now;
    now.piece = leg ? pieceAt(leg, time) : resting(now.position.slice());
    if (!isSame(piece, now.piece)) event.changed();
  }

  /** Goes on where what was waited for has come. */
  private arrive(time: number, event: ComponentEvent): void {
    const { now, instant } = this;
    const { waiting } = now;
    const { u } = event.point;
    switch (waiting.kind) {
      case 'time':
        if (time >= waiting.until) this.goOn(waiting.until, true);
        break;
      case 'condition':
        if (u[this.ports.conditions[waiting.condition]!] !== 0) this.goOn(time, true);
        else if (time >= waiting.until) this.goOn(waiting.until, false);
        break;
      case 'rest':
        instant.quiet = u.every((value, k) => value === event.before[k]) ? instant.quiet + 1 : 0;
        if (instant.quiet < quietRounds) event.changed();
        else {
          instant.isStruck = instant.isAltered = false;
          this.fresh.clear();
          event.advanced();
          this.carryOut(waiting.command, u, event);
        }
        break;
      case 'nothing':
      case 'end':
    }
  }

  private goOn(time: number, answer: boolean): void {
    this.now.clock = time;
    this.now.answer = answer;
    this.now.waiting = { kind: 'nothing' };
  }

  /** The next command; undefined at the end. */
  private next(): Command | undefined {
    const { now, instant } = this;
    const time = now.clock!;
    now.told.push({ time, answer: now.answer });
    const command = this.script.next(time, now.answer);
    if (command && ++instant.commands > mostCommands)
      throw this.refused(
        command,
        `it is command ${instant.commands} at this instant: the program never waits.`,
        endless,
      );
    return command;
  }

  private ask(time: number, { nextEvent }: ComponentEvent): void {
    const { waiting, legs } = this.now;
    const [leg] = legs;
    const bend = leg ? nextBend(leg, time) : Number.POSITIVE_INFINITY;
    const until = 'until' in waiting ? waiting.until : Number.POSITIVE_INFINITY;
    this.asked = Math.min(this.asked, bend, until);
    if (this.asked < Number.POSITIVE_INFINITY) nextEvent(this.asked);
  }

  // -------------------------------------------------------------- commands

  private carryOut(command: Command | undefined, u: Float64Array, event: ComponentEvent): void {
    const { now } = this;
    now.answer = true;
    if (!command) {
      now.waiting = { kind: 'end' };
      this.remind(event);
      return;
    }
    if (this.mustRest(command)) {
      if (++this.instant.settlings > mostSettlings)
        throw this.refused(command, 'places take hold and let go again and again at this instant.', endless);
      this.instant.quiet = 0;
      now.waiting = { kind: 'rest', command };
      event.changed();
      return;
    }
    now.waiting = { kind: 'nothing' };
    switch (command.kind) {
      case 'wait':
        this.wait(command);
        break;
      case 'until':
        this.waitUntil(command, u);
        break;
      case 'move':
        this.move(command, event);
        break;
      case 'attach':
      case 'handOver':
        this.attach(command, u);
        this.altered(event);
        break;
      case 'release':
        this.release(command);
        this.altered(event);
        break;
      case 'remove':
        this.remove(command);
        this.altered(event);
    }
  }

  private altered(event: ComponentEvent): void {
    this.instant.isAltered = true;
    event.changed();
  }

  /** At the end, of commands without `yield`. */
  private remind({ tell }: ComponentEvent): void {
    const { forgotten } = this.script;
    if (!forgotten) return;
    const text = commandText(forgotten);
    const { path, origin } = this.instance;
    tell(
      'warning',
      `\`${path}\`: The program makes the command \`${text}\`, but does not yield it: it is not carried out.`,
      {
        span: origin.span,
        hint: `Write \`yield ${text};\`.`,
      },
    );
  }

  /** Whether a command must see what others at the same instant have done. */
  private mustRest(command: Command): boolean {
    switch (command.kind) {
      case 'wait':
      case 'move':
        return false;
      case 'until':
        return this.instant.isAltered;
      case 'attach':
        return this.instant.isStruck;
      case 'handOver':
        return this.instant.isStruck || this.isFresh(command.part);
      case 'release':
      case 'remove':
        return this.isFresh(command.part);
    }
  }

  private isFresh(part: string): boolean {
    return this.pairsOf(part).some((pair) => this.fresh.has(pair));
  }

  private wait(command: Command & { kind: 'wait' }): void {
    const { duration } = command;
    if (!(Number.isFinite(duration) && duration >= 0))
      throw this.refused(command, `${shown(duration)} is no time that can be waited.`);
    const until = this.now.clock! + duration;
    if (until > this.now.clock!) this.now.waiting = { kind: 'time', until };
  }

  private waitUntil(command: Command & { kind: 'until' }, u: Float64Array): void {
    const { conditions } = this.plan;
    const condition = this.indexOf(command, command.condition, conditions, 'condition');
    if (typeof command.longest !== 'number' || !(command.longest >= 0))
      throw this.refused(command, `${shown(command.longest)} is no time that can be waited.`);
    const until = this.now.clock! + command.longest;
    if (u[this.ports.conditions[condition]!] !== 0) return;
    if (until > this.now.clock!) this.now.waiting = { kind: 'condition', condition, until };
    else this.now.answer = false;
  }

  private move(command: Command & { kind: 'move' }, { tell }: ComponentEvent): void {
    const { axes } = this.plan;
    const { now } = this;
    if (command.rows.length === 0)
      tell(
        'warning',
        `\`${this.instance.path}\`: ${this.spoken(command, 'it has no rows, so nothing moves.')}`,
        {
          span: this.instance.origin.span,
          hint: 'A row has one number for each axis: `move([0.1, 0.2])`.',
        },
      );
    const legs: Leg[] = [];
    for (const [k, row] of command.rows.entries()) {
      const which = command.rows.length > 1 ? `row ${k + 1}` : 'the row';
      if (!Array.isArray(row) || row.length !== axes)
        throw this.refused(
          command,
          `${which} has ${Array.isArray(row) ? counted(row.length, 'number') : 'no numbers'}, but the program has ${counted(axes, 'axis', 'axes')}.`,
          axes === 0
            ? 'Give the program `axes`.'
            : 'A row has one number for each axis: `move([0.1, 0.2], [0.3, 0.4])`.',
        );
      const wrong = row.findIndex((value) => !Number.isFinite(value));
      if (wrong >= 0) throw this.refused(command, `number ${wrong + 1} of ${which} is ${shown(row[wrong])}.`);
      const start = legs.at(-1)?.end ?? now.clock!;
      const leg = pointToPoint(start, now.position.slice(), Float64Array.from(row), this.ports.axes);
      now.position.set(leg.to);
      if (leg.end > leg.start) legs.push(leg);
    }
    now.legs = legs;
    const end = legs.at(-1)?.end;
    if (end !== undefined) now.waiting = { kind: 'time', until: end };
  }

  private attach(command: Command & { kind: 'attach' | 'handOver' }, u: Float64Array): void {
    const { holds } = this.now;
    const { part, place } = command;
    const pair = this.pairOf(command, part, place);
    this.requireThere(command, part);
    this.requirePlace(command, place);
    if (holds[pair] === 1) throw this.refused(command, `\`${place}\` holds \`${part}\` already.`);
    const { places, objects } = this.plan;
    const object = objects.places[pair % places.length]!;
    if (objects.parts[Math.floor(pair / places.length)] === object)
      throw this.refused(
        command,
        `part and place are the same object, \`${object}\`, which cannot hold itself.`,
      );
    this.checkGap(command, pair, u);
    if (command.kind === 'handOver') for (const other of this.pairsOf(part)) holds[other] = 0;
    holds[pair] = 1;
    this.fresh.add(pair);
  }

  /** Attaching needs that part and place are near each other and move alike. */
  private checkGap(command: Command & { kind: 'attach' | 'handOver' }, pair: number, u: Float64Array): void {
    const [wrong] = badOptions(command.limits, limitKinds, command.kind);
    if (wrong) throw this.refused(command, wrong.message, wrong.hint);
    const { attaching } = this.ports;
    const { impact = attaching.impact } = command.limits;
    const [reach, speed, turn] = (['reach', 'speed', 'turn'] as const).map((name) => {
      const limit = command.limits[name] ?? attaching[name];
      if (!(limit > 0)) throw this.refused(command, `\`${name}\` is ${limit}, but must be above zero.`);
      return limit;
    }) as [number, number, number];
    const at = this.ports.gaps[pair]!;
    const size = (start: number) => Math.hypot(u[start]!, u[start + 1]!, u[start + 2]!);
    const [distance, fast, spin] = [u[at.distance]!, size(at.v), size(at.w)];
    const [taken, by] = this.objectsOf(pair);
    if (!(distance <= reach))
      throw this.refused(
        command,
        `${taken} is out of reach of ${by}: they are ${measure(distance, 'm')} apart, and \`reach\` is ${measure(reach, 'm')}.`,
        'Move the place to the part first, or give a larger `reach`.',
      );
    if (fast <= speed && spin <= turn) return;
    if (!impact)
      throw this.refused(
        command,
        `${taken} moves against ${by} with ${measure(fast, 'm/s')} and ${measure(spin, 'rad/s')}, but \`speed\` is ${measure(speed, 'm/s')} and \`turn\` is ${measure(turn, 'rad/s')}.`,
        'Wait until both are at rest, give a higher `speed`, or say `impact: true`: then the part is caught with an impulse.',
      );
    this.instant.isStruck = true;
  }

  private release(command: Command & { kind: 'release' }): void {
    const { holds } = this.now;
    const { part, place } = command;
    const pairs = place === undefined ? this.pairsOf(part, command) : [this.pairOf(command, part, place)];
    const held = pairs.filter((pair) => holds[pair] === 1);
    if (held.length === 0)
      throw this.refused(
        command,
        `${place === undefined ? 'nothing holds' : `\`${place}\` does not hold`} \`${part}\`.`,
      );
    for (const pair of held) holds[pair] = 0;
  }

  private remove(command: Command & { kind: 'remove' }): void {
    const { part } = command;
    const { removed, holds } = this.now;
    for (const pair of this.pairsOf(part, command)) holds[pair] = 0;
    const at = this.plan.removable.indexOf(part);
    if (at < 0)
      throw this.refused(
        command,
        `it is not known which object \`${part}\` is.`,
        `Name the object that is free: \`parts: { ${part}: { lock: '…', body: '…' } }\`.`,
      );
    this.requireThere(command, part);
    removed[at] = 1;
    // What was on it is free.
    const { places, owners } = this.plan;
    for (let pair = 0; pair < holds.length; pair++) if (owners[pair % places.length] === at) holds[pair] = 0;
  }

  private requireThere(command: Command, part: string): void {
    if (this.now.removed[this.plan.removable.indexOf(part)] === 1)
      throw this.refused(command, `\`${part}\` was removed.`);
  }

  private requirePlace(command: Command, place: string): void {
    const { places, owners, removable } = this.plan;
    const owner = owners[places.indexOf(place)]!;
    if (owner >= 0 && this.now.removed[owner] === 1)
      throw this.refused(command, `\`${place}\` was removed with \`${removable[owner]}\`.`);
  }

  // -------------------------------------------------------------- names

  private pairOf(command: Command, part: string, place: string): number {
    const { parts, places } = this.plan;
    const of = this.indexOf(command, part, parts, 'part');
    return of * places.length + this.indexOf(command, place, places, 'place');
  }

  /** Those of a part with all places. */
  private pairsOf(part: string, command?: Command): number[] {
    const { parts, places } = this.plan;
    const of = command ? this.indexOf(command, part, parts, 'part') : parts.indexOf(part);
    return places.map((_, place) => of * places.length + place);
  }

  /** What a pair is called: in the program, and in the model where that is another name. */
  private objectsOf(pair: number): [part: string, place: string] {
    const { parts, places, objects } = this.plan;
    const named = (name: string, object: string) =>
      name === object ? `\`${name}\`` : `\`${name}\` (\`${object}\`)`;
    const [part, place] = [Math.floor(pair / places.length), pair % places.length];
    return [named(parts[part]!, objects.parts[part]!), named(places[place]!, objects.places[place]!)];
  }

  private indexOf(command: Command, name: string, names: readonly string[], what: string): number {
    const found = names.indexOf(name);
    if (found >= 0) return found;
    const hint =
      suggestion(String(name), names) ??
      (names.length > 0
        ? `There is: ${listed(
            names.map((one) => `'${one}'`),
            8,
          )}.`
        : `Give the program \`${what}s\`.`);
    throw this.refused(
      command,
      `there is no ${what} ${typeof name === 'string' ? `'${name}'` : shown(name)}.`,
      hint,
    );
  }

  private refused(command: Command, why: string, hint?: string): Failure {
    return this.failure(this.spoken(command, why), { hint });
  }

  /** What is to be said of a command. */
  private spoken(command: Command, what: string): string {
    const number = this.now.told.length;
    const time = Number(this.now.clock!.toPrecision(9));
    return `Command ${number}, \`${commandText(command)}\`, at time ${time}: ${what}`;
  }

  private failure(message: string, options?: DiagnosticOptions): Failure {
    return actionFailure(this.instance, message, options);
  }
}

const endless = 'Let it wait or move in every loop: `yield wait(0.1)`.';

const measure = (value: number, unit: string): string => `${Number(value.toPrecision(4))} ${unit}`;
