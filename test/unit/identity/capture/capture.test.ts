import { isCapturable, listCaptureSteps } from '../../../../domain/identity/capture/capture-steps';
import { buildConsentText, CAPTURE_LANGUAGES } from '../../../../domain/identity/capture/consent-texts';
import { isChoiceAccepted } from '../../../../domain/identity/capture/document-choice';
import { buildReturnUrl } from '../../../../domain/identity/capture/return-url';
import type { RiskAction, RiskCode } from '../../../../domain/identity/checks/risks';
import type { Feature } from '../../../../domain/identity/sessions/features';
import { DEFAULT_SETTINGS } from '../../../../domain/identity/sessions/settings';
import type { Attempt, Step } from '../../../../domain/identity/sessions/steps';

const NOW = new Date('2026-11-22T12:00:00Z');

const makeAttempt = (
  outcome: Attempt['outcome'],
  risks: [RiskCode, RiskAction][] = [],
  origin: Attempt['origin'] = 'client',
): Attempt => ({
  checkId: 'chk',
  at: NOW,
  origin,
  outcome,
  risks: risks.map(([code, action]) => ({ code, action })),
  superseded: false,
});

const makeStep = (feature: Feature, ...attempts: Attempt[]): Step => ({ feature, attempts });

const listSteps = (...steps: Step[]) => listCaptureSteps(steps, DEFAULT_SETTINGS, NOW);

describe('the steps of the capture page', () => {
  test('are those of the person, not those that the session runs by itself', () => {
    const all = listSteps(
      makeStep('id'),
      makeStep('liveness'),
      makeStep('face_match'),
      makeStep('aml'),
      makeStep('poa'),
    );
    expect(all.map(({ feature, task }) => [feature, task])).toEqual([
      ['id', 'document'],
      ['liveness', 'liveness'],
      ['poa', 'address'],
    ]);
    expect(listSteps(makeStep('id'), makeStep('face_match')).map(({ task }) => task)).toEqual(['document', 'selfie']);
  });

  test('show what a better capture may cure, and never what could help to deceive the checks', () => {
    const [step] = listSteps(
      makeStep(
        'id',
        makeAttempt('recapture', [
          ['image_blurred', 'recapture'],
          ['printed_copy_suspected', 'review'],
          ['mrz_not_found', 'review'],
        ]),
      ),
    );
    expect(step).toMatchObject({ status: 'retry', attemptsLeft: 2, problems: ['image_blurred'] });
    const [declined] = listSteps(makeStep('liveness', makeAttempt('declined', [['attack_suspected', 'decline']])));
    expect(declined).toMatchObject({ status: 'declined', problems: [] });
  });

  test('ask for another selfie if a comparison that follows from it needs one', () => {
    const steps = listSteps(
      makeStep('id', makeAttempt('approved')),
      makeStep('liveness', makeAttempt('approved')),
      makeStep('face_match', makeAttempt('declined', [['no_face_in_user_image', 'decline']], 'follow_on')),
    );
    expect(steps).toMatchObject([
      { feature: 'id', status: 'passed', problems: [] },
      { feature: 'liveness', status: 'retry', problems: ['no_face_in_user_image'] },
    ]);
  });
});

test.each<[Feature[], boolean]>([
  [['id', 'liveness', 'face_match', 'aml', 'database', 'age', 'poa'], true],
  [['id', 'face_match'], true],
  [['age'], true],
  [['aml', 'poa'], true],
  [['face_match'], false],
  [['liveness', 'database'], false],
])('a session of %j can be completed on the page: %s', (features, expected) => {
  expect(isCapturable(features)).toBe(expected);
});

test('the return URL has the id and status of the session in its query, also for the scheme of an app', () => {
  const session = { id: 'ses_1', status: 'approved' } as const;
  expect(buildReturnUrl('https://shop.example/done?a=1#top', session)).toBe(
    'https://shop.example/done?a=1&session_id=ses_1&status=approved#top',
  );
  expect(buildReturnUrl('shop.example:/verified', session)).toBe(
    'shop.example:/verified?session_id=ses_1&status=approved',
  );
});

test('a document is accepted by its type and issuing state', () => {
  const accepted = [{ type: 'passport' as const }, { type: 'identity_card' as const, countries: ['FRA'] }];
  expect(isChoiceAccepted(accepted, { type: 'passport', country: 'DEU' })).toBe(true);
  expect(isChoiceAccepted(accepted, { type: 'identity_card', country: 'FRA' })).toBe(true);
  expect(isChoiceAccepted(accepted, { type: 'identity_card', country: 'DEU' })).toBe(false);
  expect(isChoiceAccepted(null, { type: 'visa', country: 'DEU' })).toBe(true);
});

test.each(CAPTURE_LANGUAGES)('the consent text in %s names the organisation, whatever its name', (language) => {
  const text = buildConsentText(language, 'A $& B').join(' ');
  expect(text).toContain('A $& B');
  expect(text).not.toContain('{organisation}');
});
