import type { DocumentResult } from '../../../domain/identity/documents/result';
import type { Networks } from '../inference/sessions';
import type { VisionTasks } from '../inference/tasks';
export function readDocument(_n: Networks, _i: VisionTasks['readDocument']['input']): Promise<DocumentResult> { return Promise.reject(new Error('soon')); }
