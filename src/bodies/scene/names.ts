/** Names by which parts speak of each other, looked for beside the part first, then in what is around it; and mistakes in parts. */
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

/** Mistakes in a part with the place where it is declared; what is found without knowing the part is told as one `of` it. */
export function located<Result>(part: Part, work: () => Result, of = ''): Result {
  try {
    return work();
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    throw new Failure(
      problem.stage,
      problem.diagnostics.map((own) => ({
        ...own,
        message: of + own.message,
        span: own.span ?? part.origin.span,
      })),
    );
  }
}

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
    const from = part.handedFrom(parameter);
    const meant = from === undefined ? undefined : this.lookIn(scopesAt(bare(from)), name);
    if (meant !== undefined && meant !== found) throw this.ambiguous(part, parameter, name, [found, meant]);
    return found;
  }

  /** Names are looked for beside the part, then in what is around it; one that begins with a dot, in the model itself. */
  lookUp(part: Part, name: string): number | undefined {
    return this.lookIn(scopesOf(bare(part.path)), name);
  }

  private lookIn(scopes: readonly string[], name: string): number | undefined {
    if (name.startsWith('.')) return this.known.get(bare(name.slice(1)));
    for (const scope of scopes) {
      const found = this.known.get(bare(scope === '' ? name : `${scope}.${name}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private ambiguous(part: Part, parameter: string, name: string, both: readonly number[]): Failure {
    const [near, far] = both.map((index) => [...this.known].find(([, known]) => known === index)![0]);
    const message = `\`${withPath(part.path, parameter)}\` is "${name}", which may be \`${near}\`, where it is used, or \`${far}\`, where it is written.`;
    return partFailure(part, 'bad-body', message, {
      hint: `Write ".${far}" or ".${near}": names that begin with a dot are looked for in the model itself.`,
    });
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

/** A path and those around it. */
const scopesAt = (path: string): string[] => (path === '' ? [''] : [path, ...scopesOf(path)]);
