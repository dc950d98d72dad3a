import axe from "axe-core";

/** The defects that axe finds, without colors: jsdom has no layout to measure them on. */
export async function axeDefects(element: Element = document.body, rules: axe.RuleObject = {}): Promise<string[]> {
  const { violations } = await axe.run(element, { resultTypes: ["violations"], rules: { "color-contrast": { enabled: false }, ...rules } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** For a part of a page, which need not be in a landmark. */
export const PART: axe.RuleObject = { region: { enabled: false } };
