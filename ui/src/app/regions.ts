/** F6 goes round the window's regions, marked by `data-region`. */

const FOCUSABLE =
  'input:not([disabled]), button:not([disabled]), select, textarea, a[href], [tabindex="0"], [contenteditable="true"]';

function isVisible(element: Element): boolean {
  return element.getClientRects().length > 0;
}

export function nextRegion(): void {
  const regions = [...document.querySelectorAll("[data-region]")].filter(isVisible);
  const here = regions.findIndex((region) => region.contains(document.activeElement));
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(here + step) % regions.length];
    const target = [...(region?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find(isVisible);
    if (!target) continue;
    target.focus();
    return;
  }
}
