// The only module that uses tesseract.js.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorker, OEM, PSM } from 'tesseract.js';
import type { Worker } from 'tesseract.js';
import type { ModelUse } from '../../../domain/identity/biometrics/result';
import { limitTime } from '../../../lib/time-limits';
import { toLuminance } from '../imaging/raster';
import type { Raster } from '../imaging/raster';
import type { ScriptLanguage } from './languages';

/** A word of a line, with its extent along the line, 0–1. */
export interface ScriptWord {
  text: string;
  from: number;
  to: number;
  /** 0–1 */
  confidence: number;
}

/** A line read by tesseract. */
export interface ScriptReading {
  /** With the spaces of the language; not every script has them between words. */
  text: string;
  /** In the order of the text. */
  words: ScriptWord[];
  /** 0–1 */
  confidence: number;
}

/** The time limit of a page was reached; the thread of the recogniser was ended. */
export class ScriptTimeoutError extends Error {
  constructor() {
    super('Reading a page of another script took too long.');
    this.name = 'ScriptTimeoutError';
  }
}

const TESSERACT_VERSION = '7.0.0';
/** White margin around a line, in pixels. */
const MARGIN = 10;
/** Marks of direction and joining, which tesseract inserts. */
const MARKS = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Encodes an image in grey (PGM), with a white margin. */
function encodeGrey(strip: Raster): Buffer {
  const plane = toLuminance(strip);
  const [width, height] = [plane.width + 2 * MARGIN, plane.height + 2 * MARGIN];
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const file = Buffer.alloc(header.length + width * height, 255);
  header.copy(file);
  for (let y = 0; y < plane.height; y += 1) {
    const row = plane.data.subarray(y * plane.width, (y + 1) * plane.width);
    file.set(row, header.length + (y + MARGIN) * width + MARGIN);
  }
  return file;
}

/** Settles as the promise does, or rejects when the time is reached. */
const settleBefore = <T>(promise: Promise<T>, deadline: number): Promise<T> =>
  limitTime(promise, deadline - performance.now(), () => new ScriptTimeoutError());

/** Recogniser of one language in a thread of its own, which receives pixels and reads no other file than its data. */
export class ScriptRecogniser {
  private constructor(
    readonly language: ScriptLanguage,
    private readonly worker: Worker,
    private readonly deadline: number,
  ) {}

  /**
   * Starts the thread and loads the data of the language from its package.
   *
   * @param deadline time of `performance.now()` at which the thread is ended
   * @throws ScriptTimeoutError
   */
  static async open(language: ScriptLanguage, deadline: number): Promise<ScriptRecogniser> {
    const starting = createWorker(language.code, OEM.LSTM_ONLY, {
      langPath: language.dataFolder,
      gzip: true,
      cacheMethod: 'none',
      // Without a handler, tesseract.js throws outside of any promise.
      errorHandler: () => undefined,
    });
    try {
      const worker = await settleBefore(starting, deadline);
      await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_LINE, user_defined_dpi: '300' });
      return new ScriptRecogniser(language, worker, deadline);
    } catch (error) {
      starting.then(
        (late) => late.terminate(),
        () => undefined,
      );
      throw error;
    }
  }

  /**
   * Reads a strip with one line.
   *
   * @throws ScriptTimeoutError
   */
  async readLine(strip: Raster): Promise<ScriptReading> {
    const reading = this.worker.recognize(encodeGrey(strip), {}, { text: true, blocks: true });
    const { data } = await settleBefore(reading, this.deadline);
    const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs).flatMap((paragraph) => paragraph.lines);
    const words = lines
      .flatMap((line) => line.words)
      .map(({ text, bbox, confidence }) => ({
        text: text.replace(MARKS, ''),
        from: (bbox.x0 - MARGIN) / strip.width,
        to: (bbox.x1 - MARGIN) / strip.width,
        confidence: confidence / 100,
      }));
    return {
      text: data.text.replace(MARKS, '').replace(/\s+/g, ' ').trim(),
      words: words.filter(({ text }) => text !== ''),
      confidence: data.confidence / 100,
    };
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

/** The recogniser and its data, in the form results state them. */
export async function describeScriptModel({ code, dataFolder }: ScriptLanguage): Promise<ModelUse> {
  const data = await readFile(join(dataFolder, `${code}.traineddata.gz`));
  const sha256 = createHash('sha256').update(data).digest('hex');
  return { role: 'script_recogniser', name: `tesseract.js ${code}`, version: TESSERACT_VERSION, sha256 };
}
