/** Files and folders that fall anywhere on the page: without this, the browser would show them in place of the page. */
import { texts } from '../texts.ts';

export function takeFiles(take: (data: DataTransfer) => Promise<void>): void {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  const mark = (isOver: boolean): void => {
    document.body.dataset.drop = texts.dropLibrary;
    document.body.classList.toggle('dropping', isOver);
  };
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) mark(false);
  });
  addEventListener('drop', (event) => {
    mark(false);
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    void take(event.dataTransfer);
  });
}
