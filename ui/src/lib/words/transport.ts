import type { Transport } from "../../ipc/bindings";

export const TRANSPORT_NAMES: Record<Transport, string> = { http: "HTTP", stdio: "stdio", sse: "HTTP+SSE" };
