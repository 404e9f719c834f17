import fc from 'fast-check';
import type { OpenDocument } from '../../../../domain/business/banking/match-comparison';
import { proposeMatches } from '../../../../domain/business/banking/matching';
import { compareNames } from '../../../../domain/business/banking/name-comparison';
import { namesDocument } from '../../../../domain/business/banking/number-search';
import { Decimal, sum } from '../../../../domain/business/decimal';

const document = (id: number, open: number, fields: Partial<OpenDocument> = {}): OpenDocument => ({
  id,
  number: `INV-2026-00000${id}`,
  partyId: 1,
  partyName: 'Example GmbH',
  dueDate: `2026-01-0${id}`,
  open: new Decimal(open),
  discount: new Decimal(0),
  ...fields,
});

const propose = (amount: number, text: string, documents: OpenDocument[], fields: object = {}) =>
  proposeMatches(
    { amount: new Decimal(amount), text, counterpartyName: null, knownPartyId: null, rejected: [], ...fields },
    documents,
    'EUR',
  );

test('a document with number, amount and name of the transaction is proposed with all points and their reasons', () => {
  const documents = [document(1, 119), document(2, 119, { partyId: 2, partyName: 'Other Ltd' }), document(3, 50)];
  const [best, ...others] = propose(119, 'Rechnung INV 2026 000001', documents, { counterpartyName: 'EXAMPLE GMBH' });
  expect(best).toMatchObject({ partyId: 1, score: 100, allocations: [{ documentId: 1, number: 'INV-2026-000001' }] });
  expect(best?.evidence.map(({ reason, points }) => [reason, points])).toEqual([
    ['reference', 55],
    ['amount', 25],
    ['name', 20],
  ]);
  expect(best?.evidence[1]?.text).toBe('119 EUR is the open amount of INV-2026-000001.');
  expect(others.every(({ score }) => score < 100)).toBe(true);
});

test('a reason has its documents and amounts, so that it can be written in any language and format', () => {
  const documents = [document(1, 100, { discount: new Decimal(2) }), document(2, 50, { discount: new Decimal(1.5) })];
  const read = (amount: number) =>
    propose(amount, 'INV-2026-000001 and INV-2026-000002', documents)[0]?.evidence.map(
      ({ text: _, ...parts }) => parts,
    );
  const both = ['INV-2026-000001', 'INV-2026-000002'];
  const reference = { reason: 'reference', points: 55, documents: both, amount: null, discount: null };
  const amount = { reason: 'amount', points: 25, documents: both };
  expect(read(150)).toEqual([reference, { ...amount, amount: new Decimal(150), discount: null }]);
  expect(read(146.5)).toEqual([reference, { ...amount, amount: new Decimal(146.5), discount: new Decimal(3.5) }]);
  const [known] = propose(160, 'INV-2026-000001', [document(1, 160)], { knownPartyId: 1 });
  expect(known?.evidence.at(-1)).toMatchObject({ reason: 'account', documents: [], amount: null, discount: null });
});

test('several documents that a text names are proposed together', () => {
  const documents = [document(1, 100), document(2, 50), document(3, 10)];
  const [best] = propose(150, 'INV-2026-000001, INV-2026-000002', documents);
  expect(best?.allocations.map(({ documentId, amount }) => [documentId, amount.toNumber()])).toEqual([
    [1, 100],
    [2, 50],
  ]);
  expect(best?.score).toBe(80);
});

test('all documents of a known account are proposed if they add up to the amount', () => {
  const [best] = propose(160, 'thank you', [document(1, 100), document(2, 50), document(3, 10)], { knownPartyId: 1 });
  expect(best).toMatchObject({ score: 45, rest: new Decimal(0) });
  expect(best?.allocations).toHaveLength(3);
});

test('a rejected proposal is not made again; others with its documents are', () => {
  const documents = [document(1, 100), document(2, 50)];
  const text = 'INV-2026-000001, INV-2026-000002';
  const rejected = [{ partyId: 1, documentIds: [2, 1] }];
  const remaining = propose(150, text, documents, { rejected });
  expect(remaining.map(({ allocations }) => allocations.map(({ documentId }) => documentId))).toEqual([[1], [2]]);
  const elsewhere = [{ partyId: 2, documentIds: [1, 2] }];
  expect(propose(150, text, documents, { rejected: elsewhere })).toHaveLength(3);
});

test('a transaction that resembles no document has no proposal', () => {
  expect(propose(7, 'Bank fee', [document(1, 100), document(2, 50)])).toEqual([]);
});

test('numbers are recognised with other separators, and short ones are not', () => {
  expect(namesDocument('Zahlung inv2026/000017 vielen Dank', 'INV-2026-000017')).toBe(true);
  expect(namesDocument('Zahlung 7', '7')).toBe(false);
  expect(namesDocument('INV-2026-000018', 'INV-2026-000017')).toBe(false);
});

test('a number that is part of a longer one is not named by it', () => {
  expect(namesDocument('INV-2026-10', 'INV-2026-1')).toBe(false);
  expect(namesDocument('inv 2026/10', 'INV-2026-1')).toBe(false);
  expect(namesDocument('Rechnung 10234', '1023')).toBe(false);
  expect(namesDocument('Rechnung 91023', '1023')).toBe(false);
  expect(namesDocument('DE02120300000000202051', '1203')).toBe(false);
  expect(namesDocument('INV-2026-1AB', 'INV-2026-1A')).toBe(false);
  expect(namesDocument('INV-2026-10, INV-2026-1', 'INV-2026-1')).toBe(true);
  const documents = [document(1, 100, { number: 'INV-2026-1' }), document(2, 50, { number: 'INV-2026-10' })];
  const evidence = propose(50, 'INV-2026-10', documents).flatMap((proposal) => proposal.evidence);
  const named = evidence.filter(({ reason }) => reason === 'reference').flatMap((each) => each.documents);
  expect(new Set(named)).toEqual(new Set(['INV-2026-10']));
});

test('a number is named next to other numbers and glued to words, as banks join the lines of a text', () => {
  expect(namesDocument('Rechnung 1023 4711 2026-01-05', '1023')).toBe(true);
  expect(namesDocument('RechnungINV-2026-1vom 5.1.', 'INV-2026-1')).toBe(true);
  expect(namesDocument('RG1023', '1023')).toBe(true);
  expect(namesDocument('Müller, Größe 1 0 2 3', '1023')).toBe(true);
  expect(namesDocument('rechnung rü-٣/1023', 'RÜ-٣-1023')).toBe(true);
});

test('the texts of a transaction are read once, whatever the number of documents, and only their beginning', () => {
  const long = '\uFDFA '.repeat(5000);
  const countNormalised = (documents: number): [calls: number, longest: number] => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    const candidates = Array.from({ length: documents }, (_, index) => document(index + 1, 7, { partyId: index % 5 }));
    propose(7, `${long}${long}`, candidates, { counterpartyName: long });
    const lengths = normalize.mock.contexts.map((text) => String(text).length).filter((length) => length > 100);
    normalize.mockRestore();
    return [lengths.length, Math.max(...lengths)];
  };
  const few = countNormalised(2);
  expect(few[0]).toBeLessThanOrEqual(4);
  expect(few[1]).toBeLessThanOrEqual(4000);
  expect(countNormalised(200)).toEqual(few);
});

test('names are compared by their words without legal forms and diacritics', () => {
  expect(compareNames('MULLER & SÖHNE', 'Müller & Söhne GmbH')).toBe(1);
  expect(compareNames('GmbH', 'Other GmbH')).toBe(0);
});

test('a proposal never allocates more than the amount or a document has, and its score is within 0 and 100', () => {
  const documents = fc.array(
    fc.record({ open: fc.integer({ min: 1, max: 500 }), partyId: fc.integer({ min: 1, max: 3 }) }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(documents, fc.integer({ min: 1, max: 1000 }), fc.boolean(), (open, amount, named) => {
      const candidates = open.map((each, index) => document(index + 1, each.open, { partyId: each.partyId }));
      const text = named ? candidates.map(({ number }) => number).join(' ') : 'Example';
      for (const proposal of propose(amount, text, candidates, { knownPartyId: 2 })) {
        const allocated = sum(proposal.allocations.map((allocation) => allocation.amount));
        expect(allocated.plus(proposal.rest).toNumber()).toBe(amount);
        expect(proposal.score).toBeGreaterThanOrEqual(25);
        expect(proposal.score).toBeLessThanOrEqual(100);
        for (const { documentId, amount: part } of proposal.allocations)
          expect(part.lte(candidates[documentId - 1]?.open ?? 0)).toBe(true);
      }
    }),
  );
});
