import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Allows } from './session';
import type { Label } from './texts';

/** Groups of the navigation, in their order. */
export const SECTIONS = ['home', 'verification', 'business', 'developers', 'administration'] as const;

export type Section = (typeof SECTIONS)[number];

export interface ConsolePage {
  /** Path below `/console`, with parameters as `$name`, such as `/sessions/$sessionId`. */
  path: string;
  /** Imports the page, which is the default export of its file and a chunk of its own. */
  load: () => Promise<{ default: ComponentType }>;
  /** @default the same as the feature */
  allows?: Allows;
}

export interface NavigationEntry {
  section: Section;
  /** Position within the section; lower comes first. */
  order: number;
  label: Label;
  icon: Icon;
  /** Path of a page of this feature. */
  to: string;
  /** @default the same as the feature */
  allows?: Allows;
}

/** What a folder of the console adds: pages, and entries of the navigation that lead to them. */
export interface Feature {
  /** Whether the signed-in user sees the feature at all. */
  allows: Allows;
  pages: readonly ConsolePage[];
  navigation: readonly NavigationEntry[];
}

/** Declares a feature; it is the default export of `web/console/<area>/<feature>/feature.ts`. */
export const defineFeature = (feature: Feature): Feature => feature;
