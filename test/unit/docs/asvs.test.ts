import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..', '..');

/** The requirements of levels 1 and 2 of OWASP ASVS 5.0.0, by section: 70 of level 1 and 183 of level 2. */
const REQUIREMENTS: Record<string, string> = {
  '1.1': '1-2',
  '1.2': '1-9',
  '1.3': '1-11',
  '1.4': '1-3',
  '1.5': '1-2',
  '2.1': '1-3',
  '2.2': '1-3',
  '2.3': '1-4',
  '2.4': '1-1',
  '3.2': '1-2',
  '3.3': '1-4',
  '3.4': '1-6',
  '3.5': '1-5',
  '3.7': '1-2',
  '4.1': '1-3',
  '4.2': '1-1',
  '4.3': '1-2',
  '4.4': '1-4',
  '5.1': '1-1',
  '5.2': '1-3',
  '5.3': '1-2',
  '5.4': '1-3',
  '6.1': '1-3',
  '6.2': '1-12',
  '6.3': '1-4',
  '6.4': '1-4',
  '6.5': '1-5',
  '6.6': '1-3',
  '6.8': '1-4',
  '7.1': '1-3',
  '7.2': '1-4',
  '7.3': '1-2',
  '7.4': '1-5',
  '7.5': '1-2',
  '7.6': '1-2',
  '8.1': '1-2',
  '8.2': '1-3',
  '8.3': '1-1',
  '8.4': '1-1',
  '9.1': '1-3',
  '9.2': '1-4',
  '10.1': '1-2',
  '10.2': '1-2',
  '10.3': '1-4',
  '10.4': '1-11',
  '10.5': '1-5',
  '10.6': '1-2',
  '10.7': '1-3',
  '11.1': '1-2',
  '11.2': '1-3',
  '11.3': '1-3',
  '11.4': '1-4',
  '11.5': '1-1',
  '11.6': '1-1',
  '12.1': '1-3',
  '12.2': '1-2',
  '12.3': '1-4',
  '13.1': '1-1',
  '13.2': '1-5',
  '13.3': '1-2',
  '13.4': '1-5',
  '14.1': '1-2',
  '14.2': '1-4',
  '14.3': '1-3',
  '15.1': '1-3',
  '15.2': '1-3',
  '15.3': '1-7',
  '16.1': '1-1',
  '16.2': '1-5',
  '16.3': '1-4',
  '16.4': '1-3',
  '16.5': '1-3',
  '17.1': '1-1',
  '17.2': '1-4',
  '17.3': '1-2',
};

const listRequired = (): string[] =>
  Object.entries(REQUIREMENTS).flatMap(([section, range]) => {
    const [first = 1, last = 0] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
  });

interface Row {
  id: string;
  level: string;
  state: string;
  basis: string;
}

const rows = [
  ...readFileSync(path.join(root, 'docs/explanation/asvs.md'), 'utf8').matchAll(
    /^\| (\d+\.\d+\.\d+)\s*\| (\d)\s*\| [^|]+ \| ([^|]+?)\s*\| ([^|]+?)\s*\|$/gm,
  ),
].map(([, id = '', level = '', state = '', basis = '']): Row => ({ id, level, state, basis }));

test('the table has every requirement of levels 1 and 2 once, in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(listRequired());
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183);
});

test('every row is met, met in part, open or not applicable, and says why', () => {
  expect(rows.filter(({ state }) => !['met', 'partly', 'open', 'n/a'].includes(state))).toEqual([]);
  expect(rows.filter(({ basis }) => basis.length < 5)).toEqual([]);
});

test('every file that a row names exists', () => {
  const missing = rows.flatMap(({ id, basis }) =>
    [...basis.matchAll(/`([\w.-]*[/.][\w./-]+)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !existsSync(path.join(root, file)))
      .map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test('the figures above the table are those of its rows', () => {
  const text = readFileSync(path.join(root, 'docs/explanation/asvs.md'), 'utf8');
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  expect(text).toContain(
    `${count('met')} are met, ${count('partly')} in part, ${count('open')} are open and ${count('n/a')} do not apply`,
  );
});
