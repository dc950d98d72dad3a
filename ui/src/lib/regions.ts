/** Moves the focus for shortcuts: to the next region, a tab of the page, or the first field of the form. */

const FOCUSABLE =
  'input:not([disabled]), button:not([disabled]), select, textarea, a[href], [tabindex="0"]:not([role="separator"]), [contenteditable="true"]';
const FIELD =
  'input:not([type="hidden"]):not([disabled]), select:not([disabled]), textarea:not([disabled]), [role="combobox"], [data-segmented], [contenteditable="true"]';

function isReachable(element: Element): boolean {
  return element.getClientRects().length > 0 && element.closest("[inert]") === null;
}

/** Focuses the next region (an element with `data-region`). After the last region, the first one follows. */
export function nextRegion(): void {
  const regions = [...document.querySelectorAll("[data-region]")].filter(isReachable);
  const here = regions.findIndex((region) => region.contains(document.activeElement));
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(here + step) % regions.length];
    const target = [...(region?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find(isReachable);
    if (!target) continue;
    target.focus();
    return;
  }
}

/** The tabs of the tab list closest to the focus or, if the focus is outside the page, of the page's first tab list. */
export function tabsHere(): readonly HTMLElement[] {
  const main = document.querySelector("main");
  const near = main?.contains(document.activeElement) ? document.activeElement : main;
  for (let place = near; place && main?.contains(place); place = place.parentElement) {
    const list = [...place.querySelectorAll('[role="tablist"]')].find(isReachable);
    if (list) return [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
  }
  return [];
}

export function goToTab(number: number): void {
  const tab = tabsHere()[number - 1];
  // The focus selects the tab in some tab lists. In the others, a click is needed.
  tab?.focus();
  tab?.click();
}

/** Focuses the first focusable element of the page. */
export function focusPage(): void {
  const found = [...document.querySelectorAll<HTMLElement>(`main :is(${FOCUSABLE})`)];
  found.find(isReachable)?.focus();
}

const formPanel = () => document.querySelector<HTMLElement>('main [role="tabpanel"]');

/** Whether the focus is in the form on the page. */
export function isInForm(): boolean {
  return formPanel()?.contains(document.activeElement) === true;
}

/** Focuses the first field of the form on the page, or the form itself if it has no field. */
export function focusFirstField(): void {
  const panel = formPanel();
  const fields = [...(panel?.querySelectorAll<HTMLElement>(FIELD) ?? [])];
  (fields.find(isReachable) ?? panel)?.focus();
}
