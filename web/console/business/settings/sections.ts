import { lazy } from 'react';
import type { ComponentType } from 'react';
import type { BusinessPermission } from '../../session';

const read = (permission: BusinessPermission, load: () => Promise<{ default: ComponentType }>) => ({
  permission,
  Content: lazy(load),
});

/** The sections of the settings by group, in their order, each with the permission to see it. */
export const SECTION_GROUPS = {
  company: {
    company: read('config:read', () => import('./company-settings')),
  },
  documents: {
    series: read('config:read', () => import('./document-series')),
    email: read('config:read', () => import('./email-settings')),
    templates: read('config:read', () => import('./email-templates')),
    reminders: read('config:read', () => import('./reminder-schedule')),
    numbering: read('invoices:read', () => import('./numbering-proof')),
  },
  taxes: {
    taxes: read('config:read', () => import('./tax-rates')),
    currencies: read('config:read', () => import('./currencies')),
    'exchange-rates': read('config:read', () => import('./exchange-rates')),
    accounts: read('accounting:read', () => import('./chart-of-accounts')),
    lock: read('config:read', () => import('./period-lock')),
  },
  goods: {
    warehouses: read('inventory:read', () => import('./warehouses')),
    categories: read('products:read', () => import('./product-categories')),
  },
} as const;

type Groups = typeof SECTION_GROUPS;

export type SectionGroup = keyof Groups;
export type SectionName = { [G in SectionGroup]: keyof Groups[G] }[SectionGroup];

export interface Section {
  group: SectionGroup;
  name: SectionName;
  permission: BusinessPermission;
  Content: ComponentType;
}

/** The sections that the user may see. */
export const listSections = (permissions: ReadonlySet<BusinessPermission>): Section[] =>
  Object.entries(SECTION_GROUPS).flatMap(([group, sections]) =>
    Object.entries(sections)
      .filter(([, { permission }]) => permissions.has(permission))
      .map(([name, section]) => ({ ...section, group: group as SectionGroup, name: name as SectionName })),
  );
