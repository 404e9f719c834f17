import { AppError } from '../../../domain/errors';
import type { ErrorStatus } from '../../../domain/errors';
import type { FileProblem } from '../../../lib/files/identify';

const buildError =
  (code: string, status: ErrorStatus, problem: string) =>
  (field: string): AppError =>
    new AppError(code, status, `${field}: ${problem}`, { fields: [{ field, problem }] });

const IMAGE_ERRORS: Record<FileProblem, (field: string) => AppError> = {
  truncated: buildError('image_truncated', 400, 'the image is damaged or truncated'),
  animated: buildError('image_animated', 400, 'the image has several frames; accepts images of one frame'),
  contains_pdf: buildError(
    'image_contains_other_data',
    400,
    'the image contains a PDF; accepts images without other files in them',
  ),
  data_after_end: buildError(
    'image_contains_other_data',
    400,
    'data follows the end of the image; accepts images that end there',
  ),
};

/** The error of an image that is not accepted, naming its field. */
export const imageProblemError = (field: string, found: FileProblem): AppError => IMAGE_ERRORS[found](field);
