/** The language service of editors: `LanguageService`, and the forms of its answers. */
export type { TextChange } from '../syntax/change.ts';
export type { Completion, CompletionKind, CompletionList } from './completion.ts';
export type { Description, Documentation } from './describe.ts';
export type { Hover } from './find.ts';
export type { QuickFix } from './fixes.ts';
export type { Fold } from './folds.ts';
export type { ClassifiedName, NameKind } from './highlight.ts';
export { htmlToText } from './html.ts';
export type { OutlineItem, OutlineKind } from './outline.ts';
export { type Location, locationOf, type TextRange } from './places.ts';
export { type CheckedDiagnostic, plainDiagnostic } from './plain.ts';
export { isRefused, type Refusal, type Renaming } from './rename.ts';
export { type FoundClass, LanguageService } from './service.ts';
export type { Signature, SignatureParameter } from './signature.ts';
export type { WorkspaceOptions } from './workspace.ts';
