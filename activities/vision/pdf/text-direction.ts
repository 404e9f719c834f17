/** A rectangle in points: in PDF coordinates, which start at the bottom left, or from the top left of upright text. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Quarter turns anticlockwise by which text is turned in the coordinates of its page. */
export type TextTurn = 0 | 1 | 2 | 3;

const TURNS: readonly TextTurn[] = [0, 1, 2, 3];

/**
 * The direction of most characters of a page. That of the text counts, and not how a viewer turns the page: the text is
 * the same whether or not the page is displayed upright.
 *
 * @param angles clockwise, in radians
 */
export function findTextTurn(angles: readonly number[]): TextTurn {
  const counts = [0, 0, 0, 0];
  for (const angle of angles) {
    const turn = (4 - (Math.round(angle / (Math.PI / 2)) % 4)) % 4;
    counts[turn] = (counts[turn] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return TURNS.find((turn) => counts[turn] === most) ?? 0;
}

/**
 * The rectangle of a character from the top left of its page, once the page is turned so that its text is upright.
 *
 * @param page size of the page as stored, before a viewer turns it
 */
export function uprightBounds(
  { left, top, right, bottom }: Bounds,
  turn: TextTurn,
  { width, height }: { width: number; height: number },
): Bounds {
  switch (turn) {
    case 0:
      return { left, top: height - top, right, bottom: height - bottom };
    case 1:
      return { left: bottom, top: left, right: top, bottom: right };
    case 2:
      return { left: width - right, top: bottom, right: width - left, bottom: top };
    case 3:
      return { left: height - top, top: width - right, right: height - bottom, bottom: width - left };
  }
}
