import { readSources } from './repository';

const tests = (): [string, string][] => [...readSources('test')].filter(([file]) => file.endsWith('.test.ts'));

/** Finds tests by the codes they name in quotes. */
export class TestIndex {
  private readonly files = tests();

  /** Tests below the folders that name the code as a whole text, such as `'paid'`; all folders where none is given. */
  findNaming(code: string, folders: readonly string[] = ['test/']): string[] {
    const quoted = new RegExp(`['"\`]${code.replace(/[.*+]/g, '\\$&')}['"\`]`);
    return this.files
      .filter(([file]) => folders.some((folder) => file.startsWith(folder)) && !file.startsWith('test/unit/docs/'))
      .filter(([, text]) => quoted.test(text))
      .map(([file]) => file);
  }
}
