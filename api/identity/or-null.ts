import { z } from 'zod';

/**
 * A named schema or null. In the OpenAPI document `.nullable()` would make the component itself nullable wherever it is
 * referred to; a union keeps the two apart.
 */
export const orNull = <T extends z.ZodType>(schema: T) => z.union([schema, z.null()]);
