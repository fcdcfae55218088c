/** What the documentation of a class says, and the pictures of libraries that it shows. */
import { attempted, Failure } from '../../diagnostic/failure.ts';
import { pictureAddress } from '../../diagram/pictures.ts';
import { documentationOf } from '../../language/describe.ts';
import { descriptionOf } from '../../language/outline.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { classByName } from '../../model/classes/lookup.ts';
import type { DocumentationMethods, DocumentedClass } from '../protocol.ts';
import type { Models } from './models.ts';

export class Documentations {
  constructor(private readonly models: Models) {}

  readonly methods: DocumentationMethods = {
    documentation: ({ file, model }) => {
      const entity = this.entity(file, model);
      return entity && documented(entity);
    },
    pictures: ({ file, model, addresses }) => {
      const library = this.entity(file, model)?.library;
      return addresses.map((fileName) => library && pictureAddress(library, { fileName, imageSource: '' }));
    },
  };

  /** As a file sees it, where one is open. */
  private entity(file: string | undefined, name: string): ClassEntity | undefined {
    const library = attempted(() =>
      file === undefined ? this.models.libraries() : this.models.library(file),
    );
    return library instanceof Failure ? undefined : classByName(library, name);
  }
}

function documented(entity: ClassEntity): DocumentedClass {
  const { path, definition } = entity;
  return {
    name: path,
    kind: definition.restriction,
    description: descriptionOf(definition),
    info: documentationOf(entity),
    revisions: documentationOf(entity, 'revisions'),
  };
}
