import type { FileType } from '../../../lib/files/identify';

/** Request to a decoder process: decode an image, or read the text of a letter. Lengths are in pixels. */
export type DecodeRequest =
  | {
      kind: 'image';
      id: number;
      /** recorded when the file was sent; the file is decoded as nothing else */
      type: FileType;
      bytes: Uint8Array;
      /** maximum longer side of the decoded image */
      longSide: number;
      /** smaller images are enlarged so that their longer side is this; 0 leaves them as they are */
      minLongSide: number;
      maxPixels: number;
      /** whether to return what shows how the file, or the pictures in it, were captured */
      examined: boolean;
    }
  | {
      kind: 'letter';
      id: number;
      bytes: Uint8Array;
      /** limit of each picture on a page */
      maxPixels: number;
      /** maximum number of pages, from the first */
      maxPages: number;
      /** with fewer characters of text, the pages are also returned as images */
      minCharacters: number;
      /** longer side of those images */
      longSide: number;
    };

const KINDS: readonly unknown[] = ['image', 'letter'] satisfies DecodeRequest['kind'][];

/** Whether a message is a request. It comes from the process that started the decoder, which has the same version. */
export const isDecodeRequest = (message: unknown): message is DecodeRequest =>
  typeof message === 'object' && message !== null && 'kind' in message && KINDS.includes(message.kind);
