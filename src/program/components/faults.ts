/** Numbers that the functions of a component write: their names, and what is said of one that is no number. */
import type { Point } from '../../builtin/component.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Component } from '../../modes/guarded.ts';
import { bracketed, subscriptsOf, withPath } from '../../names/names.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { declaredName, type Layout } from './declaration.ts';
import { Blanks } from './watch.ts';

/** Functions that write numbers, and where. */
export type Writing = keyof typeof written;
export const written = {
  stateOutputs: 'y',
  directOutput: 'y',
  derivatives: 'dx',
  variables: 'w',
  indicators: 'z',
} as const;

/** What functions have to write. */
export type AllBlanks = Readonly<Record<(typeof written)[Writing], Blanks>>;

export const blanksOf = ({ y, dx, w, z }: Point, known: AllBlanks | undefined): AllBlanks => ({
  y: Blanks.of(y, known?.y),
  dx: Blanks.of(dx, known?.dx),
  w: Blanks.of(w, known?.w),
  z: Blanks.of(z, known?.z),
});

/** A function that gave something that is no number: which element of what it writes, and whether it left that out. */
export interface NotFinite {
  readonly fn: Writing;
  readonly i: number;
  readonly blank: boolean;
}

/** Element i of what a function writes. */
export function nameIn(component: Component, { states, variables }: Layout, fn: Writing, i: number): string {
  switch (fn) {
    case 'stateOutputs':
    case 'directOutput':
      return `the output ${outputName(component, i)}`;
    case 'derivatives':
      return `the derivative of ${declaredName(states, i)}`;
    case 'variables':
      return declaredName(variables, i);
    case 'indicators':
      return `indicator ${i}`;
  }
}

function outputName({ flat, outputs }: Component, i: number): string {
  const k = outputs.findIndex(({ start, length }) => i >= start && i < start + length);
  const { name, dims } = flat.outputs[k]!;
  return name + bracketed(subscriptsOf(dims, i - outputs[k]!.start));
}

export const unwritten = (what: string): string =>
  `it gives ${what}, which is not a finite number: it was none before the call, and the call does not write it`;

/** What is said of a number that is none, of loops that equations of the model became. */
export function badEquation(
  { flat }: Component,
  { states }: Layout,
  { fn, i }: NotFinite,
  what: string,
  time: number,
): Diagnostic {
  const state = fn === 'derivatives' ? states.find((own) => i < own.start + own.length) : undefined;
  const span = flat.arrays?.variables.find(({ name }) => name === state?.name)?.origin.span;
  return badEvaluation(`The equations give no finite number for ${what} at time ${time}.`, span);
}

/** The model itself gave something that is no number, if it did. */
export function badInput({ flat }: Component, u: Float64Array, time: number): Diagnostic | undefined {
  const i = u.findIndex((value) => !Number.isFinite(value));
  if (i < 0) return undefined;
  let at = 0;
  const port = flat.inputs.find(({ dims }) => {
    at += sizeOf(dims);
    return i < at;
  })!;
  const name = port.name + bracketed(subscriptsOf(port.dims, i - at + sizeOf(port.dims)));
  const part = flat.whole?.parts.find(({ path }) => name.startsWith(`${path}.`)) ?? flat;
  return badEvaluation(`\`${withPath(flat.path, name)}\` is ${u[i]} at time ${time}.`, part.origin.span);
}

const badEvaluation = (message: string, span: Diagnostic['span']): Diagnostic =>
  error('bad-evaluation', message, {
    span,
    hint: 'Something divides by zero or leaves its domain there, or the solution grows without bound.',
  });
