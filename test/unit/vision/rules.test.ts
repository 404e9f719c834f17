import fc from 'fast-check';
import { computeLivenessScore } from '../../../domain/identity/biometrics/liveness';
import type { LivenessParts } from '../../../domain/identity/biometrics/result';
import { FACE_MATCH, getFalseMatchRate, computeMatchScore } from '../../../domain/identity/biometrics/thresholds';
import { parseCaption, detectPrintedType, getDocumentTypeByCode } from '../../../domain/identity/documents/labels';
import { parsePrintedDates } from '../../../domain/identity/documents/printed-dates';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

describe('match score', () => {
  test('is 50 at the match threshold and 25 at the review threshold', () => {
    expect(computeMatchScore(FACE_MATCH.match)).toBe(50);
    expect(computeMatchScore(FACE_MATCH.review)).toBe(25);
  });

  test('stays within 0 and 100 and rises with similarity, while the false match rate falls', () => {
    fc.assert(
      fc.property(cosine, cosine, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(computeMatchScore(low)).toBeLessThanOrEqual(computeMatchScore(high));
        expect(computeMatchScore(high)).toBeLessThanOrEqual(100);
        expect(computeMatchScore(low)).toBeGreaterThanOrEqual(0);
        expect(getFalseMatchRate(low)).toBeGreaterThanOrEqual(getFalseMatchRate(high));
      }),
    );
  });
});

describe('liveness score', () => {
  const parts = fc.record<LivenessParts>({
    model: share,
    narrowCrop: share,
    moire: share,
    specular: share,
    gamut: share,
    frameEdges: share,
    faceToFrame: share,
  });

  test('stays within 0 and 100, and no cue increases it', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom('moire', 'specular', 'gamut', 'frameEdges'), share, (value, cue, more) => {
        const { score } = computeLivenessScore(value);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        const raised = { ...value, [cue]: Math.max(value[cue], more) };
        expect(computeLivenessScore(raised).score).toBeLessThanOrEqual(score);
      }),
    );
  });

  test('is 100 for a face that both crops are certain of, without attack cues', () => {
    const sure = { model: 1, narrowCrop: 1, moire: 0, specular: 0, gamut: 0, frameEdges: 0, faceToFrame: 0.4 };
    expect(computeLivenessScore(sure)).toEqual({ score: 100, deductions: {} });
  });
});

describe('printed dates', () => {
  test.each([
    ['12.08.1974', '1974-08-12'],
    ['12 AUG/AOÛT 74', '1974-08-12'],
    ['12 AUG 1974', '1974-08-12'],
    ['1974-08-12', '1974-08-12'],
    ['Date of birth: 08/12/1974', '1974-08-12'],
    ['16 JUL/JUIL 2029', '2029-07-16'],
  ])('%s may be %s', (text, date) => {
    expect(parsePrintedDates(text)).toContain(date);
  });

  test.each(['', '99.99.1999', 'L898902C3', '30 FEB 2020', '123456789'])('%s is none', (text) => {
    expect(parsePrintedDates(text)).toEqual([]);
  });
});

describe('captions', () => {
  test.each([
    ['Surname / Nom', 'lastName', ''],
    ['Date de naissance / Date of birth', 'dateOfBirth', ''],
    ['Passport No. / Passeport N°', 'documentNumber', ''],
    ['Geburtsdatum: 12.08.1974', 'dateOfBirth', '12.08.1974'],
    ['Place of birth', 'placeOfBirth', ''],
    ['Date of expiry', 'expiryDate', ''],
  ])('"%s" is the caption of %s', (text, name, rest) => {
    expect(parseCaption(text)).toEqual({ name, rest });
  });

  test('a name is not a caption', () => {
    expect(parseCaption('ERIKSSON')).toBeNull();
  });

  test('titles and document codes determine the type', () => {
    expect(detectPrintedType('FÜHRERSCHEIN DRIVING LICENCE')).toBe('driving_licence');
    expect(detectPrintedType('PASSPORT · SPECIMEN')).toBe('passport');
    expect(getDocumentTypeByCode('P', 'UTO')).toBe('passport');
    expect(getDocumentTypeByCode('C1', 'USA')).toBe('residence_permit');
    expect(getDocumentTypeByCode('ID', 'CHE')).toBe('identity_card');
    expect(getDocumentTypeByCode('X', null)).toBeNull();
  });
});
