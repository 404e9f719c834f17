import { CHECK_KINDS, CHECKS } from '../../../../domain/identity/checks/checks';
import { RISK_CODES } from '../../../../domain/identity/checks/risks';
import type { RiskCode } from '../../../../domain/identity/checks/risks';
import { isSandboxValue, getSandboxVerdict } from '../../../../domain/identity/checks/sandbox';
import { SANDBOX_RESULTS } from '../../../../domain/identity/checks/sandbox-results';

const listRisks = (value: string, feature: Parameters<typeof getSandboxVerdict>[1]) => {
  const verdict = getSandboxVerdict(value, feature);
  return verdict.fails ? ['fails'] : verdict.risks.map(({ code }) => code);
};

const input = { checkId: 'chk_1', today: '2026-11-21', expected: null, minimumAge: null };

/** Risks with their default actions. */
const toRisks = (...codes: RiskCode[]) => codes.map((code) => ({ code, action: null }));

describe('sandbox values', () => {
  test('outcomes and risk codes are values, anything else is not', () => {
    for (const value of ['approve', 'review', 'decline', 'fail', ...RISK_CODES, 'liveness_low, face_mismatch']) {
      expect([value, isSandboxValue(value)]).toEqual([value, true]);
    }
    for (const value of ['', 'approved', 'approve,decline', 'document_expired,', 'constructor']) {
      expect([value, isSandboxValue(value)]).toEqual([value, false]);
    }
  });

  test.each(CHECK_KINDS)('an outcome produces exactly its verdict in a check of kind %s', (kind) => {
    const { feature } = CHECKS[kind];
    const buildResult = SANDBOX_RESULTS[kind];
    if (feature === null || buildResult === undefined) return;
    const judge = (value: string) => {
      const outcome = getSandboxVerdict(value, feature);
      return outcome.fails ? 'failed' : buildResult({ ...input, risks: outcome.risks }).status;
    };
    expect(['approve', 'review', 'decline', 'fail'].map(judge)).toEqual(['approved', 'review', 'declined', 'failed']);
  });

  test('an outcome causes the first risk of the feature that has it', () => {
    expect(listRisks('decline', 'id')).toEqual(['document_expired']);
    expect(listRisks('review', 'liveness')).toEqual(['liveness_low']);
  });

  test('risk codes affect only checks of their own feature', () => {
    const value = 'document_expired,liveness_low';
    expect(listRisks(value, 'id')).toEqual(['document_expired']);
    expect(listRisks(value, 'liveness')).toEqual(['liveness_low']);
    expect(listRisks(value, 'face_match')).toEqual([]);
  });
});

describe('sandbox results', () => {
  test('have the requested risks and the expected details', () => {
    const expected = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '2000-11-22', country: 'GBR' };
    const document = { ...input, checkId: 'chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7', expected };
    expect(SANDBOX_RESULTS.id_verification?.({ ...document, risks: [] })).toMatchObject({
      status: 'approved',
      fullName: 'Ada Byron',
      age: 25,
      issuingState: 'GBR',
      documentNumber: 'SV8X1Y4Z7',
      expiryDate: '2034-01-15',
    });
    const expired = SANDBOX_RESULTS.id_verification?.({ ...document, risks: toRisks('document_expired') });
    expect(expired).toMatchObject({
      status: 'declined',
      risks: [{ code: 'document_expired' }],
      expiryDate: '2025-01-15',
    });
  });

  test('have measurements that match the verdict', () => {
    const { face_match: matchFaces, liveness, age } = SANDBOX_RESULTS;
    expect(matchFaces?.({ ...input, risks: [] })).toMatchObject({ match: true, status: 'approved' });
    expect(matchFaces?.({ ...input, risks: toRisks('face_mismatch') })).toMatchObject({
      match: false,
      similarity: 0.04,
    });
    const uncertain = matchFaces?.({ ...input, risks: [{ code: 'face_mismatch', action: 'review' }] });
    expect(uncertain).toMatchObject({ match: false, similarity: 0.32, status: 'review' });
    expect(liveness?.({ ...input, risks: toRisks('no_face') })).toMatchObject({ face: null, score: null });
    expect(liveness?.({ ...input, risks: toRisks('attack_suspected') })?.score).toBeLessThan(30);
    for (const minimumAge of [5, 18, 60]) {
      const answers = (['ignore', 'review', 'decline'] as const).map(
        (action) =>
          age?.({
            ...input,
            minimumAge,
            risks: action === 'ignore' ? [] : [{ code: 'minimum_age_not_met', action }],
          }).meetsMinimumAge,
      );
      expect([minimumAge, ...answers]).toEqual([minimumAge, 'yes', 'uncertain', 'no']);
    }
  });
});
