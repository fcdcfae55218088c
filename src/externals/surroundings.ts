/** What external functions of the Modelica Standard Library may reach outside of the model: files that can be read, and a place to print to. */

export interface Surroundings {
  /** The bytes of a file; throws where it does not exist or may not be read. `modelica://` names a file of a package. */
  read(name: string): Uint8Array;
  /** What stands in a folder; undefined where there is none that may be read. */
  list(name: string): readonly { readonly name: string; readonly folder: boolean }[] | undefined;
  /** The full name of a file, with `/`, whether it exists or not. */
  fullName(name: string): string;
  /** Shows a line of text to the user. */
  print(text: string): void;
}
