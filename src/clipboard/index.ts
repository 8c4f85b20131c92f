export {
  type Clipboard,
  createClipboard,
} from './clipboard.ts';
export type { ClipboardChange, ClipboardEntry } from './entry.ts';
export { clipboardJobs } from './jobs.ts';
export type { EntryPage } from './reads.ts';
