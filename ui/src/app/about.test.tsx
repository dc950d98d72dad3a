import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";

describe("about", () => {
  it("names the version and the folders, opened from the palette, and gives the focus back", async () => {
    const { user, stores } = openWindow({});
    const help = screen.getByRole("button", { name: "Help" });
    help.focus();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">about guild hall{Enter}");
    const about = within(await screen.findByRole("dialog", { name: "About Guild Hall" }));
    const info = stores.hall.info.get();
    expect(info).not.toBeNull();
    for (const text of [info!.version, info!.dataDir, info!.membersDir, `${info!.dataDir}/logs`]) expect(about.getByText(text)).toBeVisible();
    expect(about.getByText(/MIT or Apache-2\.0/)).toBeVisible();
    expect(textOf(about.getByText("cargo xtask dist").closest("dd"))).toMatchInlineSnapshot(`"Built from source. Run cargo xtask dist to generate the third-party licenses."`);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(help).toHaveFocus());
  });

  it("names the file with the licences of others that a package has", async () => {
    const file = "/usr/share/doc/guild-hall/third-party-licences.txt.gz";
    const { stores } = openWindow({ licences: file });
    act(() => stores.layers.open("about"));
    const about = within(await screen.findByTestId("about"));
    expect(await about.findByText(file)).toBeVisible();
    expect(about.getByRole("button", { name: /Third-party licenses/ })).toBeVisible();
    expect(about.queryByTestId("licences-missing")).toBeNull();
  });

  it("leads to the bundle for a bug report and to the guide", async () => {
    const { user, stores } = openWindow({});
    act(() => stores.layers.open("about"));
    await user.click(await screen.findByRole("button", { name: /Save diagnostics/ }));
    expect(await screen.findByTestId("bundle")).toBeVisible();
    act(() => stores.layers.close("bundle"));
    act(() => stores.layers.open("about"));
    await user.click(await screen.findByRole("button", { name: "User guide" }));
    expect(await screen.findByTestId("help-section")).toHaveTextContent("Files");
  });

  it("says so while the version is not known", async () => {
    const { stores } = openWindow({ withOpening: false, silent: ["app_info"] });
    act(() => stores.layers.open("about"));
    expect(textOf(await screen.findByTestId("about-loading"))).toMatchInlineSnapshot(`"Loading…"`);
  });
});
