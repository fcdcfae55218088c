/**
 * Signal tables: the results of a run. One time axis, one column a variable; events are two rows of equal time; a
 * variable that does not exist in an interval is missing there (NaN inside, an empty field outside). Parameters
 * and constants are single values; aliases share a column.
 */

export interface SignalInfo {
  readonly name: string;
  readonly unit: string;
  readonly displayUnit: string;
  readonly description: string;
  readonly type: 'Real' | 'Integer' | 'Boolean';
  /** Not shown by default. */
  readonly hidden: boolean;
}

/** An interval of rows in one mode. */
export interface TableSegment {
  readonly signature: string;
  readonly firstRow: number;
  /** Exclusive. */
  readonly endRow: number;
}
