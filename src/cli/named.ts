/**
 * Files that models name, such as those of meshes. A name is a path from the folder of the file in which the object is declared, or stands
 * in a package: `modelica://Package/part.stl`, from the folder of that package. Files are read below the folders of models, below those of libraries and
 * below the one in which the command runs.
 */
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { Failure } from '../diagnostic/failure.ts';
import { didYouMean, nearest } from '../diagnostic/nearest.ts';
import { classByName } from '../model/classes/lookup.ts';
import type { Library } from '../model/library.ts';
import { HostFiles } from './files.ts';

export type NamedFile = (name: string, declaredIn: string) => Uint8Array;

export class NamedFiles {
  private readonly host: HostFiles;
  /** The folder of models whose text comes from no file: standard input, programs. */
  private home = '.';

  constructor(cwd: string) {
    this.host = new HostFiles(cwd);
    this.host.allow('.');
  }

  /** Allows reading below a folder. */
  allow(folder: string): void {
    this.host.allow(folder);
  }

  allowLibraries(folder: string): void {
    this.host.allowLibraries(folder);
  }

  /** Allows reading below the folder of a program, whose models have their files there. */
  allowProgram(folder: string): void {
    this.allow(folder);
    this.home = folder;
  }

  /** Reads a file; throws a `Failure` where that cannot be done. */
  reader(library: Library): NamedFile {
    return (name, declaredIn) => {
      const path = this.pathOf(name, declaredIn, library);
      const content = this.host.bytes(path);
      if (content) return content;
      throw this.missing(path);
    };
  }

  private pathOf(name: string, declaredIn: string, library: Library): string {
    const [, owner, rest] = /^modelica:\/\/([^/]*)\/?(.*)$/i.exec(name) ?? [];
    if (owner !== undefined) return inLibrary(owner, rest!, library, name);
    if (isAbsolute(name)) return name;
    return join(this.host.isFile(declaredIn) ? dirname(declaredIn) : this.home, name);
  }

  private missing(path: string): Failure {
    if (!this.host.exists(path)) {
      const beside = (this.host.list(dirname(path)) ?? []).map((entry) => entry.name);
      const meant = nearest(basename(path), beside);
      return refusal(`The file \`${path}\` does not exist.`, didYouMean(meant && join(dirname(path), meant)));
    }
    if (this.host.isAllowed(path)) return refusal(`\`${path}\` cannot be read.`);
    return refusal(
      `\`${path}\` is outside of the folders that models may read.`,
      'Models read files below the folder of their own file and below the one in which the command runs. Name another folder with `--library`.',
    );
  }
}

/** A file of a library, which is below its folder. */
function inLibrary(owner: string, rest: string, library: Library, name: string): string {
  const path = join(folderOf(owner, library, name), rest);
  const home = folderOf(owner.split('.')[0]!, library, name);
  if (!relative(home, path).startsWith('..')) return path;
  throw refusal(`\`${name}\` leads out of the library.`, 'Name a file below its folder.');
}

function folderOf(owner: string, library: Library, name: string): string {
  const entity = classByName(library, owner);
  const source = entity?.span(entity.definition.name).source.name;
  if (source !== undefined) return dirname(source);
  const hint = 'The folder of its library is named with `--library`.';
  throw refusal(`There is no package \`${owner}\`, which \`${name}\` names.`, hint);
}

const refusal = (message: string, hint?: string): Failure =>
  Failure.of('initialise', 'file-not-found', message, { hint });
