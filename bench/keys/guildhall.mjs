/** Guild Hall's window in a browser: how it is opened, and how a tool of it is shown. */

import { connect } from "./door.mjs";

const START_MS = 30_000;
const STEP_MS = 4_000;
export const MEMBER = "torture";

export class GuildHall {
  constructor({ browser, page, door }) {
    Object.assign(this, { browser, server: page, door });
  }

  async start() {
    this.page = await this.browser.newPage({ viewport: { width: 1500, height: 2400 } });
    this.page.setDefaultTimeout(STEP_MS);
    await connect(this.page, this.door);
    await this.page.goto(this.server.address);
    const member = this.page.getByTestId(`member-${MEMBER}`);
    await member.getByText("ready").first().waitFor({ timeout: START_MS });
    await member.click();
    await this.page.locator(`[data-testid^=tool-${MEMBER}-]`).first().waitFor({ timeout: START_MS });
  }

  async stop() {
    await this.page?.close().catch(() => undefined);
    await this.door.close();
    this.server.close();
  }

  async show(tool) {
    const row = this.page.getByTestId(`tool-${MEMBER}-${tool}`);
    if ((await row.count()) === 0) return false;
    await row.click();
    await this.page.getByRole("article", { name: `${MEMBER} ${tool}` }).waitFor();
    await this.page.getByRole("tab", { name: "Form", exact: true }).click();
    await this.page.getByRole("button", { name: "Reset", exact: true }).click();
    return true;
  }
}
