import { z } from 'zod';

/** A named schema of the document: an object with exactly these members. */
export const namedObject = <Shape extends z.core.$ZodShape>(id: string, shape: Shape) =>
  z.strictObject(shape).meta({ id });
