import { listAwaitedSteps } from '../../../../domain/identity/sessions/progress';
import type { StepProgress } from '../../../../domain/identity/sessions/progress';
import { isAutomatic } from '../../../../domain/identity/sessions/steps';
import type { Feature } from '../../../../domain/identity/sessions/features';

const listAutomatic = (...features: Feature[]): Feature[] =>
  features.filter((feature) =>
    isAutomatic(
      features.map((each) => ({ feature: each })),
      feature,
    ),
  );

test('a session runs a step by itself if it has the steps that it follows from, or may use its own data', () => {
  expect(listAutomatic('id', 'liveness', 'face_match', 'poa')).toEqual(['face_match']);
  expect(listAutomatic('id', 'face_match')).toEqual([]);
  expect(listAutomatic('aml')).toEqual(['aml']);
  expect(listAutomatic('database', 'aml')).toEqual(['aml']);
});

test('the person is awaited for steps that are undone, and for automatic ones only if nothing else is left', () => {
  const step = (feature: Feature, status: StepProgress['status'], automatic: boolean): StepProgress => ({
    feature,
    status,
    automatic,
    risks: [],
  });
  const face = step('face_match', 'not_run', true);
  expect(listAwaitedSteps([step('id', 'retry', false), step('liveness', 'passed', false), face])).toEqual(['id']);
  expect(listAwaitedSteps([step('id', 'passed', false), step('liveness', 'passed', false), face])).toEqual([
    'face_match',
  ]);
});
