/** Types of the answers that tests give instead of the engine. */
import type { Commands } from "./bindings";

export type Request<K extends keyof Commands> = Commands[K]["request"];
export type Response<K extends keyof Commands> = Commands[K]["response"];

/** Computes the answer to a request. */
export type Made<K extends keyof Commands> = (request: Request<K>) => Response<K> | Promise<Response<K>>;

/** Answers by command. Each is a value, or a function of the request. */
export type Answers = { [K in keyof Commands]?: Response<K> | Made<K> };
