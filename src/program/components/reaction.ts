/** What a component asks for at an event. */
import type { ComponentEvent } from '../../builtin/component.ts';
import { type Diagnostic, diagnostic } from '../../diagnostic/diagnostic.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import { withPath } from '../../names/names.ts';

export class Reaction {
  restart = false;
  terminated: string | undefined;
  /** Whether states have new values. */
  changed = false;
  /** Whether it gets on, so that this is not one of many rounds that come to no end. */
  advanced = false;
  readonly impulses: {
    readonly name: string;
    readonly weight: number;
    readonly unit: string | undefined;
  }[] = [];
  readonly remarks: Diagnostic[] = [];

  /**
   * What the component gets to ask with.
   * @param told messages that were given to the user
   */
  asking({ path, origin }: FlatComponent, told: Set<string>): Asking {
    return {
      changed: () => {
        this.changed = true;
      },
      advanced: () => {
        this.changed = this.advanced = true;
      },
      restart: () => {
        this.restart = true;
      },
      terminate: (message) => {
        this.terminated = String(message);
      },
      impulse: (name, weight, unit) => {
        this.impulses.push({ name: withPath(path, name), weight, unit });
      },
      tell: (severity, message, options = {}) => {
        if (told.has(message)) return;
        told.add(message);
        this.remarks.push(diagnostic(severity, 'component', message, { span: origin.span, ...options }));
      },
    };
  }
}

type Asking = Pick<ComponentEvent, 'changed' | 'advanced' | 'restart' | 'terminate' | 'impulse' | 'tell'>;
