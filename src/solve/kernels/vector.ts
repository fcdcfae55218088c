/** Vectors of doubles and of integers in the memory, known by the address of their first element. */

export type Vector = usize;
export type Integers = usize;

export function get(v: Vector, i: i32): f64 {
  return load<f64>(v + ((<usize>i) << 3));
}

export function set(v: Vector, i: i32, value: f64): void {
  store<f64>(v + ((<usize>i) << 3), value);
}

/** Part k of vectors of length n that lie one behind the other. */
export function part(v: Vector, n: i32, k: i32): Vector {
  return v + ((<usize>(n * k)) << 3);
}

export function copy(to: Vector, from: Vector, n: i32): void {
  memory.copy(to, from, (<usize>n) << 3);
}

export function clear(v: Vector, n: i32): void {
  memory.fill(v, 0, (<usize>n) << 3);
}

/** As `min` and `max` of integers. */
export function at(v: Integers, i: i32): i32 {
  return load<i32>(v + ((<usize>i) << 2));
}

export function put(v: Integers, i: i32, value: i32): void {
  store<i32>(v + ((<usize>i) << 2), value);
}
