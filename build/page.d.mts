/** The text of a module that holds the script of a page, from the folder of the sources; undefined for any other module. */
export declare function scriptModule(source: string, path: string): Promise<string | undefined>;
