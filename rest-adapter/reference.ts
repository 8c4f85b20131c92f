/** Values that the examples of several areas share. */
export const exampleUuid = '6f1c2a4e-8b3d-4f7a-9c5e-1d2b3a4c5e6f';
export const exampleProfile = 'c0a8f3d1-2b47-4e9a-8d16-7f5b9e3c2a10';
export const exampleServer = '2d9e7b54-61fc-4a38-b0c7-95e4d8a1f362';
export const exampleTime = '2026-01-31T12:00:00.000Z';
export const exampleLaterTime = '2026-02-01T12:00:00.000Z';

/** A parameter of a path that is a UUID. */
export const uuidOf = (what: string, example: string = exampleUuid) =>
  ({ uuid: { description: `UUID of the ${what}.`, example } }) as const;
