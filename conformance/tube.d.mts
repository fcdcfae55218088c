export interface Curve {
  readonly time: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}
export function leavesTube(reference: Curve, curve: Curve): number | undefined;
