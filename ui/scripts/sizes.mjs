// Prints the raw and gzipped size of each file in dist, and the total size of the files for the first paint.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const first = readFileSync(join(dist, "index.html"), "utf8");
const kilo = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;

const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    return { name: entry.name, raw: bytes.length, gzip: gzipSync(bytes).length };
  })
  .sort((a, b) => b.raw - a.raw);

for (const file of files) {
  const when = first.includes(file.name) ? "first paint" : "lazy";
  console.log(`${file.name.padEnd(40)} ${kilo(file.raw).padStart(10)} ${kilo(file.gzip).padStart(10)} gzip  ${when}`);
}
const total = files.filter((file) => first.includes(file.name));
const sum = (key) => kilo(total.reduce((all, file) => all + file[key], 0));
console.log(`first paint: ${sum("raw")}, ${sum("gzip")} gzip`);
