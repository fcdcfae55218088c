/** What kernels ask of whoever runs them, who knows which system is meant. */

/** Writes f(t, y); false where it cannot be evaluated. */
export declare function rhs(t: f64, y: usize, dy: usize): bool;
/** Evaluates the Jacobian; gives the address of the iteration matrix that it belongs to, 0 where it cannot be evaluated. */
export declare function jacobian(t: f64, y: usize): usize;
// Those of `CoupledSystem`.
export declare function evaluateCoupled(t: f64, point: usize, values: usize): bool;
export declare function readUnknowns(point: usize): void;
export declare function writeUnknowns(point: usize): void;
/** Moves what lies at an address to where there is room for so many bytes. */
export declare function extend(address: usize, bytes: i32): usize;
/** A place where long work can be stopped. */
export declare function pulse(): void;
