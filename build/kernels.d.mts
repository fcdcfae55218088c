/** A hash of all sources of the kernels. */
export declare function digestOfKernels(): string;
