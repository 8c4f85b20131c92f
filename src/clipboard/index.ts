export {
  type Clipboard,
  createClipboard,
  type EntryConnection,
  type EntryPage,
} from './clipboard.ts';
export type { ClipboardChange, ClipboardEntry } from './entry.ts';
export { clipboardJobs } from './jobs.ts';
