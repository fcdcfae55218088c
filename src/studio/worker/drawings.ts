/** Diagrams and state charts of the workspace, and changes of diagrams as changes of its texts. */
import { attempted, Failure } from '../../diagnostic/failure.ts';
import { chartOf } from '../../diagram/chart.ts';
import { diagramOf } from '../../diagram/diagram.ts';
import { type Added, addComponent, removeComponent } from '../../diagram/edit/component.ts';
import { connectComponents, removeConnection } from '../../diagram/edit/connection.ts';
import { usualPlacing } from '../../diagram/edit/free.ts';
import { placeComponent } from '../../diagram/edit/place.ts';
import { type Edit, refused } from '../../diagram/edit/text.ts';
import { boundsOf } from '../../diagram/geometry.ts';
import { drawingSvg } from '../../diagram/svg.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { classByName } from '../../model/classes/lookup.ts';
import { changedText, type TextChange } from '../../syntax/change.ts';
import type { DiagramAction, DiagramMethods, DrawingAnswer, ModelName } from '../protocol.ts';
import type { WorkspaceFiles } from './files.ts';
import { messagesOf } from './messages.ts';
import type { Models } from './models.ts';

export class Drawings {
  constructor(
    private readonly files: WorkspaceFiles,
    private readonly models: Models,
  ) {}

  readonly methods: DiagramMethods = {
    drawing: ({ values, ...of }) => this.drawing(of, values),
    editDiagram: ({ actions, ...of }) => this.edit(of, actions),
  };

  private drawing(of: ModelName, values: Readonly<Record<string, number>>): DrawingAnswer | undefined {
    const entity = this.entity(of, this.files.read(of.file) ?? '');
    if (!entity) return undefined;
    // Pictures say which values they depend on by asking for them.
    const names = new Set<string>();
    const ask = (name: string): number | undefined => {
      names.add(name);
      return Object.hasOwn(values, name) ? values[name] : undefined;
    };
    const diagram = diagramOf(entity, { values: ask });
    const chart = chartOf(entity);
    const { components, connections, system } = diagram;
    return {
      // What is added stands where it is dropped only if all of the system is seen, also where little is in it.
      diagram: drawingSvg(
        { ...diagram, extent: boundsOf([...diagram.extent, ...system.extent])! },
        { prefix: 'diagram-' },
      ),
      chart: chart && drawingSvg(chart, { prefix: 'chart-' }),
      states: chart?.states.map(({ path }) => path) ?? [],
      ...{ components, connections, grid: system.grid, names: [...names] },
    };
  }

  /** Each action counts in the text that those before it leave. */
  private edit(of: ModelName, actions: readonly DiagramAction[]): ReturnType<DiagramMethods['editDiagram']> {
    const steps: (readonly TextChange[])[] = [];
    const added: string[] = [];
    let text = this.files.read(of.file) ?? '';
    for (const action of actions) {
      const entity = this.entity(of, text);
      if (!entity) return { steps: [], problems: [], added: [] };
      const edit = editOf(entity, action);
      if (!edit.ok) return { steps: [], problems: messagesOf(edit.problems), added: [] };
      if ('name' in edit) added.push(edit.name);
      steps.push(edit.changes);
      text = changedText(text, edit.changes);
    }
    return { steps, problems: [], added };
  }

  /** Undefined where the text cannot be read. */
  private entity({ file, model }: ModelName, text: string): ClassEntity | undefined {
    const library = attempted(() => this.models.library(file, text));
    return library instanceof Failure ? undefined : classByName(library, model);
  }
}

function editOf(entity: ClassEntity, action: DiagramAction): Edit | Added {
  switch (action.kind) {
    case 'add': {
      const type = classByName(entity.library, action.class);
      if (!type) return refused('unknown-class', `There is no class \`${action.class}\`.`);
      return addComponent(entity, type, { placing: usualPlacing(entity, type, action.at) });
    }
    case 'place':
      return placeComponent(entity, action.name, action.placing, { lines: true });
    case 'remove':
      return removeComponent(entity, action.name);
    case 'disconnect':
      return removeConnection(entity, action);
    case 'connect':
      return connectComponents(entity, action.from, action.to);
    default:
      return action satisfies never;
  }
}
