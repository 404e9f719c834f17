import { setFlagsFromString } from 'node:v8';

/**
 * The heap, with the images that it refers to, may grow by this many percent between two full garbage collections. V8
 * counts images against the limit of a heap of 80 MB that hardly changes: with a limit of its choice, each image that
 * passes through a worker had all of the heap collected.
 */
export const HEAP_GROWTH_FLAG = '--heap-growing-percent=150';

/** Makes full garbage collections of this process and its threads rarer. */
export const growHeapBetweenCollections = (): void => setFlagsFromString(HEAP_GROWTH_FLAG);
