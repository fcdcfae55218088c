/**
 * Which version of a library a program of several works with (specification 3.6, section 18.8): the one that the texts at hand, and then the libraries
 * that are loaded already, say that they use. There is one version of a library at a time. Who uses another one is converted (`upgrade.ts`) or told, unless the
 * library says that it needs no conversion from that.
 */
import { type Diagnostic, diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from './class.ts';
import type { Edition } from './shelf.ts';
import { conversionFrom, sameVersion, type Use, usesOf, versionOf } from './versions.ts';

/** A class of the top level; a library has the edition that it was read from. */
interface Member {
  readonly entity: ClassEntity;
  readonly uses: readonly Use[];
  readonly edition: Edition | undefined;
  readonly others: readonly Edition[];
}

/** Which version of a library is used, and by whom. */
export interface Wanted {
  readonly user: string;
  readonly version: string;
}

export class Uses {
  private readonly members = new Map<string, Member>();

  constructor(
    /** Those of the library underneath. */
    private readonly base?: Uses,
    /** What is used by classes that are not there. */
    private readonly others: (name: string) => Wanted | undefined = () => undefined,
  ) {}

  /** A class of the top level that is there now; what it uses in another version, and who uses another version of it. */
  add(entity: ClassEntity, edition?: Edition, others: readonly Edition[] = []): Diagnostic[] {
    return this.enter({ entity, uses: usesOf(entity.definition), edition, others });
  }

  /** A class of the library underneath is used here. */
  join(base: Uses, name: string): Diagnostic[] {
    const member = base.members.get(name) ?? base.base?.members.get(name);
    return member ? this.enter(member) : [];
  }

  private enter(member: Member): Diagnostic[] {
    const { entity } = member;
    const problems: Diagnostic[] = [];
    for (const user of this.members.values())
      for (const use of user.uses)
        if (use.name === entity.path) problems.push(...disagreement(user, use, member));
    this.members.set(entity.path, member);
    for (const use of member.uses) {
      const used = this.members.get(use.name);
      if (used) problems.push(...disagreement(member, use, used));
    }
    return problems;
  }

  /** Who first says which version of a library it uses. */
  wanted(name: string): Wanted | undefined {
    for (const { entity, uses } of this.members.values())
      for (const use of uses)
        if (use.name === name && entity.path !== name) return { user: entity.path, version: use.version };
    return this.others(name) ?? this.base?.wanted(name);
  }
}

/**
 * The edition of a library that fits a version: the one that was named by its folder, the one of this version, the newest that needs no conversion
 * from it, the newest that has one, or else the one that goes first.
 */
export function fitting(
  editions: readonly Edition[],
  version: string | undefined,
  read: (edition: Edition) => ast.ClassDef | undefined,
): Edition | undefined {
  const [first] = editions;
  if (!first || version === undefined || editions.length === 1 || first.named) return first;
  const labelled = editions.find(({ label }) => label !== undefined && sameVersion(label, version));
  if (labelled) return labelled;
  const known = editions.map((edition) => ({ edition, definition: read(edition) }));
  const isOfVersion = known.find(({ edition, definition }) => {
    const own = (definition && versionOf(definition)) ?? edition.label;
    return own !== undefined && sameVersion(own, version);
  });
  if (isOfVersion) return isOfVersion.edition;
  const ways = known.flatMap(({ edition, definition }) => {
    const steps = definition && conversionFrom(definition, version);
    return steps ? [{ edition, steps }] : [];
  });
  const [shortest] = ways.sort((a, b) => a.steps.length - b.steps.length);
  return (shortest ?? known[0])?.edition;
}

function disagreement(user: Member, use: Use, used: Member): Diagnostic[] {
  const { definition, path } = used.entity;
  if (user === used) {
    const message = `\`${path}\` says that it uses itself.`;
    return [warning('library-version', message, { span: use.span, hint: 'Leave it out of `uses`.' })];
  }
  const version = versionOf(definition) ?? used.edition?.label;
  // A text beside the model is meant as it is.
  if (version === undefined && !used.edition) return [];
  if (version !== undefined && sameVersion(version, use.version)) return [];
  const steps = conversionFrom(definition, use.version);
  if (steps?.length === 0) return [];
  if (steps) {
    const message = `\`${user.entity.path}\` was written for version ${use.version} of \`${path}\` and is converted to version ${version}.`;
    return [diagnostic('info', 'library-version', message, { span: use.span })];
  }
  const loaded = version === undefined ? 'has no version' : `is version ${version}`;
  const message = `\`${user.entity.path}\` uses version ${use.version} of \`${path}\`, but what is there ${loaded}.`;
  return [warning('library-version', message, { span: use.span, hint: whatIsThere(used, use) })];
}

function whatIsThere({ entity, edition, others }: Member, { version }: Use): string {
  const { path } = entity;
  const found = others.map((other) => `\`${other.folder ?? other.path}\``);
  const rest = found.length > 1 ? `; there is ${found.join(', ')}` : '';
  const from = edition ? `It is read from \`${edition.folder ?? edition.path}\`${rest}. ` : '';
  return `${from}Put the version that is used into a folder \`${path} ${version}\` beside it, or write the version that is there in \`uses\`.`;
}
