import * as fc from 'fast-check';
import {
  EVENT_TYPES,
  SUBSCRIPTIONS,
  normaliseSubscriptions,
  isSubscribed,
} from '../../../../domain/platform/webhooks/event-types';
import { classifyResponse } from '../../../../domain/platform/webhooks/response';

describe('event types', () => {
  test('contain the events of the contract', () => {
    expect(EVENT_TYPES).toEqual(expect.arrayContaining(['session.completed', 'session.declined', 'session.review']));
    expect(new Set(SUBSCRIPTIONS).size).toBe(EVENT_TYPES.length + 1);
  });

  test('`*` subscribes to every event and replaces all other subscriptions', () => {
    expect(normaliseSubscriptions(['stock.low', '*'])).toEqual(['*']);
    for (const type of EVENT_TYPES) expect(isSubscribed(['*'], type)).toBe(true);
  });

  test('a normalised subscription matches the same events as the original', () => {
    const names = fc.array(fc.constantFrom(...EVENT_TYPES));
    fc.assert(
      fc.property(names, fc.constantFrom(...EVENT_TYPES), (data, type) => {
        const normalised = normaliseSubscriptions(data);
        expect(isSubscribed(normalised, type)).toBe(isSubscribed(data, type));
        expect(new Set(normalised).size).toBe(normalised.length);
      }),
    );
  });
});

describe('response statuses', () => {
  test.each([
    [200, 'accepted'],
    [204, 'accepted'],
    [299, 'accepted'],
    [301, 'rejected'],
    [400, 'rejected'],
    [410, 'gone'],
    [429, 'busy'],
    [500, 'rejected'],
    [503, 'busy'],
  ])('%i means %s', (status, outcome) => {
    expect(classifyResponse(status)).toBe(outcome);
  });
});
