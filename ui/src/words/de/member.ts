import type { Freshness } from "../../bridge/bindings";
import { counted, number } from "../chosen";
import type { en } from "../en/member";

const freshness: Record<Exclude<Freshness, "unknown">, string> = {
  live: "aktuell",
  cached: "gespeichert",
  outdated: "veraltet",
  refreshing: "wird gelesen",
};

export const de: typeof en = {
  more: "Mehr vom Mitglied",
  readingDetail: "Befehl, Server und Manifest",
  wrong: "Was nicht stimmt",
  warnings: "Warnungen",
  foundSo: (how) => `Die Werkzeuge sind erschlossen (${how}).`,
  foundUnconfirmed: (how) => `Die Werkzeuge sind erschlossen (${how}). Aufrufbar, auch für Agenten, sind sie erst, wenn der Server sie bestätigt hat.`,

  start: "Starten",
  startNow: "Jetzt starten",
  restart: "Neu starten",
  refresh: "Werkzeuge neu lesen",
  underWay: (what) => `${what} …`,

  log: "Log",
  resources: "Ressourcen",
  resourcesCounted: (count) => `Ressourcen (${number(count)})`,
  prompts: "Prompts",
  promptsCounted: (count) => `Prompts (${number(count)})`,
  server: "Server",
  manifest: "Manifest",
  savedCalls: "Gespeicherte Aufrufe",
  review: "Prüfung",
  reviewHeld: (tools) => `Prüfung (${counted(tools, { one: "Werkzeug", other: "Werkzeuge" })} zurückgehalten)`,
  dev: "Entwicklung",
  leftOut: (entries) => `Ausgelassen (${number(entries)})`,

  command: "Befehl",
  theCommand: "Befehl",
  address: "Adresse",
  process: "Prozess",
  noProcess: "keiner",
  pid: (pid) => `PID ${pid}`,
  port: (port) => `Port ${port}`,
  up: (since) => `läuft seit ${since}`,
  onDemand: "startet bei Bedarf",
  withRoster: "startet mit Guild Hall",
  protocol: "Protokoll",
  noProtocol: "noch nicht vereinbart",
  tools: "Werkzeuge",
  noList: "keine Liste bekannt",
  list: (tools, fresh) => `${number(tools)}, ${freshness[fresh]}`,
  listSaid: (tools, fresh, ago) => `${number(tools)}, ${freshness[fresh]}, vom Server genannt ${ago}`,
  listFound: (tools, fresh, ago) => `${number(tools)}, ${freshness[fresh]}, gefunden ${ago}`,
  environment: "Umgebung",
  folder: "Ordner",

  serverSilent: "Der Server hat noch nichts über sich gesagt. Er tut es, sobald er bereit ist.",
  serverInfo: (server, protocol) => `${server} · Protokoll ${protocol} · mit Handshake`,
  serverInfoBare: (server, protocol) => `${server} · Protokoll ${protocol} · ohne Handshake`,
  instructions: "Anweisungen für ein Modell",
  capabilities: "Fähigkeiten",

  noManifest: "Es gibt keine lesbare plugin.json.",
  manifestFile: (folder) => `${folder}/plugin.json, hier nur lesbar`,
  theManifest: "Manifest",
  noName: "(ohne Namen)",
  andMore: (count) => `und ${counted(count, { one: "weiterer Eintrag", other: "weitere Einträge" })}`,
};
