import { getCalendarDays } from '../../../../domain/identity/calendar-days';
import { computeVerdict } from '../../../../domain/identity/checks/risks';
import { assessProofMismatches, assessProofRisks } from '../../../../domain/identity/documents/poa/risks';
import type { ProofLegibility } from '../../../../domain/identity/documents/poa/risks';

const TODAY = '2026-06-15';
const DAYS = { earliest: TODAY, today: TODAY, latest: TODAY };

describe('risks of a proof of address', () => {
  const proof = {
    issueDate: '2026-05-01',
    issuer: 'Acme',
    address: { raw: 'x', street: null, city: null, region: null, postalCode: null, country: null },
    confidence: 1,
    name: 'Klara Martinsdotter',
    language: 'en',
  };
  const LEGIBLE = { characters: 500, lines: 20, sharpness: null, foreignScript: false };
  const assess = (changes: object, legibility: Partial<ProofLegibility> = {}, days = DAYS) =>
    assessProofRisks({ ...proof, ...changes }, { ...LEGIBLE, ...legibility }, days);
  const codes = (changes: object, legibility: Partial<ProofLegibility> = {}): string[] =>
    assess(changes, legibility).map(({ code }) => code);

  test('are none for a valid one', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ issueDate: '2026-03-17' })).toEqual([]);
    expect(codes({ issueDate: TODAY })).toEqual([]);
  });

  test('count from the days that it is anywhere', () => {
    const assessAt = (issueDate: string, at: string) =>
      assess({ issueDate }, {}, getCalendarDays(new Date(at))).map(({ code }) => code);
    expect(assessAt('2026-06-16', '2026-06-15T20:00:00Z')).toEqual([]);
    expect(assessAt('2026-06-17', '2026-06-15T20:00:00Z')).toEqual(['poa_date_in_future']);
    expect(assessAt('2026-03-17', '2026-06-16T00:30:00Z')).toEqual([]);
    expect(assessAt('2026-03-17', '2026-06-16T12:00:00Z')).toEqual(['poa_too_old']);
  });

  test('name what is missing or out of date', () => {
    expect(codes({ issueDate: '2026-03-16' })).toEqual(['poa_too_old']);
    expect(codes({ issueDate: '2026-06-16' })).toEqual(['poa_date_in_future']);
    expect(codes({ issueDate: null })).toEqual(['poa_poor_quality']);
    expect(codes({ issuer: null })).toEqual(['poa_issuer_not_found']);
    expect(codes({ address: null })).toEqual(['poa_address_not_found']);
    expect(codes({ name: null })).toEqual(['poa_name_not_found']);
    expect(codes({ confidence: 0.5 })).toEqual(['poa_poor_quality']);
    expect(codes({}, { characters: 20 })).toEqual(['poa_poor_quality']);
  });

  test('never approve a letter without a name', () => {
    expect(computeVerdict(assess({ name: null }))).toBe('review');
  });

  test('ask for another capture of a letter that is hardly legible, and for another letter without a date', () => {
    expect(computeVerdict(assess({ confidence: 0.5 }, { sharpness: 5 }))).toBe('recapture');
    expect(computeVerdict(assess({ issueDate: null }))).toBe('declined');
  });

  test.each([
    ['of another script', { language: 'ar' }, { foreignScript: true }],
    ['of a text layer in an unknown language', { language: null }, {}],
    ['sharp, but recognised as nonsense', { language: 'fr', confidence: 0.5 }, { sharpness: 60 }],
    ['sharp, in no language that is known', { language: null }, { sharpness: 60, characters: 30 }],
  ])('call a reviewer for a letter that people can read: %s', (_what, changes, legibility) => {
    const risks = assess({ address: null, name: null, issueDate: null, issuer: null, ...changes }, legibility);
    expect(risks.map(({ code }) => code)).toEqual(['poa_script_not_supported']);
    expect(computeVerdict(risks)).toBe('review');
  });

  test('compare names of different completeness with any holder', () => {
    const of = (name: string | null, known: string[], otherNames: string[] = []): string[] =>
      assessProofMismatches({ name, otherNames, address: null }, { names: known, address: null }).map(
        ({ code }) => code,
      );
    expect(of('Klara Martinsdotter', ['KLARA EMILIA MARTINSDOTTER'])).toEqual([]);
    expect(of('Klara Emilia Martinsdotter', ['KLARA MARTINSDOTTER'])).toEqual([]);
    expect(of('Erik Holm', ['KLARA MARTINSDOTTER'], ['Klara Martinsdotter'])).toEqual([]);
    expect(of('Erik Holm', ['KLARA MARTINSDOTTER'])).toEqual(['poa_name_mismatch']);
    // A name that was not found has a risk of its own.
    expect(of(null, ['KLARA MARTINSDOTTER'])).toEqual([]);
    expect(of('Erik Holm', [])).toEqual([]);
  });
});
