/** Functions of the engine, so that numbers are the same wherever they are computed. */
export declare function pow(x: f64, y: f64): f64;
export declare function exp(x: f64): f64;
export declare function log(x: f64): f64;
