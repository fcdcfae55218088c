/** Meshes of files that parts name. Whoever loads a model says what is in the files; here they are read, each once. */
import { remember } from '../../collections/memo.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { suggestion } from '../../diagnostic/nearest.ts';
import { locate } from '../../diagnostic/source.ts';
import { type FileContent, type Files, isContent } from '../files.ts';
import { fileMesh } from '../shapes/file.ts';
import type { Mesh } from '../shapes/mesh.ts';
import { located, partFailure } from './names.ts';
import type { MeshReader } from './scene.ts';

export function meshReader(files: Files | undefined): MeshReader {
  const known = new Map<string, Mesh>();
  return (part, file) => {
    const { span } = part.origin;
    if (file === '')
      throw partFailure(part, 'bad-body', `\`${part.path}.file\` names no file.`, {
        hint: 'Name an OBJ or STL file: `file = "wheel.obj"`.',
      });
    const declaredIn = span ? locate(span).source.name : '';
    const read = (): Mesh => {
      const content = contentOf(files, file, declaredIn);
      if (content === undefined)
        throw partFailure(part, 'file-not-found', `There is no file \`${file}\`.`, {
          hint: hintFor(files, file),
        });
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      return fileMesh(file, bytes);
    };
    return located(part, () => remember(known, `${declaredIn}\n${file}`, read), `\`${part.path}\`: `);
  };
}

function contentOf(files: Files | undefined, file: string, declaredIn: string): FileContent | undefined {
  if (typeof files !== 'function') return files && Object.hasOwn(files, file) ? files[file] : undefined;
  const cannot = (why: string) =>
    Failure.of('initialise', 'file-not-found', `The file \`${file}\` cannot be read: ${why}`);
  let content: unknown;
  try {
    content = files(file, declaredIn);
  } catch (problem) {
    if (problem instanceof Failure) throw problem;
    throw cannot(`${problem instanceof Error ? problem.message : String(problem)}.`.replace('..', '.'));
  }
  if (content === undefined || isContent(content)) return content;
  throw cannot('the function `files` gives neither bytes nor a text.');
}

function hintFor(files: Files | undefined, file: string): string | undefined {
  if (files === undefined)
    return `Give its bytes to what loads the model, with the option \`files: { '${file}': bytes }\`.`;
  return typeof files === 'function' ? undefined : suggestion(file, Object.keys(files));
}
