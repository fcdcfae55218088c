/** Builds the studio into a folder, which is emptied before. */
export function buildStudio(target: string): Promise<void>;
