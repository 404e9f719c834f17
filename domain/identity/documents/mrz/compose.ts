import { computeCheckDigit } from './check-digit';
import { MRZ_LAYOUTS } from './format';
import type { MrzFieldKey, MrzFormat } from './format';

/** The content of a zone: text per field, without fillers; dates YYMMDD; names `SURNAME<<GIVEN<NAMES`. */
export type MrzContent = Partial<Record<MrzFieldKey, string>>;

/**
 * Composes a zone: fields are cut or filled to their length and all check digits computed. The inverse of `parseMrz`
 * for document numbers of at most nine characters.
 */
export function composeMrz(format: MrzFormat, content: MrzContent): string[] {
  const layout = MRZ_LAYOUTS[format];
  const lines = Array.from({ length: layout.lineCount }, () => Array.from('<'.repeat(layout.lineLength)));
  const writeText = (line: number, start: number, text: string): void => {
    [...text].forEach((character, index) => {
      const row = lines[line];
      if (row) row[start + index] = character;
    });
  };
  for (const [key, fieldLayout] of Object.entries(layout.fields)) {
    const value = Object.entries(content).find(([name]) => name === key)?.[1] ?? '';
    writeText(fieldLayout.line, fieldLayout.start, value.slice(0, fieldLayout.end - fieldLayout.start));
  }
  // The composite digit covers the other digits, so it is written last.
  for (const { over, at } of layout.digits) {
    const text = over.map(({ line, start, end }) => (lines[line] ?? []).slice(start, end).join('')).join('');
    writeText(at.line, at.position, String(computeCheckDigit(text) ?? '<'));
  }
  return lines.map((row) => row.join(''));
}
