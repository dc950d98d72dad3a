/** Creates all stores of a window, and provides each to the components through its own context. */
import { useMemo, type Context, type ReactNode } from "react";

import { AddingStore, AddingStoreContext } from "../features/add/addingStore";
import { BundleStore, BundleStoreContext } from "../features/add/bundle/bundleStore";
import { FoundStore, FoundStoreContext } from "../features/add/found/foundStore";
import { RegistryStore, RegistryStoreContext } from "../features/add/registry/registryStore";
import { Agents, AgentsContext } from "../features/agents/agents";
import { Questions, QuestionsContext } from "../features/elicitation/questions";
import { CallHistory, CallHistoryContext } from "../features/history/callHistory";
import { FirstRun, FirstRunContext } from "../features/home/firstRun";
import { Managing, ManagingContext } from "../features/member/edit/managing";
import { OfferStore, OfferStoreContext } from "../features/member/offers/offerStore";
import { PaletteState, PaletteStateContext } from "../features/palette/paletteState";
import { Doctor, DoctorContext } from "../features/settings/doctor/examination";
import { SecretStore, SecretStoreContext } from "../features/settings/secrets/secretStore";
import { SettingsStore, SettingsStoreContext } from "../features/settings/settingsStore";
import { UpdateStore, UpdateStoreContext } from "../features/settings/updateStore";
import { ToolPageState, ToolPageContext } from "../features/tool/pageState";
import { Workbench, WorkbenchContext } from "../features/tool/workbench";
import { Tour, TourContext } from "../features/tour/tour";
import type { Bridge } from "../ipc/bridge";
import { ActionListContext } from "../lib/actions";
import { DesktopContext, type Desktop } from "../lib/desktop";
import type { Schedule } from "../lib/store";
import { Hall, HallContext } from "../lib/hall/hall";
import { Layers, LayersContext } from "../lib/layers";
import { Navigation, NavigationContext } from "../lib/navigation/navigation";
import { PageForm, PageFormContext } from "../lib/pageForm";
import { PaneSizes, PaneSizesContext } from "../lib/paneSizes";
import { Recent, RecentContext } from "../lib/recent";
import { RosterPanel, RosterPanelContext } from "../lib/rosterPanel";
import { Spoken, SpokenContext } from "../lib/spoken";
import { Zoom, ZoomContext } from "../lib/zoom";
import { actionsOf, usualActionsOf } from "./actions";

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
    desktop: bridge as Desktop,
  };
}

/** The contexts of the stores. Features do not import this file; they use the hooks of single stores. */
const CONTEXTS: { readonly [K in keyof Stores]: Context<Stores[K] | null> } = {
  hall: HallContext,
  layers: LayersContext,
  recent: RecentContext,
  roster: RosterPanelContext,
  pageForm: PageFormContext,
  navigation: NavigationContext,
  bench: WorkbenchContext,
  zoom: ZoomContext,
  settings: SettingsStoreContext,
  history: CallHistoryContext,
  managing: ManagingContext,
  questions: QuestionsContext,
  offers: OfferStoreContext,
  agents: AgentsContext,
  doctor: DoctorContext,
  found: FoundStoreContext,
  updates: UpdateStoreContext,
  adding: AddingStoreContext,
  bundles: BundleStoreContext,
  registry: RegistryStoreContext,
  secrets: SecretStoreContext,
  firstRun: FirstRunContext,
  tour: TourContext,
  desk: ToolPageContext,
  palette: PaletteStateContext,
  sizes: PaneSizesContext,
  spoken: SpokenContext,
  desktop: DesktopContext,
};

export function StoresProvider({ stores, children }: { readonly stores: Stores; readonly children: ReactNode }) {
  const actions = useMemo(() => ({ all: () => actionsOf(stores), usual: () => usualActionsOf(stores) }), [stores]);
  const names = Object.keys(CONTEXTS) as (keyof Stores)[];
  return names.reduceRight<ReactNode>((inside, name) => {
    // The type of `CONTEXTS` ensures that each store has the context of its type.
    const Provider = CONTEXTS[name] as Context<unknown>;
    return <Provider value={stores[name]}>{inside}</Provider>;
  }, <ActionListContext value={actions}>{children}</ActionListContext>);
}
