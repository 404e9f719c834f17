import { RULE_FIELDS } from '../../../domain/identity/sessions/rules/fields';
import { toChange, toDraft } from '../../../web/console/identity/session-workflows/draft';
import type { Draft, Workflow } from '../../../web/console/identity/session-workflows/draft';
import { BOOLEAN_FIELDS, NUMBER_FIELDS } from '../../../web/console/identity/session-workflows/fields';

type Rules = Workflow['rules'];

const readDraft = (rules: Rules): Draft => toDraft({ thresholds: {}, rules } as unknown as Workflow);

const listFields = (type: string): string[] =>
  Object.entries(RULE_FIELDS).flatMap(([name, field]) => (field.type === type ? [name] : []));

test('the console knows the fields that are compared with numbers and truth values', () => {
  expect(NUMBER_FIELDS.toSorted()).toEqual(listFields('number').toSorted());
  expect(BOOLEAN_FIELDS.toSorted()).toEqual(listFields('boolean').toSorted());
});

test('a rule that is not edited stays as it is stored', () => {
  const rules: Rules = [
    {
      id: 'branch',
      field: 'session.metadata.branch',
      operator: 'equals',
      value: '7',
      and: [{ field: 'session.metadata.cities', operator: 'in', value: ['Washington, D.C.', 'Paris'] }],
      status: 'in_review',
    },
    { id: 'region', field: 'session.externalId', operator: 'exists', status: 'declined' },
  ];
  expect(toChange(readDraft(rules)).rules).toMatchObject(rules);
});

/** What is sent for a value that was typed into a condition. */
function sendTyped(field: string, operator: 'equals' | 'in', value: string): unknown {
  const condition = { key: '1', field, operator, value, stored: null } as const;
  const draft = {
    ...readDraft([]),
    rules: [{ key: '1', id: '', status: 'declined' as const, conditions: [condition] }],
  };
  return toChange(draft).rules[0]?.value;
}

test('a typed value has the type of its field', () => {
  expect(sendTyped('poa.postalCode', 'equals', '01067')).toBe('01067');
  expect(sendTyped('session.externalId', 'in', '12, 13')).toEqual(['12', '13']);
  expect(sendTyped('document.age', 'equals', ' 18 ')).toBe(18);
  expect(sendTyped('aml.match', 'equals', 'true')).toBe(true);
  expect(sendTyped('document.lastName', 'equals', 'True')).toBe('True');
  expect(sendTyped('session.metadata.branch', 'equals', '7')).toBe(7);
  expect(sendTyped('session.metadata.branch', 'equals', '007')).toBe('007');
  expect(sendTyped('session.metadata.isNew', 'equals', 'false')).toBe(false);
});
