import type { ApiResponse } from '../client';

/** Status and error code, to compare both at once. */
export const getRejection = ({ status, body }: ApiResponse) => [status, body['code']];

/** The messages of a response that names invalid fields. */
export const listErrors = ({ body }: Pick<ApiResponse, 'body'>): string[] => (body['errors'] ?? []) as string[];

/** The fields that a response names as invalid. */
export const listErrorFields = (response: Pick<ApiResponse, 'body'>): (string | undefined)[] =>
  listErrors(response).map((error) => error.split(':')[0]);
