/** Creates all stores of a window. Features do not import this file; they use the hooks of single stores. */
import { AddingStore } from "../features/add/addingStore";
import { BundleStore } from "../features/add/bundle/bundleStore";
import { FoundStore } from "../features/add/found/foundStore";
import { RegistryStore } from "../features/add/registry/registryStore";
import { Agents } from "../features/agents/agents";
import { Questions } from "../features/elicitation/questions";
import { CallHistory } from "../features/history/callHistory";
import { FirstRun } from "../features/home/firstRun";
import { Managing } from "../features/member/edit/managing";
import { OfferStore } from "../features/member/offers/offerStore";
import { PaletteState } from "../features/palette/paletteState";
import { Doctor } from "../features/settings/doctor/examination";
import { SecretStore } from "../features/settings/secrets/secretStore";
import { SettingsStore } from "../features/settings/settingsStore";
import { UpdateStore } from "../features/settings/updateStore";
import { ToolPageState } from "../features/tool/pageState";
import { Workbench } from "../features/tool/workbench";
import { Tour } from "../features/tour/tour";
import type { Bridge } from "../ipc/bridge";
import { desktopOf } from "../lib/desktop";
import type { Schedule } from "../lib/store";
import { Hall } from "../lib/hall/hall";
import { Layers } from "../lib/layers";
import { Navigation } from "../lib/navigation/navigation";
import { PageForm } from "../lib/pageForm";
import { PaneSizes } from "../lib/paneSizes";
import { Recent } from "../lib/recent";
import { RosterPanel } from "../lib/rosterPanel";
import { Spoken } from "../lib/spoken";
import { Zoom } from "../lib/zoom";

export type Stores = ReturnType<typeof createStores>;

export function createStores(bridge: Bridge, schedule?: Schedule) {
  const hall = new Hall(bridge, schedule);
  const layers = new Layers();
  const recent = new Recent();
  const roster = new RosterPanel(layers);
  const pageForm = new PageForm();
  const navigation = new Navigation(layers, recent, roster, pageForm);
  const bench = new Workbench(bridge);
  const zoom = new Zoom((factor) => bridge.zoom(factor));
  const settings = new SettingsStore(hall, zoom, bridge.opening);
  return {
    hall,
    layers,
    recent,
    roster,
    pageForm,
    navigation,
    bench,
    zoom,
    settings,
    history: new CallHistory(hall),
    managing: new Managing(hall),
    questions: new Questions(hall),
    offers: new OfferStore(hall),
    agents: new Agents(hall),
    doctor: new Doctor(hall),
    found: new FoundStore(hall),
    updates: new UpdateStore(hall),
    adding: new AddingStore(hall),
    bundles: new BundleStore(hall),
    registry: new RegistryStore(hall),
    secrets: new SecretStore(hall),
    firstRun: new FirstRun(hall),
    tour: new Tour({ bench, hall, navigation, roster }),
    desk: new ToolPageState(),
    palette: new PaletteState(layers),
    sizes: new PaneSizes(),
    spoken: new Spoken(),
    desktop: desktopOf(bridge),
  };
}
