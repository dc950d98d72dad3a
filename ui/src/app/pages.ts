/** The pages and dialogs whose code loads when they are first shown. */
import { lazy } from "react";

const importMemberPage = () => import("../features/member/MemberPage");
const importToolPage = () => import("../features/tool/ToolPage");
const importPalette = () => import("../features/palette/Palette");

export const MemberPage = lazy(importMemberPage);
export const ToolPage = lazy(importToolPage);
export const OfferPage = lazy(() => import("../features/member/offers/OfferPage"));
export const QuestionPage = lazy(() => import("../features/elicitation/QuestionPage"));
export const AgentsPage = lazy(() => import("../features/agents/AgentsPage"));
export const DoctorPage = lazy(() => import("../features/settings/doctor/DoctorPage"));
export const AddDialog = lazy(() => import("../features/add/AddDialog"));
export const DiscoveryPage = lazy(() => import("../features/settings/discovery/DiscoveryPage"));
export const SettingsFrame = lazy(() => import("../features/settings/SettingsFrame"));
export const SecretsPage = lazy(() => import("../features/settings/secrets/SecretsPage"));
export const Palette = lazy(importPalette);
export const HistoryPage = lazy(() => import("../features/history/HistoryPage"));
export const BugReportDialog = lazy(() => import("./BugReportDialog"));
export const KeySheet = lazy(() => import("./KeySheet"));
export const HelpPage = lazy(() => import("../features/help/HelpPage"));
export const AboutDialog = lazy(() => import("./AboutDialog"));
export const TourCallout = lazy(() => import("../features/tour/TourCallout"));
export const MemberDialogs = lazy(() => import("../features/member/edit/MemberDialogs"));
export const Toaster = lazy(() => import("../components/Toaster"));

/** The delay in milliseconds before pages are preloaded, so that preloading does not slow down the start. */
const REST_MS = 300;

/** Preloads the most used pages and the palette. Returns the function that cancels this. */
export function fetchPages(): () => void {
  const timer = setTimeout(() => {
    // A failed preload is ignored: opening the page imports it again and reports a failure.
    importMemberPage().catch(() => undefined);
    importToolPage().catch(() => undefined);
    importPalette().catch(() => undefined);
  }, REST_MS);
  return () => clearTimeout(timer);
}
