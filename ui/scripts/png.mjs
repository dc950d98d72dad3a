// Reduces the size of screenshots to 256 colors, which is enough for text on plain backgrounds.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;

/** Decodes the pixels of a PNG in Chromium's format: 8 bits, RGB or RGBA, not interlaced. */
function pixelsOf(png) {
  let at = SIGNATURE.length;
  let header = null;
  const data = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), depth: body[8], kind: body[9], interlaced: body[12] };
    else if (type === "IDAT") data.push(body);
    at += length + 12;
  }
  const { width, height, depth, kind, interlaced } = header;
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) throw new Error("not a PNG as Chromium writes it");
  const step = kind === 6 ? 4 : 3;
  const row = width * step;
  const raw = inflateSync(Buffer.concat(data));
  const lines = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x += 1) {
      const left = x >= step ? lines[y * row + x - step] : 0;
      const up = y > 0 ? lines[(y - 1) * row + x] : 0;
      const corner = x >= step && y > 0 ? lines[(y - 1) * row + x - step] : 0;
      lines[y * row + x] = raw[y * (row + 1) + 1 + x] + predicted(filter, left, up, corner);
    }
  }
  return { width, height, step, lines };
}

function predicted(filter, left, up, corner) {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** `kept`: the most frequent colors. `places`: for each color, the index of the nearest one in `kept`. */
function palette({ step, lines }) {
  const counts = new Map();
  for (let at = 0; at < lines.length; at += step) {
    const colour = (lines[at] << 16) | (lines[at + 1] << 8) | lines[at + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const kept = byCount.slice(0, COLOURS);
  const places = new Map(kept.map((colour, index) => [colour, index]));
  for (const colour of byCount.slice(COLOURS)) places.set(colour, nearest(kept, colour));
  return { kept, places };
}

function nearest(colours, wanted) {
  let best = 0;
  let least = Infinity;
  colours.forEach((colour, index) => {
    const distance = [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((wanted >> shift) & 255)) ** 2, 0);
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Converts a PNG to one with a palette of at most 256 colors. */
export function smallPng(png) {
  const picture = pixelsOf(png);
  const { width, height, step, lines } = picture;
  const { kept, places } = palette(picture);
  const indexed = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * step;
      indexed[y * (width + 1) + 1 + x] = places.get((lines[at] << 16) | (lines[at + 1] << 8) | lines[at + 2]);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(kept.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(indexed, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
