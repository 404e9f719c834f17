import { CHECK_KINDS, CHECKS } from '../../../../domain/identity/checks/checks';
import { RISK_CODES, RISKS, computeVerdict } from '../../../../domain/identity/checks/risks';
import { isSandboxValue, getSandboxVerdict } from '../../../../domain/identity/checks/sandbox';
import { SANDBOX_RESULTS } from '../../../../domain/identity/checks/sandbox-results';

const listRisks = (value: string, feature: Parameters<typeof getSandboxVerdict>[1]) => {
  const verdict = getSandboxVerdict(value, feature);
  return verdict.fails ? ['fails'] : verdict.risks;
};

describe('sandbox values', () => {
  test('outcomes and risk codes are values, anything else is not', () => {
    for (const value of ['approve', 'review', 'decline', 'fail', ...RISK_CODES, 'liveness_low, face_mismatch']) {
      expect([value, isSandboxValue(value)]).toEqual([value, true]);
    }
    for (const value of ['', 'approved', 'approve,decline', 'document_expired,', 'constructor']) {
      expect([value, isSandboxValue(value)]).toEqual([value, false]);
    }
  });

  test('an outcome produces its verdict for each kind of check', () => {
    for (const kind of CHECK_KINDS) {
      const { feature } = CHECKS[kind];
      if (feature === null) continue;
      const verdict = (value: string) => {
        const outcome = getSandboxVerdict(value, feature);
        return outcome.fails ? 'failed' : computeVerdict(outcome.risks.map((code) => RISKS[code]));
      };
      expect(verdict('approve')).toBe('approved');
      expect(verdict('fail')).toBe('failed');
      expect(['review', 'declined']).toContain(verdict('review'));
      expect(['review', 'declined']).toContain(verdict('decline'));
    }
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
  const today = '2026-11-21';

  test('have the requested risks and the expected details', () => {
    const expected = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '2000-11-22', country: 'GBR' };
    const input = { checkId: 'chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7', today, expected, risks: [] };
    expect(SANDBOX_RESULTS.id_verification?.(input)).toMatchObject({
      status: 'approved',
      fullName: 'Ada Byron',
      age: 25,
      issuingState: 'GBR',
      documentNumber: 'SV8X1Y4Z7',
      expiryDate: '2034-01-15',
    });
    const expired = SANDBOX_RESULTS.id_verification?.({ ...input, risks: ['document_expired'] });
    expect(expired).toMatchObject({
      status: 'declined',
      risks: [{ code: 'document_expired' }],
      expiryDate: '2025-01-15',
    });
  });

  test('have measurements that match the verdict', () => {
    const input = { checkId: 'chk_1', today, expected: null, risks: [] };
    expect(SANDBOX_RESULTS.face_match?.(input)).toMatchObject({ match: true, status: 'approved' });
    expect(SANDBOX_RESULTS.face_match?.({ ...input, risks: ['face_mismatch'] })).toMatchObject({ match: false });
    expect(SANDBOX_RESULTS.liveness?.({ ...input, risks: ['no_face'] })).toMatchObject({ face: null, score: null });
    expect(SANDBOX_RESULTS.liveness?.({ ...input, risks: ['attack_suspected'] })?.score).toBeLessThan(30);
  });
});
