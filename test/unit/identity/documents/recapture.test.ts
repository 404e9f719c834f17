import {
  isScreenshot,
  RECAPTURE_LIMITS,
  detectRecapture,
  assessRecaptureRisks,
} from '../../../../domain/identity/documents/recapture';
import type { CaptureTraits, FileOrigin, FineStructure } from '../../../../domain/identity/documents/recapture';
import { isImpossibleDate } from '../../../../domain/identity/documents/printed-dates';

const PLAIN: FineStructure = { median: 3.6, opponentShare: 0, lattice: 4.5 };
const CAMERA: FileOrigin = { format: 'jpeg', width: 4032, height: 3024, namedScreenshot: false };
const HONEST: CaptureTraits = { side: 'front', chroma: 6, structure: PLAIN, origin: CAMERA };

const listRiskCodes = (captures: CaptureTraits[]): string[] =>
  assessRecaptureRisks(captures, 'front').map(({ code }) => code);

describe('the fine structure of an image', () => {
  const { minMedian, minLattice, minOpponentShare, minOpponentShareOfGrid } = RECAPTURE_LIMITS;

  test('is inconclusive below its limits, however colours alternate', () => {
    expect(detectRecapture(PLAIN)).toBeNull();
    expect(detectRecapture({ median: minMedian - 0.1, lattice: minLattice - 0.1, opponentShare: 1 })).toBeNull();
  });

  test('indicates a print if all squares share a grid of one colour', () => {
    expect(detectRecapture({ ...PLAIN, lattice: minLattice })).toBe('print');
  });

  test.each([
    ['colours alternate in its grid', { ...PLAIN, lattice: minLattice, opponentShare: minOpponentShareOfGrid }],
    ['colours alternate in peaks that drift', { ...PLAIN, median: minMedian, opponentShare: minOpponentShare }],
  ])('is of a display where %s', (_what, structure) => {
    expect(detectRecapture(structure)).toBe('screen');
  });
});

test('any number of fine lines of one colour indicate a genuine document', () => {
  expect(detectRecapture({ median: 12, opponentShare: 0.05, lattice: 9 })).toBeNull();
});

describe('the origin of a file', () => {
  test('is a screen if its metadata say so', () => {
    expect(isScreenshot({ ...CAMERA, namedScreenshot: true })).toBe(true);
  });

  test.each([
    ['png', 1170, 2532, true],
    ['png', 2532, 1170, true],
    ['jpeg', 1170, 2532, false],
    ['png', 1171, 2532, false],
    // Browsers capture frames of a video stream.
    ['png', 1080, 1920, false],
    ['png', 1280, 720, false],
  ] as const)('of a %s of %d × %d is a screenshot: %s', (format, width, height, expected) => {
    expect(isScreenshot({ ...CAMERA, format, width, height })).toBe(expected);
  });
});

describe('the risk of a copy', () => {
  test('is not raised for a genuine image, nor for one too small to be measured', () => {
    expect(listRiskCodes([HONEST, { ...HONEST, structure: null }])).toEqual([]);
  });

  test('is raised once for both sides and causes a review', () => {
    const copied = { ...HONEST, structure: { ...PLAIN, median: 8, opponentShare: 0.5 } };
    expect(assessRecaptureRisks([copied, { ...copied, side: 'back' }], 'front')).toMatchObject([
      { code: 'screen_capture_suspected', action: 'review', details: { side: 'front', cue: 'pixel_grid', median: 8 } },
    ]);
  });

  test('takes a lack of colour for a copy only on the side with the portrait', () => {
    const grey = { ...HONEST, chroma: 0.2 };
    expect(listRiskCodes([grey])).toEqual(['printed_copy_suspected']);
    expect(listRiskCodes([HONEST, { ...grey, side: 'back' }])).toEqual([]);
  });
});

describe('a printed date', () => {
  test.each(['31.02.1991', '1991-02-31', '31 FEB 1991', '00/01/2020', '13.13.2020'])(
    'such as %s is impossible',
    (text) => {
      expect(isImpossibleDate(text)).toBe(true);
    },
  );

  test.each(['28.02.1991', '1991-02-28', '29 FEB 2024', 'ZENITH', '12 1991', 'X42K90617', '02/13/2020'])(
    'is not what %s is taken for',
    (text) => {
      expect(isImpossibleDate(text)).toBe(false);
    },
  );
});
