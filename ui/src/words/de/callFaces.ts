import type { FaceName } from "../../results/face";
import type { en } from "../en/callFaces";

const faces: Record<FaceName, string> = {
  ok: "ok",
  tool: "Werkzeugfehler",
  protocol: "Protokollfehler",
  transport: "keine Verbindung",
  limit: "Zeitgrenze",
  cancelled: "abgebrochen",
  unsent: "nicht gesendet",
};

export const de: typeof en = {
  faces,
  processEnded: "Prozess beendet",
};
