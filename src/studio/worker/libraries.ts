/** The tree of libraries: classes of the files below `LIBRARIES` and of Mutabor's own, read when somebody looks at them. */
import { descriptionOf } from '../../language/outline.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { classByName } from '../../model/classes/lookup.ts';
import type { Library } from '../../model/library.ts';
import type { LibraryClass, LibraryMethods } from '../protocol.ts';
import type { Models } from './models.ts';
import { canBeComponent, Names } from './names.ts';

export class Libraries {
  private known: Library | undefined;
  private names: Names | undefined;

  constructor(private readonly models: Models) {}

  /** There are other libraries. */
  change(): void {
    this.known = undefined;
    this.names?.end();
    this.names = undefined;
  }

  private get library(): Library {
    this.known ??= this.models.libraries();
    return this.known;
  }

  readonly methods: LibraryMethods = {
    browse: (name) => this.told(() => this.classesIn(name).map(listed)),
    findClasses: async ({ words, most }) => {
      this.names ??= new Names(
        () => this.classesIn(undefined),
        (entity) => this.within(entity),
      );
      const found = await this.names.find(words, most);
      return this.told(() => found.flatMap((name) => classByName(this.library, name) ?? []).map(listed));
    },
    classText: (name) => this.told(() => this.text(name)),
  };

  /** What is made of classes, by their names; undefined for those that there are not. */
  each<T>(names: readonly string[], make: (entity: ClassEntity) => T): (T | undefined)[] {
    const { library } = this;
    return this.told(() =>
      names.map((name) => {
        const entity = classByName(library, name);
        return entity && make(entity);
      }),
    );
  }

  /** What is wrong with classes is told to who uses them. */
  private told<T>(ask: () => T): T {
    this.library.begin();
    const answer = ask();
    this.library.takeProblems();
    return answer;
  }

  private classesIn(name: string | undefined): ClassEntity[] {
    const { library } = this;
    if (name === undefined) return library.topLevelNames().flatMap((own) => library.topLevel(own) ?? []);
    const entity = classByName(library, name);
    return entity ? this.within(entity) : [];
  }

  private within(entity: ClassEntity): ClassEntity[] {
    const { library } = this;
    return library.nestedNames(entity).flatMap((own) => library.nested(entity, own) ?? []);
  }

  private text(name: string): ReturnType<LibraryMethods['classText']> {
    const definition = classByName(this.library, name)?.definition;
    if (!definition) return undefined;
    const { source, name: own } = definition;
    const place = { file: source.name, from: own.start, to: own.end, ...source.position(own.start) };
    const isModel = /^(?:model|block|class)$/.test(definition.restriction) && !definition.partial;
    return { place, text: source.text, isModel };
  }
}

function listed(entity: ClassEntity): LibraryClass {
  return {
    name: entity.path,
    kind: entity.definition.restriction,
    description: descriptionOf(entity.definition),
    hasClasses: entity.folder !== undefined || entity.library.nestedNames(entity).length > 0,
    isComponent: canBeComponent(entity),
  };
}
