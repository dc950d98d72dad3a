import axe from "axe-core";

/** The violations that axe finds. Color contrast is not checked, because jsdom has no layout. */
export async function axeDefects(element: Element = document.body, rules: axe.RuleObject = {}): Promise<string[]> {
  // The content of a frame is an app of a member and not a part of the window.
  const { violations } = await axe.run(element, { iframes: false, resultTypes: ["violations"], rules: { "color-contrast": { enabled: false }, ...rules } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Rules for a component outside of a page: its content does not need to be in a landmark. */
export const PART: axe.RuleObject = { region: { enabled: false } };
