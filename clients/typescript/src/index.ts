export { VouchBusinessClient } from './business-client';
export type {
  Body,
  BusinessBody,
  BusinessQuery,
  BusinessResponse,
  CallOptions,
  OperationResponse,
  Query,
} from './calls';
export { VouchClient } from './client';
export type { WaitOptions } from './client';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  VouchError,
  WaitTimeoutError,
} from './errors';
export type { Failure, FieldProblem } from './errors';
export type { components, operations } from './generated/schema';
export type { ClientOptions } from './transport';
export type { Upload } from './uploads';
export { verifyWebhook, WebhookVerificationError } from './webhooks';
export type { VouchEvent, WebhookHeaders } from './webhooks';
