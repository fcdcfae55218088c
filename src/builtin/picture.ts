/** What can be seen of a model: shapes that follow signals of the results. */

/** What a component looks like. */
export interface Picture {
  /** The direction that is up. */
  readonly up: readonly [number, number, number];
  readonly camera?: {
    readonly position: readonly [number, number, number];
    readonly target: readonly [number, number, number];
  };
  /** Whether there is a ground: where all falls one way. */
  readonly ground: boolean;
  readonly shapes: readonly PicturedShape[];
  readonly links: readonly PicturedLink[];
  readonly arrows: readonly PicturedArrow[];
}

/**
 * A component that says by its variables what it looks like, as `ModelicaServices.Animation` has it: its signals are those with its name before theirs, `arm.shape.r[1]`.
 * The world says which way is up.
 */
export type PicturedVisual =
  | { readonly kind: 'vector' | 'world'; readonly name: string }
  | {
      readonly kind: 'surface';
      readonly name: string;
      /** Or why there are none. */
      readonly points: PicturedPoints | string;
    }
  | {
      readonly kind: 'shape';
      readonly name: string;
      /** `box`, `sphere`, …, or the name of a file. */
      readonly shapeType: string;
      /** The bytes of that file; throws where there is none. */
      readonly read: (file: string) => Uint8Array;
    };

/** Points of a surface at a row of the results: `nu` times `nv` of them, row by row. */
export interface PicturedPoints {
  /** Whether they are the same in all rows. */
  readonly still: boolean;
  /** Numbers one after the other: all x, all y, all z, then red, green and blue of each point, if it has colours. */
  at(row: number): Float64Array;
}

/** A force or a torque that follows signals. */
export interface PicturedArrow {
  readonly name: string;
  readonly kind: 'force' | 'torque';
  /** The signal with three elements that says where it acts. */
  readonly position: string;
  /** Of a force between two surfaces: the signal with their normal. */
  readonly normal?: string;
  /**
   * Its vector: a signal with three elements, along the axes of a frame whose angles another signal gives, or along those of the world; or its size, and
   * the signal of the position that it points to, undefined for the origin.
   */
  readonly vector:
    | { readonly along: string | undefined; readonly signal: string }
    | { readonly towards: string | undefined; readonly signal: string };
}

/** What stretches between two places, signals with three elements; undefined at the origin. */
export interface PicturedLink {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The signal with its length without force; where there is no such signal it is no spring. */
  readonly rest: string;
}

export interface PicturedShape {
  /** Dotted name of the object in the model. */
  readonly name: string;
  /** Names of signals with three elements: position, and angles about x, the new y and the new z. */
  readonly position: string;
  readonly angles: string;
  /** Of the position, and angular: along the axes of the world. */
  readonly velocity: string;
  readonly angularVelocity: string;
  readonly geometry: PicturedGeometry | undefined;
  /** Red, green and blue from 0 to 1. */
  readonly color: readonly [number, number, number];
  readonly opacity: number;
}

/** Triangles, counter-clockwise as seen from outside, or a text. */
export type PicturedGeometry =
  | {
      readonly positions: Float32Array;
      readonly normals: Float32Array;
      readonly indices: Uint32Array;
      readonly colors?: Float32Array;
    }
  | { readonly kind: 'text'; readonly text: string; readonly height: number; readonly facing?: boolean };
