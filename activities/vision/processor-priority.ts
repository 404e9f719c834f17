/**
 * The nice value of inference threads and decoder processes on Linux. They keep the processors busy for hundreds of
 * milliseconds; requests, workflows and deliveries need a few each, and come first where they share a machine. Nothing
 * changes for a container of its own, or while a processor is idle.
 */
export const VISION_NICE = 10;
