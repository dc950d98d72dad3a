/** Provides all stores of a window to its components, each through its own context. */
import { useMemo, type Context, type ReactNode } from "react";

import { AddingStoreContext } from "../features/add/addingStore";
import { BundleStoreContext } from "../features/add/bundle/bundleStore";
import { FoundStoreContext } from "../features/add/found/foundStore";
import { RegistryStoreContext } from "../features/add/registry/registryStore";
import { AgentsContext } from "../features/agents/agents";
import { QuestionsContext } from "../features/elicitation/questions";
import { CallHistoryContext } from "../features/history/callHistory";
import { FirstRunContext } from "../features/home/firstRun";
import { ManagingContext } from "../features/member/edit/managing";
import { OfferStoreContext } from "../features/member/offers/offerStore";
import { PaletteStateContext } from "../features/palette/paletteState";
import { DoctorContext } from "../features/settings/doctor/examination";
import { SecretStoreContext } from "../features/settings/secrets/secretStore";
import { SettingsStoreContext } from "../features/settings/settingsStore";
import { UpdateStoreContext } from "../features/settings/updateStore";
import { ToolPageContext } from "../features/tool/pageState";
import { WorkbenchContext } from "../features/tool/workbench";
import { TourContext } from "../features/tour/tour";
import { ActionListContext } from "../lib/actions";
import { DesktopContext } from "../lib/desktop";
import { HallContext } from "../lib/hall/hall";
import { LayersContext } from "../lib/layers";
import { NavigationContext } from "../lib/navigation/navigation";
import { PageFormContext } from "../lib/pageForm";
import { PaneSizesContext } from "../lib/paneSizes";
import { RecentContext } from "../lib/recent";
import { RosterPanelContext } from "../lib/rosterPanel";
import { SpokenContext } from "../lib/spoken";
import { ZoomContext } from "../lib/zoom";
import { actionsOf, usualActionsOf } from "./actions";
import type { Stores } from "./stores";

type Wrap = (inside: ReactNode) => ReactNode;

function provide<T>(Provider: Context<T | null>, store: T): Wrap {
  return (inside) => <Provider value={store}>{inside}</Provider>;
}

function providersOf(stores: Stores): readonly Wrap[] {
  return [
    provide(HallContext, stores.hall),
    provide(WorkbenchContext, stores.bench),
    provide(QuestionsContext, stores.questions),
    provide(OfferStoreContext, stores.offers),
    provide(AgentsContext, stores.agents),
    provide(DoctorContext, stores.doctor),
    provide(FoundStoreContext, stores.found),
    provide(UpdateStoreContext, stores.updates),
    provide(AddingStoreContext, stores.adding),
    provide(BundleStoreContext, stores.bundles),
    provide(RegistryStoreContext, stores.registry),
    provide(SecretStoreContext, stores.secrets),
    provide(SettingsStoreContext, stores.settings),
    provide(FirstRunContext, stores.firstRun),
    provide(TourContext, stores.tour),
    provide(ManagingContext, stores.managing),
    provide(ToolPageContext, stores.desk),
    provide(CallHistoryContext, stores.history),
    provide(LayersContext, stores.layers),
    provide(RecentContext, stores.recent),
    provide(ZoomContext, stores.zoom),
    provide(SpokenContext, stores.spoken),
    provide(NavigationContext, stores.navigation),
    provide(RosterPanelContext, stores.roster),
    provide(PageFormContext, stores.pageForm),
    provide(PaneSizesContext, stores.sizes),
    provide(DesktopContext, stores.desktop),
    provide(PaletteStateContext, stores.palette),
    provide(ActionListContext, { all: () => actionsOf(stores), usual: () => usualActionsOf(stores) }),
  ];
}

export function StoresProvider({ stores, children }: { readonly stores: Stores; readonly children: ReactNode }) {
  const providers = useMemo(() => providersOf(stores), [stores]);
  return providers.reduceRight<ReactNode>((inside, wrap) => wrap(inside), children);
}
