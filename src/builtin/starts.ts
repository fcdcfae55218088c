/**
 * Initial values of hidden states that are given from outside (`--set rocket.h.start=5`), in place of those that the code declares where a run
 * begins, or where a state machine enters the component anew.
 */
import { Failure } from '../diagnostic/failure.ts';
import { suggestion } from '../diagnostic/nearest.ts';
import type { Span } from '../diagnostic/source.ts';
import type { BuiltIn, Segment, StateOptions } from './component.ts';

/** Values of a state: one for all elements, or all of them; and values of single elements by their subscripts (from 1). */
export interface HiddenStart {
  readonly whole: number | readonly number[] | undefined;
  readonly elements: readonly { readonly index: readonly number[]; readonly value: number }[];
  /** Where they are given. */
  readonly span: Span;
}

/** A built-in component with other initial values, by the names of states; `path` is that of the instance. */
export function withStarts(
  builtIn: BuiltIn,
  path: string,
  starts?: ReadonlyMap<string, HiddenStart>,
): BuiltIn {
  if (!starts || starts.size === 0) return builtIn;
  const begin = (memory: unknown, segment: Segment): void => {
    if (!segment.first) {
      builtIn.begin(memory, segment);
      return;
    }
    const names: string[] = [];
    builtIn.begin(memory, {
      time: segment.time,
      first: true,
      previous: (name) => segment.previous(name),
      state: (name, options) => {
        names.push(name);
        const given = starts.get(name);
        if (!given) return segment.state(name, options);
        return segment.state(name, { ...options, start: started(`${path}.${name}`, options, given) });
      },
      variable: (name, options) => segment.variable(name, options),
      variables: (list) => segment.variables(list),
      constant: (name, options) => segment.constant(name, options),
      indicators: (count) => segment.indicators(count),
      nextEvent: (time) => segment.nextEvent(time),
    });
    for (const [name, { span }] of starts) if (!names.includes(name)) throw noState(name, path, names, span);
  };
  return Object.create(builtIn, { begin: { value: begin } }) as BuiltIn;
}

function noState(name: string, path: string, names: readonly string[], span: Span): Failure {
  const hint = suggestion(name, names) ?? `Its states are ${names.join(', ') || 'none'}.`;
  const owner = path === '' ? 'The model' : `The built-in component \`${path}\``;
  const message = `${owner} has no state \`${name}\`.`;
  return Failure.of('initialise', 'unknown-modifier', message, { span, hint });
}

/** The initial values of a state, in the form in which components give them. */
function started(
  name: string,
  { start, size }: StateOptions,
  { whole, elements, span }: HiddenStart,
): number | readonly number[] {
  const own = typeof start === 'number' ? [] : [start.length];
  const dims = size === undefined ? own : typeof size === 'number' ? [size] : size;
  const count = dims.reduce((n, dim) => n * dim, 1);
  const wrong = (found: string): Failure => {
    const is = dims.length === 0 ? 'is a scalar' : `has sizes [${dims.join(', ')}]`;
    const message = `The hidden state \`${name}\` ${is}, but an initial value is given for ${found}.`;
    return Failure.of('initialise', 'dimension-mismatch', message, { span });
  };
  if (typeof whole === 'object' && (dims.length === 0 || whole.length !== count))
    throw wrong(`${whole.length} elements`);
  if (dims.length === 0 && elements.length === 0) return (whole as number | undefined) ?? (start as number);
  const values = Array.from({ length: count }, (_, k) => {
    if (whole !== undefined) return typeof whole === 'number' ? whole : whole[k]!;
    return typeof start === 'number' ? start : start[k]!;
  });
  for (const { index, value } of elements) {
    if (index.length !== dims.length || index.some((n, d) => n < 1 || n > dims[d]!))
      throw wrong(`its element [${index.join(', ')}]`);
    values[index.reduce((at, n, d) => at * dims[d]! + n - 1, 0)] = value;
  }
  return values;
}
