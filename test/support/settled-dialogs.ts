import type { Page } from 'puppeteer';

/** What the function below uses of the page in which it runs. */
interface PageElement {
  isConnected: boolean;
  closest(selector: string): { contains(other: unknown): boolean } | null;
}
declare const document: { activeElement: unknown; settledDialogs?: WeakSet<object> };
declare function requestIdleCallback(callback: () => void): void;

/** Runs in the page: whether the dialog of an element, if it is in one, has moved the focus to itself. */
async function hasDialogSettled(value: unknown): Promise<boolean> {
  const element = value as PageElement;
  // The locator looks for the element that has taken its place.
  if (!element.isConnected) throw new Error('The element was replaced.');
  const dialog = element.closest('[role=dialog][aria-modal=true]');
  document.settledDialogs ??= new WeakSet();
  if (dialog === null || document.settledDialogs.has(dialog)) return true;
  if (!dialog.contains(document.activeElement)) return false;
  await new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(resolve)));
  document.settledDialogs.add(dialog);
  return true;
}

/**
 * Makes the locators of a page wait until a dialog that opens has moved the focus to itself, as a person does who sees it
 * first. It moves the focus twice, the second time after it was painted: a list that was opened before would close again,
 * and what is typed would go to another field.
 */
export function awaitSettledDialogs(page: Page): void {
  const locate = page.locator.bind(page) as (selector: string) => ReturnType<Page['locator']>;
  const locator = (selector: string) => locate(selector).filter(hasDialogSettled);
  Object.assign(page, { locator });
}
