/** The text of the module. */
export declare function moduleOf(): string;
