/** Folders that are compiled to dist/ and in which import directions are checked. */
export const SOURCE_FOLDERS = [
  'domain',
  'models',
  'services',
  'workflows',
  'activities',
  'workers',
  'api',
  'lib',
  'scripts',
  'bench',
];
