import fc from 'fast-check';
import { prepareName } from '../../../../domain/identity/aml/names';
import type { NameClass } from '../../../../domain/identity/aml/names';
import { ListIndexBuilder } from '../../../../domain/identity/aml/list-index';
import { ListIndex } from '../../../../domain/identity/aml/list-search';
import { screenList } from '../../../../domain/identity/aml/screening';
import { createBlankEntry } from '../../../../services/identity/aml/formats/values';
import { scoreNames } from '../../../../domain/identity/aml/name-score';
import { MATCH_THRESHOLD } from '../../../../domain/identity/aml/thresholds';
import { computeTokenSimilarity } from '../../../../domain/identity/aml/token-similarity';
import { getNameToken } from '../../../../domain/identity/aml/names';

const score = (a: string, b: string, nameClass: NameClass = 'person'): number =>
  scoreNames(prepareName(a, nameClass), prepareName(b, nameClass)).score * 100;

describe('spellings of one person in different scripts match', () => {
  test.each([
    ['أسامة بن لادن', 'Usama bin Laden'],
    ['قاسم سليماني', 'Qasem Soleimani'],
    ['معمر القذافي', 'Muammar Gaddafi'],
    ['Владимир Путин', 'Vladimir Putin'],
    ['Рамзан Кадыров', 'Ramzan Kadyrov'],
    ['习近平', 'Xi Jinping'],
    ['김정은', 'Kim Jong Un'],
    ['박근혜', 'Park Geun-hye'],
    ['Αλέξης Τσίπρας', 'Alexis Tsipras'],
    ['Բարակ Օբամա', 'Barack Obama'],
    ['ბარაკ ობამა', 'Barack Obama'],
    ['バラク・オバマ', 'Barack Obama'],
    ['عمر الزيدان', 'Omar al-Zaidan'],
    ['جمال اللونيسي', 'Djamel Lounici'],
    ['نسيم بن رمضان الصحراوي', 'Nessim Ben Romdhane Sahraoui'],
    ['عيسى العلواني', 'Essa Alouani'],
    ['فضل مظلوم ربيع', 'Fazl Mazloom Rabi'],
    ['فضل مظلوم ربيع', 'Fadl Madhlum Rabi'],
    ['محمد عبدالحليم عبد الله', 'Mohamed Abd El Halim Abdallah'],
    ['عبد الرحمن حسام الدين', 'Abdurrahman Hesamuddin'],
  ])('%s is %s', (original, latin) => {
    expect(score(original, latin)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  });
});

describe('a person is found among many of the same surname', () => {
  const NAMES = ['Kim Jong Un', 'Kim Yo Jong', 'Kim Il Sung', 'Choe Ryong Hae', 'Xi Jinping'];
  const given = ['Chol', 'Su', 'Min', 'Hyok', 'Song', 'Il', 'Man', 'Sik', 'Ho', 'Nam', 'Jong', 'Yong'];
  const others = given.flatMap((first) => given.map((second) => `Kim ${first} ${second}`));
  const builder = new ListIndexBuilder();
  for (const caption of [...others, ...NAMES]) {
    const entry = { ...createBlankEntry(caption, caption), type: 'person' as const };
    builder.add({ ...entry, hash: '', firstSeen: '', lastChanged: '' });
  }
  const index = new ListIndex(builder.build());

  test.each([
    ['Kim Chong-un', 'Kim Jong Un'],
    ['Gim Jeong-eun', 'Kim Jong Un'],
    ['Kim Jung Eun', 'Kim Jong Un'],
    ['金正恩', 'Kim Jong Un'],
    ['김정은', 'Kim Jong Un'],
    ['金与正', 'Kim Yo Jong'],
    ['崔龙海', 'Choe Ryong Hae'],
    ['習近平', 'Xi Jinping'],
  ])('%s finds %s', (fullName, caption) => {
    const hits = screenList({ fullName, entityType: 'any' }, index, MATCH_THRESHOLD);
    expect(hits[0]?.entry.caption).toBe(caption);
  });
});

describe('equal names', () => {
  test.each<[string, string, NameClass]>([
    ['bin Salman Mohammed', 'Mohammed bin Salman', 'person'],
    ['Sergei Shoigu', 'Sergey Kuzhugetovich Shoygu', 'person'],
    ['Muhammad Hassan', 'Mohamed Hasan', 'person'],
    ['J.-C. Juncker', 'Jean-Claude Juncker', 'person'],
    ['Kim Il-song', 'Kim Il Sung', 'person'],
    ['SergeiLavrov', 'Sergei Lavrov', 'person'],
    ['ООО Ромашка', 'Romashka LLC', 'organisation'],
    ['Siemens Aktiengesellschaft', 'Siemens AG', 'organisation'],
    ['First International Bank', '1st International Bank', 'organisation'],
    ['Brigade Forty-Four', 'Brigade 44', 'organisation'],
    ['M/V OCEAN STAR', 'Ocean Star', 'craft'],
    ['Abd al-Rahman Yassine', 'ABDURRAHMAN YASSINE', 'person'],
    ['RAHMAN YASSINE, Abdul', 'Abd-al-Rahman Yassine', 'person'],
    ['Abdel Aziz al-Khoury', 'Abdulaziz Khoury', 'person'],
    ['Amin Allah Qasemi', 'Aminullah Qasemi', 'person'],
    ['Nur al-Din Qasemi', 'Noureddine Qasemi', 'person'],
    ['Najm Eddine Faraj', 'Najmuddin Faraj', 'person'],
    ['Abdallah Sabri', 'ABD ALLAH SABRI', 'person'],
    ['Abdalla Sabri', 'Abdullah Sabri', 'person'],
    ['Abdoulaye Hissene', 'Abdoulaie Hisene', 'person'],
    ['Matin, Allah Dad', 'Allah Dad Matin', 'person'],
    ['Abdul R. Yassine', 'Abdul Rahman Yassine', 'person'],
    ['Movement of Invented Islands', 'Movement of Invented Islands (MII)', 'organisation'],
    ['LTD. Quillfeather', 'Quillfeather Ltd', 'organisation'],
  ])('%s and %s', (a, b, nameClass) => {
    expect(score(a, b, nameClass)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  });
});

describe('different names', () => {
  test.each<[string, string, NameClass]>([
    ['Ivan Petrov', 'Igor Petrov', 'person'],
    ['Hans O Friedrich', 'Hans Joachim Friedrich', 'person'],
    ['A. Nazarbayev', 'Nursultan Nazarbayev', 'person'],
    ['N.N.', 'Nursultan Nazarbayev', 'person'],
    ['Barack Obama', 'George Hussein Onyango Obama', 'person'],
    ['Makhlouf', 'Rami Makhlouf', 'person'],
    ['Abdul Rahman', 'Abdul Karim', 'person'],
    ['Abdulrahman Yassine', 'Abdulkarim Yassine', 'person'],
    ['Invented Islands Trading', 'Invented Islands Trading (UK) 2', 'organisation'],
    ['김정일', 'Kim Jong Un', 'person'],
    ['Kim Jong-il', 'Kim Chong-un', 'person'],
    ['Kim Jong Sik', 'Gim Jeong-eun', 'person'],
    ['Bank Melli Iran', 'Bank Mellat Iran', 'organisation'],
    ['Deutsche Bank AG', 'Deutsche Bank GmbH', 'organisation'],
    ['Ocean Shipping 1 Ltd', 'Ocean Shipping 2 Ltd', 'organisation'],
    ['Ocean Star 5', 'Ocean Star 7', 'craft'],
  ])('%s and %s', (a, b, nameClass) => {
    expect(score(a, b, nameClass)).toBeLessThan(MATCH_THRESHOLD);
  });
});

const word = fc.stringMatching(/^[a-z]{2,12}$/);

describe('properties', () => {
  test('similarity of words is symmetrical and within 0–1', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const one = computeTokenSimilarity(getNameToken(a, 'word'), getNameToken(b, 'word'));
        expect(one).toBeCloseTo(computeTokenSimilarity(getNameToken(b, 'word'), getNameToken(a, 'word')), 9);
        expect(one).toBeGreaterThanOrEqual(0);
        expect(one).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('any two texts have a score within 0–100', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        for (const nameClass of ['person', 'organisation', 'craft'] as const) {
          const value = score(a, b, nameClass);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  test("a person's name matches itself in any order of its parts", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{5,10}$/), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(names, (parts) => {
        expect(score(parts.join(' '), [...parts].reverse().join(' '))).toBeCloseTo(
          score(parts.join(' '), parts.join(' ')),
          6,
        );
      }),
    );
  });
});
