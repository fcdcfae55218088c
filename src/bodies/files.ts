/** Files that models name, such as those of meshes. Nothing here reads them: whoever loads a model says what is in them. */

/** The bytes of a file, or its text. */
export type FileContent = Uint8Array | string;

/**
 * What is in files by their names, or a function that gives it. The function also gets the name of the text (the file) in which the object is
 * declared; it gives `undefined`, or throws, where there is no such file.
 */
export type Files =
  | Readonly<Record<string, FileContent>>
  | ((name: string, declaredIn: string) => FileContent | undefined);

export const isContent = (value: unknown): value is FileContent =>
  typeof value === 'string' || value instanceof Uint8Array;
