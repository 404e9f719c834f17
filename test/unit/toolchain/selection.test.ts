import { evaluate } from '../../support/evaluate';

const select = (...args: string[]): unknown =>
  evaluate(
    `import { parseSelection } from './scripts/checks/selection.mjs';
     const select = (args) => { try { const { folders, patterns } = parseSelection(args); return { folders, patterns }; } catch (error) { return error.message; } };`,
    `select(${JSON.stringify(args)})`,
  );

test('a misspelled suite or path is refused instead of ending with 0 failed', () => {
  expect(select('unitt')).toContain('unitt is no suite');
  expect(select('test/api/platform', 'test/unit/no-such-file')).toContain('test/unit/no-such-file is no suite');
});

test('a path narrows the suite that contains it, and another suite runs as a whole', () => {
  expect(select('unit', 'test/unit/toolchain')).toEqual({ folders: ['unit'], patterns: ['test/unit/toolchain'] });
  expect(select('unit', 'test/api/platform')).toEqual({
    folders: ['unit', 'api'],
    patterns: ['test/api/platform', 'test/unit/'],
  });
  expect(select('replay', 'year')).toEqual({
    folders: ['replay', 'chaos'],
    patterns: ['test/chaos/business-year', 'test/replay/'],
  });
  expect(select('faults', '--faults', 'kill')).toEqual({ folders: ['chaos'], patterns: ['test/chaos/faults'] });
});
