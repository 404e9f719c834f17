import { spawnSync } from 'node:child_process';
import { HEAP_GROWTH_FLAG } from '../../../workers/garbage-collection';

const SET_FLAG = "require('node:v8').setFlagsFromString(process.argv[1])";

test('this version of Node knows the setting of the garbage collector that workers change', () => {
  const set = (flag: string) => spawnSync(process.execPath, ['-e', SET_FLAG, '--', flag], { encoding: 'utf8' }).stderr;
  expect(set('--no-such-setting=1')).toContain('no-such-setting');
  expect(set(HEAP_GROWTH_FLAG)).toBe('');
});
