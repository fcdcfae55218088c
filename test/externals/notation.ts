/** External functions of the Modelica Standard Library, called as an external clause calls them. */
import { standardExternals } from '../../src/externals/index.ts';

export interface World {
  /** Texts or bytes by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export interface Functions {
  /** The result of a function. */
  call(name: string, ...args: unknown[]): unknown;
  /** A number. */
  number(name: string, ...args: unknown[]): number;
  /** What was printed. */
  readonly printed: string[];
}

/** Functions in one run. */
export function functions({ files = {} }: World = {}): Functions {
  const printed: string[] = [];
  const all = standardExternals({
    read: (name) => {
      const content = files[name];
      if (content === undefined) throw new Error(`there is no “${name}”`);
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
    list: (name) => {
      const inside = Object.keys(files).filter((path) => path.startsWith(`${name}/`));
      return inside.length === 0
        ? undefined
        : inside.map((path) => ({ name: path.slice(name.length + 1), folder: false }));
    },
    fullName: (name) => (name.startsWith('/') ? name : `/folder/${name}`),
    print: (line) => printed.push(line),
  });
  const run = { kept: new Map() };
  const call = (name: string, ...args: unknown[]): unknown => {
    const implementation = all[name] as ((...args: unknown[]) => unknown) | undefined;
    if (!implementation) throw new Error(`no ${name}`);
    return implementation.apply(run, args);
  };
  return { call, number: (name, ...args) => call(name, ...args) as number, printed };
}

export const vector = (...values: number[]): Float64Array => Float64Array.from(values);

/** Rows as one array. */
export const matrix = (rows: readonly (readonly number[])[]): [Float64Array, number, number] => [
  Float64Array.from(rows.flat()),
  rows.length,
  rows[0]?.length ?? 0,
];

export const smoothness = {
  linear: 1,
  akima: 2,
  constant: 3,
  fritschButland: 4,
  steffen: 5,
  modifiedAkima: 6,
} as const;

export const extrapolation = { hold: 1, lastTwoPoints: 2, periodic: 3, none: 4 } as const;
export const timeEvents = { always: 1, atDiscontinuities: 2, never: 3 } as const;
