import { isUuid } from '../../src/platform/input/input.ts';

const nobodys = '00000000-0000-0000-0000-000000000000';

/** The uuid of a global id. One that is malformed becomes one that nothing has, so that it is looked for like any other. */
export const knownUuid = (text: string): string => (isUuid(text) ? text : nobodys);
