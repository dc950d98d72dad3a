/** Moves the focus by keys: to the window's regions, a page's tabs, a form's first field. */

const FOCUSABLE =
  'input:not([disabled]), button:not([disabled]), select, textarea, a[href], [tabindex="0"]:not([role="separator"]), [contenteditable="true"]';
const FIELD =
  'input:not([type="hidden"]):not([disabled]), select:not([disabled]), textarea:not([disabled]), [role="combobox"], [data-segmented], [contenteditable="true"]';

function isReachable(element: Element): boolean {
  return element.getClientRects().length > 0 && element.closest("[inert]") === null;
}

/** F6 goes round the window's regions, marked by `data-region`. */
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

/** The tabs nearest to the focus; those of the page where the focus is nowhere near any. */
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
  // Some lists of tabs follow the focus, others the click.
  tab?.focus();
  tab?.click();
}

/** The first thing on the page that can have the focus. */
export function focusPage(): void {
  const found = [...document.querySelectorAll<HTMLElement>(`main :is(${FOCUSABLE})`)];
  found.find(isReachable)?.focus();
}

const formPanel = () => document.querySelector<HTMLElement>('main [role="tabpanel"]');

/** Whether something of the form on the page has the focus. */
export function isInForm(): boolean {
  return formPanel()?.contains(document.activeElement) === true;
}

/** Focuses the first field of the form on the page, or the form itself if it has no field. */
export function focusFirstField(): void {
  const panel = formPanel();
  const fields = [...(panel?.querySelectorAll<HTMLElement>(FIELD) ?? [])];
  (fields.find(isReachable) ?? panel)?.focus();
}
