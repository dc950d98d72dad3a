/** Answers that replace the engine. */
import type { Commands } from "./bindings";

export type Request<K extends keyof Commands> = Commands[K]["request"];
export type Response<K extends keyof Commands> = Commands[K]["response"];

/** Makes the answer to one request. */
export type Made<K extends keyof Commands> = (request: Request<K>) => Response<K> | Promise<Response<K>>;

/** The answers of some commands: each one value, or made of the request. */
export type Answers = { [K in keyof Commands]?: Response<K> | Made<K> };
