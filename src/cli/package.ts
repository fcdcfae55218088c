/**
 * `mutabor check` of a package: every model and block in it, nested packages included, is translated. Those that stand for
 * themselves, without connectors that wait for a connection, are checked like any model.
 */
import { type Diagnostic, hasErrors } from '../diagnostic/diagnostic.ts';
import { isWhole } from '../flat/whole.ts';
import type { Translation } from '../load.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import type { Library } from '../model/library.ts';
import type { Core } from './core.ts';
import type { ReadInput } from './input.ts';
import { conclude, type ExitStatus, painter, type ReportManner } from './report.ts';
import type { Io } from './surroundings.ts';

interface CheckedClass {
  readonly name: string;
  /** Whether the whole structure was checked; otherwise the class was only translated. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export function checkPackage(
  { library, builtIns, externals }: ReadInput,
  root: ClassEntity,
  io: Io,
  core: Core,
  manner: ReportManner,
): ExitStatus {
  const classes = modelsOf(library, root).map((name) => {
    return checkClass(core.translate(library, name, [], { builtIns, externals }), name, core);
  });
  const orders = packagesOf(library, root).flatMap((entity) => library.orderProblems(entity));
  const diagnostics = [...orders, ...classes.flatMap((item) => item.diagnostics)];
  const failed = classes.filter((item) => hasErrors(item.diagnostics));
  const statusOf = (isFailed: boolean): string => (isFailed ? 'failed' : 'done');
  const object = (): object => ({
    model: root.path,
    status: statusOf(failed.length > 0),
    classes: classes.map((item) => {
      const { name, whole } = item;
      return { name, status: statusOf(failed.includes(item)), whole };
    }),
  });
  const whole = classes.filter((item) => item.whole).length;
  const counts = `${classes.length} models and blocks translated, ${whole} of them checked in full`;
  const names = failed.map(({ name }) => name).join(', ');
  const verdict = failed.length === 0 ? 'no errors' : `errors in ${names}`;
  const text = `Package ${painter(io)('bold', root.path)}: ${counts}; ${verdict}.\n`;
  conclude(io, manner, diagnostics, object, () => text);
  return failed.length > 0 ? 1 : 0;
}

/** A package and those in it. */
function packagesOf(library: Library, root: ClassEntity): ClassEntity[] {
  const nested = library.nestedNames(root).flatMap((name) => library.nested(root, name) ?? []);
  const packages = nested.filter(({ definition }) => definition.restriction === 'package');
  return [root, ...packages.flatMap((entity) => packagesOf(library, entity))];
}

/** Models and blocks of a package that are not partial, in its order. */
function modelsOf(library: Library, root: ClassEntity): string[] {
  return library.nestedNames(root).flatMap((name) => {
    const entity = library.nested(root, name);
    if (!entity) return [];
    const { restriction, partial } = entity.definition;
    if (restriction === 'package') return modelsOf(library, entity);
    return (restriction === 'model' || restriction === 'block') && !partial ? [entity.path] : [];
  });
}

function checkClass({ model, diagnostics }: Translation, name: string, core: Core): CheckedClass {
  if (!model || !isWhole(model)) return { name, whole: false, diagnostics };
  return { name, whole: true, diagnostics: [...diagnostics, ...core.check(model).diagnostics] };
}
