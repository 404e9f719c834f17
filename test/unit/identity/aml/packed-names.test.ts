import fc from 'fast-check';
import { openSections, packSections } from '../../../../domain/identity/aml/flat-buffer';
import { NAME_CLASSES, prepareName } from '../../../../domain/identity/aml/names';
import { PackedNames, PackedNamesBuilder } from '../../../../domain/identity/aml/packed-names';

const WORDS = [
  'Kim',
  'Jong',
  'Un',
  'محمد',
  'عبد',
  'Иванов',
  '习近平',
  'LLC',
  'OOO',
  'Trading',
  '44',
  'M/V',
  'J.',
  'von',
  'x',
];
const NAME = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6 })), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '));

test('a packed list returns every name as it was parsed, by every class', () => {
  fc.assert(
    fc.property(fc.array(NAME, { maxLength: 8 }), (names) => {
      const builder = new PackedNamesBuilder();
      for (const name of names) builder.add(NAME_CLASSES.map((nameClass) => prepareName(name, nameClass)));
      const texts = builder.listTokenTexts();
      const packed = new PackedNames(openSections(packSections(builder.toSections())), (token) => texts[token] ?? '');
      names.forEach((name, number) => {
        for (const nameClass of NAME_CLASSES) {
          const expected = prepareName(name, nameClass);
          const found = packed.get(number, nameClass);
          expect(found).toMatchObject({ korean: expected.korean, legalForm: expected.legalForm });
          expect(found?.tokens.map(({ id }) => id)).toEqual(expected.tokens.map(({ id }) => id));
        }
      });
    }),
  );
});

test('a class by which a name was not parsed has no packed reading', () => {
  const builder = new PackedNamesBuilder();
  builder.add([prepareName('Jane Roe', 'person')]);
  const packed = new PackedNames(openSections(packSections(builder.toSections())), () => 'jane');
  expect(packed.get(0, 'craft')).toBeNull();
});
