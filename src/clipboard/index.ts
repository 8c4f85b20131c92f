export {
  type Clipboard,
  createClipboard,
  type EntryPage,
} from './clipboard.ts';
export type { ClipboardChange, ClipboardEntry } from './entry.ts';
export { clipboardJobs } from './jobs.ts';
