/** Names by which parts speak of each other: looked for beside the part first, then in what is around it. */

import type { Part } from '../../builtin/whole.ts';
import type { DiagnosticCode } from '../../diagnostic/codes.ts';
import type { DiagnosticOptions } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { withPath } from '../../names/names.ts';

/** A mistake in a part. */
export const partFailure = (
  part: Part,
  code: DiagnosticCode,
  message: string,
  options: DiagnosticOptions = {},
): Failure => Failure.of('initialise', code, message, { span: part.origin.span, ...options });

export class Names {
  private readonly known: ReadonlyMap<string, number>;

  /** `known` are indices by path; `what` is named: "object" or "joint". */
  constructor(
    known: ReadonlyMap<string, number>,
    private readonly what: string,
  ) {
    this.known = new Map([...known].map(([path, index]) => [bare(path), index]));
  }

  /** The index of what a parameter of a part names. */
  find(part: Part, parameter: string, name: string): number {
    const found = this.lookUp(part, name);
    if (found === undefined) throw this.unknown(part, parameter, name);
    return found;
  }

  lookUp(part: Part, name: string): number | undefined {
    for (const scope of scopesOf(bare(part.path))) {
      const found = this.known.get(bare(scope === '' ? name : `${scope}.${name}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private unknown(part: Part, parameter: string, name: string): Failure {
    const [around = ''] = scopesOf(bare(part.path));
    const seen = [...this.known.keys()].map((path) =>
      isInside(path, around) ? path.slice(around.length + 1) : path,
    );
    const near = nearest(name, seen);
    const member = withPath(part.path, parameter);
    const message =
      name === ''
        ? `\`${member}\` names no ${this.what}.`
        : `\`${member}\` is "${name}", but there is no such ${this.what}.`;
    return partFailure(part, 'unknown-name', message, {
      hint:
        near === undefined
          ? `There is: ${seen.slice(0, 12).join(', ') || 'none'}.`
          : `Did you mean "${near}"?`,
    });
  }
}

const isInside = (path: string, scope: string): boolean => scope !== '' && path.startsWith(`${scope}.`);

/** A path without quotes: `'arm.hand'` is `arm.hand`, as a model that was printed as one class has it. */
const bare = (path: string): string => path.replaceAll("'", '');

/** The paths around a part, the nearest one first; subscripts of arrays belong to their names. */
function scopesOf(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, k) => parts.slice(0, parts.length - 1 - k).join('.'));
}
