import fc from 'fast-check';
import { decide, stepsNotRun } from '../../../../domain/identity/sessions/decision';
import { AVAILABLE_FEATURES } from '../../../../domain/identity/checks/checks';
import type { Feature } from '../../../../domain/identity/sessions/features';
import { curableByRetry, RISK_CODES, RISKS, verdictOf } from '../../../../domain/identity/checks/risks';
import type { RiskCode } from '../../../../domain/identity/checks/risks';
import { DEFAULT_SETTINGS as settings } from '../../../../domain/identity/sessions/settings';
import {
  attemptsLeft,
  dueFollowOns,
  hasRun,
  reopenSteps,
  stepsToReopen,
  stepStatus,
} from '../../../../domain/identity/sessions/steps';
import type { Attempt, AttemptOutcome, Step } from '../../../../domain/identity/sessions/steps';

const NOW = new Date('2026-01-15T00:00:00Z');
const before = (milliseconds: number): Date => new Date(NOW.getTime() - milliseconds);
const DAY = 86_400_000;

let serial = 0;
const attempt = (outcome: AttemptOutcome, codes: RiskCode[] = [], rest: Partial<Attempt> = {}): Attempt => ({
  checkId: `chk_${++serial}`,
  at: before(1000),
  origin: 'client',
  outcome,
  risks: codes.map((code) => ({ code, action: RISKS[code].action })),
  superseded: false,
  ...rest,
});

const step = (feature: Feature, ...attempts: Attempt[]): Step => ({ feature, attempts });

const passed = (feature: Feature): Step => step(feature, attempt('approved'));
const status = (one: Step) => stepStatus(one, settings, NOW);

/** Attempts as they can come about: the outcome is the verdict of the risks, or no verdict at all. */
const attemptArbitrary: fc.Arbitrary<Attempt> = fc
  .record({
    checkId: fc.uuid(),
    age: fc.integer({ min: 0, max: 12 * DAY }),
    origin: fc.constantFrom('client' as const, 'follow_on' as const),
    unfinished: fc.constantFrom(null, null, null, 'processing' as const, 'failed' as const),
    codes: fc.subarray([...RISK_CODES], { maxLength: 3 }),
    superseded: fc.boolean(),
  })
  .map(({ age, unfinished, codes, ...rest }) => {
    const risks = unfinished === null ? codes.map((code) => ({ code, action: RISKS[code].action })) : [];
    return { ...rest, at: before(age), risks, outcome: unfinished ?? verdictOf(risks) };
  });

const stepsArbitrary = fc
  .tuple(fc.subarray([...AVAILABLE_FEATURES], { minLength: 1 }), fc.array(fc.array(attemptArbitrary, { maxLength: 4 })))
  .map(([features, attempts]): Step[] => features.map((feature, i) => ({ feature, attempts: attempts[i] ?? [] })));

describe('the rules', () => {
  test('never approve while a step has not come to a result', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const outcome = decide(steps, settings, NOW);
        if (outcome.kind === 'decided' && outcome.status === 'approved') {
          expect(stepsNotRun(steps)).toEqual([]);
          expect(steps.map(status)).toEqual(steps.map(() => 'passed'));
          expect(outcome.reasons).toEqual([]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('decline only for a finding that no better capture cures, and name it', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const outcome = decide(steps, settings, NOW);
        if (outcome.kind !== 'decided' || outcome.status !== 'declined') return;
        expect(outcome.reasons.some((code) => !RISKS[code].retryable)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('decide nothing while a check is under way', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const busy = [...steps, step('poa', attempt('processing'))];
        expect(decide(busy, settings, NOW).kind).toBe('waiting');
      }),
    );
  });

  test('wait for every step not yet submitted', () => {
    const steps = [passed('id'), step('liveness'), step('face_match')];
    expect(decide(steps, settings, NOW)).toEqual({ kind: 'waiting', for: ['liveness', 'face_match'] });
    expect(decide([], settings, NOW)).toEqual({ kind: 'waiting', for: [] });
  });

  test('approve when every step passed', () => {
    const steps = AVAILABLE_FEATURES.map(passed);
    expect(decide(steps, settings, NOW)).toEqual({ kind: 'decided', status: 'approved', reasons: [] });
  });

  test("decline a second person's selfie", () => {
    const steps = [passed('id'), passed('liveness'), step('face_match', attempt('declined', ['face_mismatch']))];
    expect(decide(steps, settings, NOW)).toEqual({ kind: 'decided', status: 'declined', reasons: ['face_mismatch'] });
  });

  test('ask for another attempt where a better picture may help, then call a reviewer', () => {
    const blurred = () => attempt('declined', ['document_not_recognised']);
    expect(status(step('id', blurred()))).toBe('retry');
    expect(decide([step('id', blurred())], settings, NOW)).toEqual({ kind: 'waiting', for: ['id'] });
    const spent = [step('id', blurred(), blurred(), blurred()), step('liveness')];
    expect(decide(spent, settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['attempts_exhausted', 'document_not_recognised'],
    });
  });

  test('count a check that could not be run as an attempt, and never as a result', () => {
    const broken = step('liveness', attempt('failed'), attempt('failed'), attempt('failed'));
    expect(status(broken)).toBe('exhausted');
    expect(hasRun(broken)).toBe(false);
    expect(stepsNotRun([passed('id'), broken])).toEqual(['liveness']);
  });

  test('call a reviewer for a doubt, and for a finding that a later attempt covers', () => {
    expect(decide([step('id', attempt('review', ['image_blurred']))], settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['image_blurred'],
    });
    const overtaken = step('liveness', attempt('declined', ['attack_suspected']), attempt('approved'));
    expect(decide([overtaken], settings, NOW)).toEqual({
      kind: 'decided',
      status: 'in_review',
      reasons: ['attack_suspected'],
    });
  });
});

describe('attempts', () => {
  test('older than the window count no more', () => {
    const old = attempt('declined', ['no_face'], { at: before(8 * DAY) });
    expect(attemptsLeft(step('liveness', old, attempt('declined', ['no_face'])), settings, NOW)).toBe(2);
  });

  test('are never negative and fall by at most one with each attempt', () => {
    fc.assert(
      fc.property(fc.array(attemptArbitrary), attemptArbitrary, (attempts, more) => {
        const earlier = attemptsLeft(step('id', ...attempts), settings, NOW);
        const after = attemptsLeft(step('id', ...attempts, more), settings, NOW);
        expect(after).toBeGreaterThanOrEqual(Math.max(0, earlier - 1));
        expect(after).toBeLessThanOrEqual(earlier);
      }),
    );
  });
});

describe('a comparison', () => {
  const document = attempt('approved', [], { checkId: 'chk_document' });
  const selfie = attempt('approved', [], { checkId: 'chk_selfie' });
  const both = (...comparisons: Attempt[]): Step[] => [
    step('id', document),
    step('liveness', selfie),
    step('face_match', ...comparisons),
  ];

  test('follows as soon as document and selfie are there, and once for the same pair', () => {
    const wanted = {
      kind: 'face_match',
      sources: { id: 'chk_document', liveness: 'chk_selfie' },
      pair: 'chk_document.chk_selfie',
    };
    expect(dueFollowOns([step('id', document), step('liveness'), step('face_match')])).toEqual([]);
    expect(dueFollowOns(both())).toEqual([wanted]);
    const compared = attempt('approved', [], { origin: 'follow_on', pair: wanted.pair });
    expect(dueFollowOns(both(compared))).toEqual([]);
    expect(dueFollowOns(both({ ...compared, superseded: true }))).toEqual([wanted]);
    expect(dueFollowOns([step('id', document), step('liveness', selfie)])).toEqual([]);
  });

  test('follows anew when a better document came, and waits for a selfie that has to be repeated', () => {
    const comparison = attempt('approved', [], { origin: 'follow_on', pair: 'chk_document.chk_selfie' });
    const later = [
      step('id', document, attempt('approved', [], { checkId: 'chk_later' })),
      step('liveness', selfie),
      step('face_match', comparison),
    ];
    expect(dueFollowOns(later).map(({ pair }) => pair)).toEqual(['chk_later.chk_selfie']);
    const repeat = [step('id', document), step('liveness', attempt('declined', ['no_face'])), step('face_match')];
    expect(dueFollowOns(repeat)).toEqual([]);
  });

  test("is not overruled by a client's own comparison of other pictures", () => {
    const mismatch = attempt('declined', ['face_mismatch'], { origin: 'follow_on', pair: 'p' });
    expect(status(step('face_match', mismatch, attempt('approved')))).toBe('declined');
    expect(status(step('face_match', attempt('approved'), mismatch))).toBe('declined');
  });

  test("is not held up by a client's picture without a face", () => {
    const match = attempt('approved', [], { origin: 'follow_on', pair: 'p' });
    expect(status(step('face_match', match, attempt('declined', ['no_face_in_user_image'])))).toBe('passed');
  });
});

describe('reopening', () => {
  const features: Feature[] = ['id', 'liveness', 'face_match'];

  test('takes the comparison along with either of its inputs, and the selfie along with the comparison', () => {
    expect(stepsToReopen(features)).toEqual(features);
    expect(stepsToReopen(features, ['id'])).toEqual(['id', 'face_match']);
    expect(stepsToReopen(features, ['liveness'])).toEqual(['liveness', 'face_match']);
    expect(stepsToReopen(features, ['face_match'])).toEqual(['liveness', 'face_match']);
    expect(stepsToReopen(['id', 'liveness'], ['liveness'])).toEqual(['liveness']);
  });

  test('gives a step its attempts back and keeps what was submitted', () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        const reopened = reopenSteps(steps, AVAILABLE_FEATURES);
        for (const [index, one] of reopened.entries()) {
          expect(status(one)).toBe('not_run');
          expect(attemptsLeft(one, settings, NOW)).toBe(settings.maxAttempts);
          expect(one.attempts.map(({ checkId }) => checkId)).toEqual(
            steps[index]?.attempts.map(({ checkId }) => checkId),
          );
        }
      }),
    );
  });
});

test('a step asks for another attempt only where its declining risks are all of capture', () => {
  fc.assert(
    fc.property(attemptArbitrary, (one) => {
      const current = { ...one, superseded: false, at: before(1) };
      if (status(step('id', current)) !== 'retry') return;
      expect(current.outcome === 'failed' || curableByRetry(current.risks)).toBe(true);
    }),
  );
});
