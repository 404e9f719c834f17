import { z } from 'zod';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** First message to a process of the benchmark `vision-processes`. */
export const startMessageSchema = z.object({
  modelsDir: z.string(),
  passport: bytes,
  selfie: bytes,
});
export type StartMessage = z.infer<typeof startMessageSchema>;

/** A round: the number of sessions to verify. */
export const roundSchema = z.object({ sessions: z.number().int().positive() });

/** Sent when a round has ended, and once at the start. */
export const roundResultSchema = z.object({
  /** Processor time of the process and its inference thread so far, without its decoders. */
  processorMs: z.number(),
});
