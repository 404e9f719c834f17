import { z } from 'zod';
import { riskSchema, verdictSchema } from './risk-responses';

export const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).meta({
  id: 'Box',
  description: 'Rectangle in pixels of the image as sent, after its EXIF orientation was applied.',
});

export const rotationSchema = z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]);
export const sideSchema = z.enum(['front', 'back']);
export const fractionSchema = z.number().min(0).max(1);

export const modelUseSchema = z
  .object({ role: z.string(), name: z.string(), version: z.string(), sha256: z.string() })
  .meta({ id: 'ModelUse', description: 'Model weights that the result was computed with.' });

/** The fields that every result has. */
export const resultFields = { status: verdictSchema, risks: z.array(riskSchema) };
