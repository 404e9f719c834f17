import { VouchClient } from '../../clients/typescript/src/client';
import type { OperationResponse } from '../../clients/typescript/src/calls';
import { clientOptions } from '../shared/api/transport';
import { createUploadFetch } from './upload-fetch';

/** The state of the capture, as the service describes it. */
export type CaptureState = OperationResponse<'getCaptureState'>['state'];
export type CaptureStep = CaptureState['steps'][number];
export type DocumentType = CaptureState['documents'][number]['type'];

/** The routes of the capture page with the cookie of this browser. */
export const client = new VouchClient(clientOptions);

/**
 * A client for one upload.
 * @param onProgress receives the share that was sent, 0–1
 */
export const createUploadClient = (onProgress: (share: number) => void): VouchClient =>
  new VouchClient({ ...clientOptions, fetch: createUploadFetch(onProgress) });
