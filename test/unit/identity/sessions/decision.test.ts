import fc from 'fast-check';
import { evaluateSessionRules, listStepsNotRun } from '../../../../domain/identity/sessions/decision';
import { FEATURES } from '../../../../domain/identity/sessions/features';
import type { Feature } from '../../../../domain/identity/sessions/features';
import { isCurableByRetry, RISK_CODES, RISKS, computeVerdict } from '../../../../domain/identity/checks/risks';
import type { RiskCode } from '../../../../domain/identity/checks/risks';
import { DEFAULT_SETTINGS as settings } from '../../../../domain/identity/sessions/settings';
import {
  countAttemptsLeft,
  listDueFollowOns as listDueFollowOnsAt,
  hasRun,
  renamePair,
  reopenSteps,
  listStepsToReopen,
  computeStepStatus,
} from '../../../../domain/identity/sessions/steps';
import type { Attempt, AttemptOutcome, Step } from '../../../../domain/identity/sessions/steps';
import { DAY_MS } from '../../../../domain/durations';

const NOW = new Date('2026-01-15T00:00:00Z');
const dateBefore = (milliseconds: number): Date => new Date(NOW.getTime() - milliseconds);

let serial = 0;
const buildAttempt = (outcome: AttemptOutcome, codes: RiskCode[] = [], rest: Partial<Attempt> = {}): Attempt => ({
  checkId: `chk_${++serial}`,
  at: dateBefore(1000),
  origin: 'client',
  outcome,
  risks: codes.map((code) => ({ code, action: RISKS[code].action })),
  superseded: false,
  ...rest,
});

const buildStep = (feature: Feature, ...attempts: Attempt[]): Step => ({ feature, attempts });

const buildPassedStep = (feature: Feature): Step => buildStep(feature, buildAttempt('approved'));
const getStepStatus = (one: Step) => computeStepStatus(one, settings, NOW);
const listDueFollowOns = (steps: readonly Step[]) => listDueFollowOnsAt(steps, settings, NOW);

/** Possible attempts: the outcome is the verdict of the risks, or there is no verdict. */
const attemptArbitrary: fc.Arbitrary<Attempt> = fc
  .record({
    checkId: fc.uuid(),
    age: fc.integer({ min: 0, max: 12 * DAY_MS }),
    origin: fc.constantFrom('client' as const, 'follow_on' as const),
    unfinished: fc.constantFrom(null, null, null, 'processing' as const, 'failed' as const),
    codes: fc.subarray([...RISK_CODES], { maxLength: 3 }),
    superseded: fc.boolean(),
  })
  .map(({ age, unfinished, codes, ...rest }) => {
    const risks = unfinished === null ? codes.map((code) => ({ code, action: RISKS[code].action })) : [];
    return { ...rest, at: dateBefore(age), risks, outcome: unfinished ?? computeVerdict(risks) };
  });

const stepsArbitrary = fc
  .tuple(fc.subarray([...FEATURES], { minLength: 1 }), fc.array(fc.array(attemptArbitrary, { maxLength: 4 })))
  .map(([features, attempts]): Step[] => features.map((feature, i) => ({ feature, attempts: attempts[i] ?? [] })));

describe('the rules', () => {
  test('never approve while a step has no result', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const outcome = evaluateSessionRules(steps, settings, NOW);
        if (outcome.kind === 'decided' && outcome.status === 'approved') {
          expect(listStepsNotRun(steps)).toEqual([]);
          expect(steps.map(getStepStatus)).toEqual(steps.map(() => 'passed'));
          expect(outcome.reasons).toEqual([]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('decline only for a finding that no better capture cures, with it as the reason', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const outcome = evaluateSessionRules(steps, settings, NOW);
        if (outcome.kind !== 'decided' || outcome.status !== 'declined') return;
        expect(outcome.reasons.some((code) => !RISKS[code].retryable)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('decide nothing while a check is processing', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const busy = [...steps, buildStep('poa', buildAttempt('processing'))];
        expect(evaluateSessionRules(busy, settings, NOW).kind).toBe('waiting');
      }),
    );
  });

  test('decide nothing while an earlier attempt is processing, whose finding would call a reviewer', () => {
    const sent = (first: Attempt) => [buildStep('id', first, buildAttempt('approved'))];
    expect(getStepStatus(buildStep('id', buildAttempt('processing'), buildAttempt('approved')))).toBe('processing');
    expect(evaluateSessionRules(sent(buildAttempt('processing')), settings, NOW).kind).toBe('waiting');
    expect(evaluateSessionRules(sent(buildAttempt('declined', ['document_in_blocklist'])), settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['document_in_blocklist'],
    });
    const superseded = buildAttempt('processing', [], { superseded: true });
    expect(evaluateSessionRules(sent(superseded), settings, NOW)).toMatchObject({ status: 'approved' });
  });

  test('wait for every step that was not submitted', () => {
    const steps = [buildPassedStep('id'), buildStep('liveness'), buildStep('face_match')];
    expect(evaluateSessionRules(steps, settings, NOW)).toEqual({ kind: 'waiting', for: ['liveness', 'face_match'] });
    expect(evaluateSessionRules([], settings, NOW)).toEqual({ kind: 'waiting', for: [] });
  });

  test('approve when every step passed', () => {
    const steps = FEATURES.map(buildPassedStep);
    expect(evaluateSessionRules(steps, settings, NOW)).toEqual({ kind: 'decided', status: 'approved', reasons: [] });
  });

  test('decline the selfie of another person', () => {
    const steps = [
      buildPassedStep('id'),
      buildPassedStep('liveness'),
      buildStep('face_match', buildAttempt('declined', ['face_mismatch'])),
    ];
    expect(evaluateSessionRules(steps, settings, NOW)).toEqual({
      kind: 'decided',
      status: 'declined',
      reasons: ['face_mismatch'],
    });
  });

  test('wait for another check where the last one is about a replaced document, whose findings call a reviewer', () => {
    const passed = buildAttempt('approved', [], { outdated: true });
    const declined = buildAttempt('declined', ['face_mismatch'], { outdated: true });
    const without = (attempt: Attempt) => [buildPassedStep('id'), buildStep('face_match', attempt)];
    for (const attempt of [passed, declined]) {
      expect(evaluateSessionRules(without(attempt), settings, NOW)).toEqual({ kind: 'waiting', for: ['face_match'] });
      expect(listStepsNotRun(without(attempt))).toEqual(['face_match']);
      expect(countAttemptsLeft(buildStep('face_match', attempt), settings, NOW)).toBe(settings.maxAttempts);
    }
    const compared = (attempt: Attempt) => [
      buildPassedStep('id'),
      buildStep('face_match', attempt, buildAttempt('approved')),
    ];
    expect(evaluateSessionRules(compared(passed), settings, NOW)).toMatchObject({ status: 'approved' });
    expect(evaluateSessionRules(compared(declined), settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['face_mismatch'],
    });
  });

  test('wait for a retry where a better image may help, then go to review', () => {
    const blurred = () => buildAttempt('declined', ['document_not_recognised']);
    expect(getStepStatus(buildStep('id', blurred()))).toBe('retry');
    expect(evaluateSessionRules([buildStep('id', blurred())], settings, NOW)).toEqual({ kind: 'waiting', for: ['id'] });
    const spent = [buildStep('id', blurred(), blurred(), blurred()), buildStep('liveness')];
    expect(evaluateSessionRules(spent, settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['attempts_exhausted', 'document_not_recognised'],
    });
  });

  test('ask for another capture of a blurred document, never closing the session, then go to review', () => {
    const blurred = () => buildAttempt('recapture', ['image_blurred']);
    expect(getStepStatus(buildStep('id', blurred()))).toBe('retry');
    expect(evaluateSessionRules([buildStep('id', blurred())], settings, NOW)).toEqual({ kind: 'waiting', for: ['id'] });
    expect(
      listDueFollowOns([buildStep('id', blurred()), buildPassedStep('liveness'), buildStep('face_match')]),
    ).toEqual([]);
    const cured = [buildStep('id', blurred(), buildAttempt('approved'))];
    expect(evaluateSessionRules(cured, settings, NOW)).toEqual({ kind: 'decided', status: 'approved', reasons: [] });
    const spent = [buildStep('id', blurred(), blurred(), blurred())];
    expect(evaluateSessionRules(spent, settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['attempts_exhausted', 'image_blurred'],
    });
  });

  test('count a failed check as an attempt, but not as a result', () => {
    const broken = buildStep('liveness', buildAttempt('failed'), buildAttempt('failed'), buildAttempt('failed'));
    expect(getStepStatus(broken)).toBe('exhausted');
    expect(hasRun(broken)).toBe(false);
    expect(listStepsNotRun([buildPassedStep('id'), broken])).toEqual(['liveness']);
  });

  test('go to review for a doubt, and for a finding followed by a successful attempt', () => {
    expect(
      evaluateSessionRules([buildStep('id', buildAttempt('review', ['mrz_check_failed']))], settings, NOW),
    ).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['mrz_check_failed'],
    });
    const overtaken = buildStep('liveness', buildAttempt('declined', ['attack_suspected']), buildAttempt('approved'));
    expect(evaluateSessionRules([overtaken], settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['attack_suspected'],
    });
  });
});

describe('attempts', () => {
  test('older than the window do not count', () => {
    const old = buildAttempt('declined', ['no_face'], { at: dateBefore(8 * DAY_MS) });
    expect(countAttemptsLeft(buildStep('liveness', old, buildAttempt('declined', ['no_face'])), settings, NOW)).toBe(2);
  });

  test('are never negative and fall by at most one with each attempt', () => {
    fc.assert(
      fc.property(fc.array(attemptArbitrary), attemptArbitrary, (attempts, more) => {
        const earlier = countAttemptsLeft(buildStep('id', ...attempts), settings, NOW);
        const after = countAttemptsLeft(buildStep('id', ...attempts, more), settings, NOW);
        expect(after).toBeGreaterThanOrEqual(Math.max(0, earlier - 1));
        expect(after).toBeLessThanOrEqual(earlier);
      }),
    );
  });
});

describe('a comparison', () => {
  const document = buildAttempt('approved', [], { checkId: 'chk_document' });
  const selfie = buildAttempt('approved', [], { checkId: 'chk_selfie' });
  const both = (...comparisons: Attempt[]): Step[] => [
    buildStep('id', document),
    buildStep('liveness', selfie),
    buildStep('face_match', ...comparisons),
  ];

  test('follows as soon as document and selfie are usable, once per pair', () => {
    const expectedFollowOn = {
      kind: 'face_match',
      sources: { id: 'chk_document', liveness: 'chk_selfie' },
      pair: 'chk_document.chk_selfie',
    };
    expect(listDueFollowOns([buildStep('id', document), buildStep('liveness'), buildStep('face_match')])).toEqual([]);
    expect(listDueFollowOns(both())).toEqual([expectedFollowOn]);
    const compared = buildAttempt('approved', [], { origin: 'follow_on', pair: expectedFollowOn.pair });
    expect(listDueFollowOns(both(compared))).toEqual([]);
    expect(listDueFollowOns(both({ ...compared, superseded: true }))).toEqual([expectedFollowOn]);
    expect(listDueFollowOns([buildStep('id', document), buildStep('liveness', selfie)])).toEqual([]);
  });

  test('that failed is repeated until no attempts are left', () => {
    const failed = buildAttempt('failed', ['processing_failed'], {
      origin: 'follow_on',
      pair: 'chk_document.chk_selfie',
    });
    expect(listDueFollowOns(both(failed))).toHaveLength(1);
    expect(listDueFollowOns(both(failed, { ...failed, outcome: 'processing' }))).toEqual([]);
    const exhausted = both(...Array.from({ length: settings.maxAttempts }, () => failed));
    expect(listDueFollowOns(exhausted)).toEqual([]);
    expect(evaluateSessionRules(exhausted, settings, NOW)).toMatchObject({ kind: 'decided', status: 'in_review' });
  });

  test('follows again after a better document, and waits for a selfie that has to be repeated', () => {
    const comparison = buildAttempt('approved', [], { origin: 'follow_on', pair: 'chk_document.chk_selfie' });
    const later = [
      buildStep('id', document, buildAttempt('approved', [], { checkId: 'chk_later' })),
      buildStep('liveness', selfie),
      buildStep('face_match', comparison),
    ];
    expect(listDueFollowOns(later).map(({ pair }) => pair)).toEqual(['chk_later.chk_selfie']);
    const repeat = [
      buildStep('id', document),
      buildStep('liveness', buildAttempt('declined', ['no_face'])),
      buildStep('face_match'),
    ];
    expect(listDueFollowOns(repeat)).toEqual([]);
  });

  test("is not overridden by a client's comparison of other images", () => {
    const mismatch = buildAttempt('declined', ['face_mismatch'], { origin: 'follow_on', pair: 'p' });
    expect(getStepStatus(buildStep('face_match', mismatch, buildAttempt('approved')))).toBe('declined');
    expect(getStepStatus(buildStep('face_match', buildAttempt('approved'), mismatch))).toBe('declined');
  });

  test("is not blocked by a client's image without a face", () => {
    const match = buildAttempt('approved', [], { origin: 'follow_on', pair: 'p' });
    expect(getStepStatus(buildStep('face_match', match, buildAttempt('declined', ['no_face_in_user_image'])))).toBe(
      'passed',
    );
  });
});

describe('reopening', () => {
  const features: Feature[] = ['id', 'liveness', 'face_match'];

  test('includes the comparison with either of its inputs, and the selfie with the comparison', () => {
    expect(listStepsToReopen(features)).toEqual(features);
    expect(listStepsToReopen(features, ['id'])).toEqual(['id', 'face_match']);
    expect(listStepsToReopen(features, ['liveness'])).toEqual(['liveness', 'face_match']);
    expect(listStepsToReopen(features, ['face_match'])).toEqual(['liveness', 'face_match']);
    expect(listStepsToReopen(['id', 'liveness'], ['liveness'])).toEqual(['liveness']);
  });

  test('includes captures whose images are missing only where a reopened step examines them', () => {
    const all: Feature[] = ['id', 'liveness', 'face_match', 'poa', 'age', 'aml'];
    expect(listStepsToReopen(all, ['poa'], ['id', 'liveness'])).toEqual(['poa']);
    expect(listStepsToReopen(all, ['aml'], ['id', 'liveness'])).toEqual(['aml']);
    expect(listStepsToReopen(all, ['age'], ['id'])).toEqual(['id', 'liveness', 'face_match', 'age', 'aml']);
    expect(listStepsToReopen(all, ['id'], ['liveness'])).toEqual(['id', 'liveness', 'face_match', 'age', 'aml']);
    expect(listStepsToReopen(all, ['id'], ['id'])).toEqual(['id', 'face_match', 'aml']);
    expect(listStepsToReopen(['id', 'aml'], ['aml'], ['id'])).toEqual(['aml']);
  });

  test('of a copied session finds its follow-on checks under their new ids', () => {
    const ids = new Map([
      ['chk_a', 'chk_c'],
      ['chk_b', 'chk_d'],
    ]);
    expect(renamePair('chk_a.chk_b', ids)).toBe('chk_c.chk_d');
    expect(renamePair('session', ids)).toBe('session');
  });

  test('resets the attempts of a step and keeps its checks', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const reopened = reopenSteps(steps, FEATURES);
        for (const [index, one] of reopened.entries()) {
          expect(getStepStatus(one)).toBe('not_run');
          expect(countAttemptsLeft(one, settings, NOW)).toBe(settings.maxAttempts);
          expect(one.attempts.map(({ checkId }) => checkId)).toEqual(
            steps[index]?.attempts.map(({ checkId }) => checkId),
          );
        }
      }),
    );
  });
});

test('a step can be retried only if all its declining risks concern the capture', () => {
  fc.assert(
    fc.property(attemptArbitrary, (one) => {
      const current = { ...one, superseded: false, at: dateBefore(1) };
      if (getStepStatus(buildStep('id', current)) !== 'retry') return;
      expect(['failed', 'recapture'].includes(current.outcome) || isCurableByRetry(current.risks)).toBe(true);
    }),
  );
});
