/** Options of a field that exposes a column which may be null. */
export const optional = (description: string) => ({ nullable: true, description }) as const;

/** The same for a column that holds an instant. */
export const optionalTime = (description: string) => ({ type: 'DateTime', nullable: true, description }) as const;

/** The same for a column that holds a uuid. */
export const optionalUuid = (description: string) => ({ type: 'UUID', nullable: true, description }) as const;
