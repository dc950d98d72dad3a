/** Tests which strings have a button for the system's file dialog, and which kind of dialog it opens. */

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { aidOf } from "./model/aids";
import type { FormNode } from "./model/node";
import { normalize } from "./model/normalize";
import { showForm } from "./testing/harness";
import { PATH_FIELDS, REAL_TOOLS, REAL_WORDS } from "./testing/schemas";

/** The fields of a tool's form that have a file dialog, each with the kind of dialog. */
function pathsOf(schema: unknown, about = ""): readonly string[] {
  const found: string[] = [];
  const seen = new Set<FormNode>();
  const root = normalize(schema);
  const names = new Set(root.kind === "object" ? root.order.map((name) => name.toLowerCase()) : []);
  const walk = (node: FormNode, key: string) => {
    if (seen.has(node)) return;
    seen.add(node);
    const aid = node.kind === "string" ? aidOf(node, key, { names, about }) : null;
    if (aid?.kind === "path") found.push(`${key}: ${aid.wanted}`);
    if (node.kind === "object") for (const field of node.fields) walk(field.node(), field.key);
    if (node.kind === "union") for (const variant of node.variants) walk(variant.node(), key);
    const item = node.kind === "array" ? node.item?.() : undefined;
    if (item !== undefined) walk(item, key);
  };
  walk(root, "");
  return found;
}

const tool = (properties: Record<string, unknown>) => ({ type: "object", properties });
const text = (description?: string, more = {}) => ({ type: "string", ...(description === undefined ? {} : { description }), ...more });

it.each([
  ["a JSON path of a document store", "json_get\nGets a JSON value from Redis at a path.\n\nArgs:\n    name: The key\n    path: The JSON path", tool({ name: text(), path: text(undefined, { default: "$" }) })],
  ["the same without a default", "json_set\nSets a JSON value in Redis at a given path.", tool({ name: text(), path: text(), value: {} })],
  ["a path inside of a document", "create-index\nCreates an index.", tool({ database: text(), collection: text(), path: text("Name of the field to index; dots lead into embedded documents.") })],
  ["a path that the text about the tool explains", "set\nSets a file's value.\n\n- `path` (string): field inside of the document", tool({ path: text() })],
  ["a path of an address", "fetch\nFetches a file.", tool({ base_url: text(), path: text() })],
  ["a path of a repository", "get_file\nGets a file.", tool({ owner: text(), repo: text(), path: text("Path to the file or directory") })],
  ["a path of a user", "create_user\nCreates a user.", tool({ path: text("The path for the user", { default: "/" }) })],
  ["a folder of a mailbox", "move\nMoves mail.", tool({ moveToFolder: text("The ID of the folder that a message will be moved to.") })],
  ["the name of an attachment", "get_attachments\nLists attachments.", tool({ filename: text("Filter results to attachments matching this filename.") })],
  ["a list of paths on a file share", "detect\nDetects changes.", tool({ paths: { type: "array", description: "Relative paths on the file share.", items: text() } })],
  ["a list of patterns", "crawl\nCrawls files.", tool({ includePaths: { type: "array", items: text() } })],
])("%s has no dialog", (_, about, schema) => {
  expect(pathsOf(schema, about)).toEqual([]);
});

it.each([
  ["write_note\nWrites a note to disk.", tool({ path: text() }), ["path: new-file"]],
  ["render\nRenders.", tool({ output_path: text("Where the image is written, as an absolute path.") }), ["output_path: new-file"]],
  ["export_csv\nExports.", tool({ file_path: text("Local file to save the table in.") }), ["file_path: new-file"]],
  ["convert\nConverts.", tool({ source: text("Absolute path of the file to read."), output: text("Local path to write to.") }), ["source: file", "output: new-file"]],
  ["download\nDownloads an address.", tool({ url: text(), output_path: text("Where to write the file.") }), ["output_path: new-file"]],
  ["read_file\nReads a file.", tool({ path: text() }), ["path: file"]],
  ["list_directory\nLists a directory.", tool({ path: text() }), ["path: folder"]],
  ["status\nShows the working tree.", tool({ repo_path: text() }), ["repo_path: either"]],
  ["upload\nUploads.", tool({ project_id: text(), file_path: text("Path to the file to upload") }), ["file_path: file"]],
])("%s", (about, schema, expected) => {
  expect(pathsOf(schema, about)).toEqual(expected);
});

it("of real tools, those that mean a local path have a dialog, and no others", () => {
  const found = REAL_TOOLS.flatMap(({ server, name, inputSchema }) => {
    const description = REAL_WORDS[server]?.[name]?.description ?? "";
    // The form gets the server's description of the tool.
    return pathsOf(inputSchema, `${name}\n${description}`).map((path) => `${server}/${name}/${path}`);
  });
  expect(found).toEqual(PATH_FIELDS);
});

it("a file to be written is chosen in the dialog that saves", async () => {
  const user = userEvent.setup();
  const asked: unknown[] = [];
  const form = showForm(tool({ output_path: text("Where to write the file.") }), {
    pickPath: (wanted) => {
      asked.push(wanted);
      return Promise.resolve("/home/me/out.csv");
    },
  });
  await user.click(screen.getByRole("button", { name: "Choose where to write the file for output_path" }));
  await waitFor(() => expect(form.text()).toBe('{"output_path":"/home/me/out.csv"}'));
  expect(asked).toEqual([{ kind: "new-file" }]);
});
