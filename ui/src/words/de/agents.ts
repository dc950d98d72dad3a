import type { AgentTab } from "../../agents/agents";
import type { Listing, Policy } from "../../bridge/bindings";
import type { en } from "../en/agents";

const tabs: Record<AgentTab, string> = {
  gateway: "Gateway",
  view: "Was der Agent sieht",
  policies: "Werkzeuge und Regeln",
  profiles: "Profile",
  approvals: "Freigaben",
  traffic: "Datenverkehr",
  connect: "Verbinden",
};

const policies: Record<Policy, string> = { allow: "erlauben", ask: "fragen", deny: "verbieten" };

const listings: Record<Listing, string> = {
  lazy: "Namen und erste Sätze; beschrieben wird ein Werkzeug auf Nachfrage",
  full: "jedes Werkzeug mit seinem ganzen Schema",
  search: "ein Menü aus vier Werkzeugen, um die übrigen zu finden, zu beschreiben und aufzurufen",
};

export const de: typeof en = {
  agents: "Agenten",
  concernsAgents: "Was Agenten betrifft",
  tabs,
  policies,
  listings,
  gateway: "Gateway",
  gatewayStates: { off: "aus", notListening: "nimmt keine Verbindungen an", starting: "startet", listening: "nimmt Verbindungen an" },
  onPort: (state, port) => `${state}, Port ${port}`,
  allMembers: "alle Mitglieder",
  profileCalled: (name) => `Profil ${name}`,
  endpoint: "Endpunkt",
  profiles: "Profile",
  members: "Mitglieder",
  endpointAddress: "Adresse des Endpunkts",
  chosen: "Gewählt",

  go: "Agenten: das Gateway und was es anbietet",
  goToCatalogue: "Alle Werkzeuge: der Katalog",
  goToTab: (tab) => `Agenten: ${tab}`,
  decide: (call) => `Entscheiden: ${call}`,
  decideSome: "Über den Aufruf eines Agenten entscheiden",
  noneWaits: "Kein Aufruf eines Agenten wartet",
};
