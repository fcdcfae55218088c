/** The mechanism of a run: what the component of `whole.ts` remembers. A segment has one setup of the scene; its hidden states are the coordinates and speeds of the links that are not driven. */

import type {
  Ahead,
  ComponentEvent,
  ComponentPattern,
  Explanation,
  Instance,
  Point,
  Segment,
  Trouble,
} from '../builtin/component.ts';
import type { Picture } from '../builtin/picture.ts';
import type { SavedContacts } from './contact/elastic/contacts.ts';
import type { SavedPairs } from './contact/rigid/pairs.ts';
import { BodyEvents } from './events.ts';
import { MovingBodies } from './moving.ts';
import { type Output, outputsOf } from './outputs.ts';
import { Patterns } from './pattern.ts';
import { pictureOf } from './picture.ts';
import { own, type Ports } from './ports.ts';
import type { Scene } from './scene/scene.ts';
import type { Setup } from './setup.ts';
import { StoredMotion } from './stored.ts';
import type { Structure } from './structure.ts';
import {
  attracted,
  beyondReach,
  boundless,
  drivenInto,
  endless,
  heldByContact,
  pressed,
  undecided,
} from './trouble.ts';

interface PlacedOutput extends Output {
  readonly at: number;
  /** Whether it follows from the motion of the bodies alone, without frames of objects. */
  readonly isOwn: boolean;
}

/** See `Bodies.save`. */
export interface SavedBodies {
  readonly structure: Structure;
  readonly from: Float64Array;
  readonly last: Float64Array;
  readonly momentum: Float64Array;
  readonly isFirst: boolean;
  readonly learned: ReturnType<Setup['save']>;
  readonly contacts: SavedContacts;
  readonly touches: SavedPairs;
}

export class Bodies {
  private readonly moving: MovingBodies;
  private readonly events: BodyEvents;
  private readonly stored: StoredMotion;
  private readonly outputs: readonly PlacedOutput[];
  /** Those on which no inputs act. */
  private readonly ofStates: readonly PlacedOutput[];
  private readonly patterns: Patterns;

  constructor(
    instance: Instance,
    private readonly scene: Scene,
    ports: Ports,
    outputs: readonly string[],
  ) {
    const moving = new MovingBodies(instance, scene, ports);
    const conditionAt = new Map(ports.conditions.map((name) => [name, instance.input(name).start]));
    this.moving = moving;
    this.events = new BodyEvents(moving, conditionAt);
    this.stored = new StoredMotion(scene);
    const { flanges, contacts, rigid } = moving;
    const all = outputsOf(
      scene,
      {
        matrix: (_, y, at) => flanges.writeMatrix(y, at),
        compliance: (_, y, at) => flanges.writeCompliance(y, at),
        bias: (_, y, at) => flanges.writeBias(y, at),
        momentum: (_, y, at) => y.set(flanges.momentum, at),
        rotors: (_, y, at) => y.set(flanges.rotors, at),
      },
      (sensor) => (scene.isRigid ? rigid : contacts).sense(sensor),
      ports,
    );
    this.outputs = outputs.map((name) => {
      const output = all.get(name)!;
      return { ...output, at: instance.output(name).start, isOwn: output.level in own };
    });
    const isDriven = flanges.count > 0;
    this.ofStates = this.outputs.filter(
      ({ level, isOwn }) =>
        level === 'momentum' ||
        level === 'rotors' ||
        !(isDriven || isOwn || (level === 'acceleration' && moving.loads.any)),
    );
    this.patterns = new Patterns(scene, instance, ports, outputs);
  }

  picture(): Picture {
    return pictureOf(this.scene);
  }

  // -------------------------------------------------------------- segments

  begin(segment: Segment): void {
    const { moving, events } = this;
    if (segment.first) {
      moving.forget();
      events.forget();
    }
    const { next } = events;
    // The structure before may have been looked at once more since the motion was taken.
    if (next) moving.last.set(next.coordinates);
    moving.setUp();
    const { setup } = moving;
    if (next) {
      setup.goOn(next);
      setup.place();
    } else {
      setup.start();
      events.changed = setup.close();
    }
    events.next = undefined;
    declareStates(segment, setup);
    moving.contacts.declare(segment);
    this.stored.setUp(setup);
    this.stored.declare(segment, moving.structure, setup);
    moving.rigid.declare(segment);
  }

  /** What values to come depend on between two instants. */
  save(): SavedBodies {
    const { structure, from, last, isFirst, flanges, setup, contacts, rigid } = this.moving;
    return {
      structure,
      from,
      last,
      momentum: flanges.momentum,
      isFirst,
      learned: setup.save(),
      contacts: contacts.save(),
      touches: rigid.save(),
    };
  }

  load({ structure, from, last, momentum, isFirst, learned, contacts, touches }: SavedBodies): void {
    const { moving } = this;
    moving.structure = structure;
    moving.last.set(from);
    moving.setUp();
    moving.setup.load(learned);
    this.stored.setUp(moving.setup);
    moving.last.set(last);
    moving.flanges.begin(momentum);
    moving.contacts.load(contacts);
    moving.rigid.load(touches);
    moving.isFirst = isFirst;
    this.events.goOn();
  }

  // -------------------------------------------------------------- evaluation

  stateOutputs({ x, u, y }: Point): void {
    const { moving } = this;
    moving.follow(x);
    if (moving.flanges.count === 0) moving.locate(u);
    // Accelerations are those of all outputs.
    let isAccelerated = false;
    for (const { level, at, write } of this.ofStates) {
      if (level === 'acceleration' && !isAccelerated) {
        moving.accelerate(u);
        isAccelerated = true;
      }
      write(moving.setup, y, at);
    }
  }

  directOutput({ u, y }: Point, output: number): void {
    const { moving } = this;
    const { level, at, write, isOwn } = this.outputs[output]!;
    moving.locateFor(u, isOwn);
    if (level === 'acceleration') moving.accelerate(u);
    if (level === 'bias') moving.applyLoads(u);
    write(moving.setup, y, at);
  }

  derivatives({ x, u, dx }: Point): void {
    const { moving } = this;
    moving.locate(u);
    moving.accelerate(u);
    moving.derivatives(x, dx);
  }

  variables({ u, w }: Point): void {
    const { moving } = this;
    moving.locate(u);
    moving.flanges.checkFollowed();
    this.stored.write(moving.setup, w);
    moving.setup.remember();
  }

  indicators(point: Point): void {
    const { moving } = this;
    const { contacts, rigid } = moving;
    const { z } = point;
    moving.arrive(point);
    contacts.indicators(z);
    if (!rigid.any) return;
    if (rigid.isTouching) moving.accelerate(point.u);
    rigid.indicators(z);
  }

  lookAhead(point: Point): Ahead | undefined {
    const { contacts, rigid } = this.moving;
    if (!contacts.any && !rigid.any) return undefined;
    this.moving.arrive(point);
    return contacts.any ? contacts.look(point.t) : rigid.lookAhead(point.t);
  }

  pattern(): ComponentPattern {
    const { flanges, setup, contacts } = this.moving;
    return flanges.count > 0 || this.scene.isRigid
      ? unknownPattern
      : this.patterns.of(setup, contacts.stateCount, contacts.coupled());
  }

  sides(out: Int8Array): void {
    this.moving.contacts.sides(out);
    this.moving.rigid.sides(out);
  }

  event(event: ComponentEvent): void {
    this.events.event(event);
  }

  // -------------------------------------------------------------- the end of a run

  end(): void {
    this.moving.setups.giveBack();
  }

  explain(trouble: Trouble): Explanation | undefined {
    const { setup, flanges, contacts, rigid, inputs } = this.moving;
    const { time } = trouble;
    switch (trouble.kind) {
      case 'not-finite':
        return attracted(setup, time) ?? boundless(setup, setup.a, inputs, time);
      case 'singular':
        return flanges.explainSingular(trouble.variables) ?? this.heldByContact(trouble.variables, time);
      case 'small-steps':
        return (
          attracted(setup, time) ??
          beyondReach(setup, flanges.ledBy(inputs), time) ??
          pressed(contacts.pressing(), time) ??
          undecided(rigid.closest(), time)
        );
      case 'endless':
        return (
          endless(this.scene, this.events.toggledAgain(), time) ??
          drivenInto(rigid.carried(), time) ??
          undecided(rigid.closest(), time)
        );
    }
  }

  private heldByContact(variables: ReadonlySet<string>, time: number): Explanation | undefined {
    const { rigid, flanges } = this.moving;
    const joint = rigid.any ? flanges.heldAmong(variables) : undefined;
    return joint && heldByContact(joint, rigid.closest(), time);
  }
}

function declareStates(segment: Segment, { hidden, q, v }: Setup): void {
  for (const { name, nominal, from, to } of hidden.coordinates)
    segment.state(name, { start: q.subarray(from, to), hidden: true, nominal });
  for (const { name, nominal, from, to } of hidden.speeds)
    segment.state(name, { start: v.subarray(from, to), hidden: true, nominal });
}

const unknownPattern: ComponentPattern = {};
