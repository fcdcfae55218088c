/** The script of plots that are pages, from a folder with modules that end in `extension`. */
export declare function pageScript(folder: string, extension: 'js' | 'ts'): Promise<string>;

/** The module that holds the script, from the folder of the sources: for bundlers that take these. */
export declare function scriptModule(source: string): Promise<string>;
