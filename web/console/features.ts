import type { ConsolePage, Feature, NavigationEntry } from './feature';
import { SECTIONS } from './feature';
import type { Section } from './feature';
import type { Allows, SignedIn } from './session';

/** Every feature registers itself by its file: none is listed here. */
const modules = import.meta.glob<Feature>('./*/*/feature.ts', { eager: true, import: 'default' });

const features = Object.values(modules);

type Page = ConsolePage & { allows: Allows };

export const pages: readonly Page[] = features.flatMap(({ pages: own, allows }) =>
  own.map((page) => ({ ...page, allows: page.allows ?? allows })),
);

const entries = features
  .flatMap(({ navigation, allows }) => navigation.map((entry) => ({ ...entry, allows: entry.allows ?? allows })))
  .sort((one, other) => one.order - other.order);

/** The entries that the user may open, by section; sections without any are left out. */
export function listNavigation(session: SignedIn): { section: Section; entries: NavigationEntry[] }[] {
  return SECTIONS.map((section) => ({
    section,
    entries: entries.filter((entry) => entry.section === section && entry.allows(session)),
  })).filter((group) => group.entries.length > 0);
}
