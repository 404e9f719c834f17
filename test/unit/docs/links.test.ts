import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../scripts/docs/repository';

const IGNORED = new Set(['node_modules', 'dist', '.vouch', '.git']);

const listPages = (folder = ''): string[] =>
  readdirSync(path.join(PROJECT_ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : listPages(file);
    return file.endsWith('.md') ? [file] : [];
  });

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '``');

/** Anchors of the headings, as GitHub and GitLab make them. */
const listAnchors = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

const read = (file: string): string => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');

/** Relative links of a page that lead to no file, or to a heading that the page does not have. */
function findBrokenLinks(page: string): string[] {
  const links = [...withoutCode(read(page)).matchAll(/\]\(<?([^)\s>]+)>?\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/i.test(link)) return false;
    const [target = '', anchor] = link.split('#');
    const file = target === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(target));
    // A page of the hosting service, next to the repository.
    if (file.startsWith('..')) return false;
    const location = path.join(PROJECT_ROOT, file);
    if (!existsSync(location)) return true;
    if (anchor === undefined || statSync(location).isDirectory() || !file.endsWith('.md')) return false;
    return !listAnchors(read(file)).includes(anchor);
  });
}

const pages = listPages();

test('finds the pages of the project', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'docs/architecture.md', '.github/PULL_REQUEST_TEMPLATE.md']),
  );
});

test.each(pages)('every relative link and anchor of %s resolves', (page) => {
  expect(findBrokenLinks(page)).toEqual([]);
});
