// Builds the page that shows the catalog of states, and serves it on the loopback interface.
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ui = fileURLToPath(new URL("..", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
/** The app's content security policy, without the sources of Tauri's custom protocol. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'";

/** Builds and serves the page. Returns its address, and a function that stops the server and deletes the build. */
export async function servePage() {
  const folder = mkdtempSync(join(tmpdir(), "guild-hall-states-"));
  await build({
    root: ui,
    configFile: join(ui, "vite.config.ts"),
    mode: "states",
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input: join(ui, "states.html") } },
  });
  const server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url ?? "/", "http://page").pathname));
    if (!path.startsWith(folder) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", "content-security-policy": POLICY });
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/states.html`,
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
