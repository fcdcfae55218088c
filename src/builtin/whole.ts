/**
 * Components that are code together: all bodies and joints of a model are one mechanism. Each instance of a class with
 * `annotation(__Mutabor(builtIn = "name of a part"))` is a part; the whole is one built-in component, made of all parts of a model.
 * Names of inputs, outputs and parameters in it are those of the parts behind their paths, `arm.joint.phi`.
 */
import type { Span } from '../diagnostic/source.ts';
import type { BuiltIn, VariableOptions } from './component.ts';

/** The class of a part. */
export interface BuiltInPart {
  readonly name: string;
  /** Variables of the class that the whole reads. */
  readonly inputs?: readonly string[];
  /** Variables of the class that the whole determines. */
  readonly outputs?: readonly string[];
  /** What the whole stores of a part besides its variables: equations cannot read it. */
  readonly results?: Readonly<Record<string, VariableOptions>>;
  /** How equations get at a result of the part of this name, as a sentence. */
  reading?(part: string, result: string): string;
  /** What it is a part of. */
  readonly whole: Whole;
}

export interface Whole {
  readonly name: string;
  /** The component that the parts of a model are, in the order of their declaration. */
  join(parts: readonly Part[]): Joined;
}

/** An instance of the class of a part. */
export interface Part {
  /** Dotted name in the model. */
  readonly path: string;
  readonly kind: BuiltInPart;
  /** Where it is declared. */
  readonly origin: { readonly span: Span | undefined };
  /** The value of a parameter, a text or a Boolean, as far as it is known before the run. */
  known(name: string): string | boolean | undefined;
  /** The path of the component in whose text the value of a parameter is written, where parameters hand it on from there. */
  handedFrom(name: string): string | undefined;
}

export interface Joined {
  readonly builtIn: BuiltIn;
  /** Outputs besides the variables of the parts, for the equations below. */
  readonly variables: readonly OwnVariable[];
  /** What holds between variables of parts and own ones. */
  readonly equations: readonly JoinedEquation[];
}

/** A sum that is zero. */
export interface JoinedEquation {
  /** The part that it belongs to, for messages. */
  readonly part: Part;
  readonly terms: readonly Term[];
}

export interface OwnVariable {
  readonly name: string;
  /** Sizes; empty for a scalar. */
  readonly dims: readonly number[];
}

/** A product of variables, or of their derivatives, times `sign`. */
export interface Term {
  readonly sign: 1 | -1;
  readonly factors: readonly Factor[];
}

export interface Factor {
  readonly name: string;
  /** Subscripts, from 1. */
  readonly index?: readonly number[];
  readonly derivative?: boolean;
}

export const isPart = (code: BuiltIn | BuiltInPart): code is BuiltInPart => 'whole' in code;
