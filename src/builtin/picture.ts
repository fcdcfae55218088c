/** What a component looks like: shapes that follow signals of the results. */

export interface Picture {
  /** The direction that is up. */
  readonly up: readonly [number, number, number];
  readonly camera?: {
    readonly position: readonly [number, number, number];
    readonly target: readonly [number, number, number];
  };
  readonly shapes: readonly PicturedShape[];
}

export interface PicturedShape {
  /** Dotted name of the object in the model. */
  readonly name: string;
  /** Names of signals with three elements: position, and angles about x, the new y and the new z. */
  readonly position: string;
  readonly angles: string;
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
