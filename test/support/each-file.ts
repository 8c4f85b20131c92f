import { afterAll } from 'vitest';
import { cleanUpFile } from './cleanup.ts';

// Vitest runs this before each test file, anew. Hooks run latest first, so this one follows those of the file.
afterAll(cleanUpFile);
