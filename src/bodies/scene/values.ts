/** Values of parameters of parts. */
import type { Instance } from '../../builtin/component.ts';
import type { Part } from '../../builtin/whole.ts';
import { withPath } from '../../names/names.ts';
import { norm, scaled, type Vector } from '../space.ts';
import { type Names, partFailure } from './names.ts';

export class Values {
  constructor(
    private readonly instance: Instance,
    private readonly objects: Names,
  ) {}

  number(part: Part, name: string): number {
    return this.finite(part, name, this.instance.number(withPath(part.path, name)));
  }

  vector(part: Part, name: string): Vector {
    const [x, y, z] = this.instance.numbers(withPath(part.path, name));
    for (const value of [x!, y!, z!]) this.finite(part, name, value);
    return [x!, y!, z!];
  }

  finite(part: Part, name: string, value: number): number {
    if (Number.isFinite(value)) return value;
    throw partFailure(part, 'bad-body', `\`${part.path}.${name}\` is ${value}.`);
  }

  positive(part: Part, name: string): number {
    const value = this.number(part, name);
    if (value > 0) return value;
    throw partFailure(
      part,
      'bad-body',
      `\`${withPath(part.path, name)}\` is ${value}, but must be positive.`,
    );
  }

  text(part: Part, name: string): string {
    return this.instance.parameter(withPath(part.path, name)) as string;
  }

  truth(part: Part, name: string): boolean {
    return this.instance.parameter(withPath(part.path, name)) === true;
  }

  /** A direction, of unit length. */
  direction(part: Part, name: string): Vector {
    const given = this.vector(part, name);
    const length = norm(given);
    if (length > 0) return scaled(1 / length, given);
    throw partFailure(part, 'bad-body', `\`${part.path}.${name}\` is zero, and no direction.`);
  }

  /** The object that a parameter names; where it names none, `otherwise`. */
  named(part: Part, parameter: string, otherwise?: number): number {
    const name = this.text(part, parameter);
    if (name === '' && otherwise !== undefined) return otherwise;
    return this.objects.find(part, parameter, name);
  }

  /** A number from 0 to 1. */
  share(part: Part, name: string): number {
    const value = this.number(part, name);
    if (value >= 0 && value <= 1) return value;
    throw partFailure(
      part,
      'bad-body',
      `\`${withPath(part.path, name)}\` is ${value}, but must be between 0 and 1.`,
    );
  }

  /** A number that is not negative. */
  amount(part: Part, name: string): number {
    const value = this.number(part, name);
    if (value >= 0) return value;
    throw partFailure(
      part,
      'bad-body',
      `\`${withPath(part.path, name)}\` is ${value}, but must not be negative.`,
    );
  }
}
