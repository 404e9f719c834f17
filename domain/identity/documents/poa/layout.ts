/** A piece of text with its rectangle, relative to the page; y increases downwards. */
export interface TextPiece {
  text: string;
  /** From 0. */
  page: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** 0–1. */
  confidence: number;
}

export const getHeight = ({ top, bottom }: TextPiece): number => bottom - top;

export const getMiddle = ({ top, bottom }: TextPiece): number => (top + bottom) / 2;

/**
 * Pieces of one line belong together if the gap between them is below this many heights; wider gaps separate columns.
 */
const COLUMN_GAP = 1.4;
/** Below this many heights there is no space between them. */
const WORD_GAP = 0.12;

function mergePieces(a: TextPiece, b: TextPiece): TextPiece {
  const gap = b.left - a.right;
  return {
    text:
      a.text + (gap > WORD_GAP * getHeight(a) && !a.text.endsWith(' ') && !b.text.startsWith(' ') ? ' ' : '') + b.text,
    page: a.page,
    left: a.left,
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
    confidence: Math.min(a.confidence, b.confidence),
  };
}

/** True if two pieces are on the same line. */
const isSameLine = (a: TextPiece, b: TextPiece): boolean =>
  a.page === b.page && Math.abs(getMiddle(a) - getMiddle(b)) < 0.45 * Math.max(getHeight(a), getHeight(b));

/** Joins the pieces of each line and sorts the lines from the top of the first page; columns stay separate. */
export function joinLines(pieces: readonly TextPiece[]): TextPiece[] {
  const rows: TextPiece[][] = [];
  for (const piece of [...pieces].sort((a, b) => a.page - b.page || getMiddle(a) - getMiddle(b))) {
    if (piece.text.trim() === '') continue;
    const row = rows.slice(-4).find(([first]) => first !== undefined && isSameLine(first, piece));
    if (row === undefined) rows.push([piece]);
    else row.push(piece);
  }
  return rows.flatMap((row) => {
    const lines: TextPiece[] = [];
    for (const piece of row.sort((a, b) => a.left - b.left)) {
      const last = lines.at(-1);
      if (last !== undefined && piece.left - last.right < COLUMN_GAP * Math.max(getHeight(last), getHeight(piece))) {
        lines[lines.length - 1] = mergePieces(last, piece);
      } else lines.push(piece);
    }
    return lines.map((line) => ({ ...line, text: line.text.replace(/\s+/g, ' ').trim() }));
  });
}

/** Maximum distance between lines of one block, in heights. */
const LINE_PITCH = 2.1;

/** Groups lines below one another with the same left edge: address blocks, paragraphs, columns. */
export function groupBlocks(lines: readonly TextPiece[]): TextPiece[][] {
  const blocks: TextPiece[][] = [];
  for (const line of lines) {
    const block = blocks.findLast((candidate) => {
      const last = candidate.at(-1);
      if (last === undefined || last.page !== line.page) return false;
      const pitch = line.top - last.top;
      const alike = getHeight(line) < 1.6 * getHeight(last) && getHeight(last) < 1.6 * getHeight(line);
      return (
        alike &&
        pitch > 0.5 * getHeight(last) &&
        pitch < LINE_PITCH * getHeight(last) &&
        Math.abs(line.left - last.left) < getHeight(last)
      );
    });
    if (block === undefined) blocks.push([line]);
    else block.push(line);
  }
  return blocks;
}

/** The value of a caption: the rest of its line, else the text to its right, else the line below it. */
export function findValueAfter(caption: TextPiece, rest: string, lines: readonly TextPiece[]): TextPiece | null {
  if (rest !== '') return { ...caption, text: rest };
  const onSameLine = lines
    .filter((line) => line !== caption && isSameLine(line, caption) && line.left >= caption.right)
    .sort((a, b) => a.left - b.left);
  if (onSameLine[0] !== undefined) return onSameLine[0];
  const below = lines.filter(
    (line) =>
      line.page === caption.page &&
      line.top > getMiddle(caption) &&
      line.top - caption.top < 2.6 * getHeight(caption) &&
      line.left < caption.right &&
      line.right > caption.left,
  );
  return below.sort((a, b) => a.top - b.top)[0] ?? null;
}
