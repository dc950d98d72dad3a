/** The dynamic imports of pages and dialogs. */
export const importMemberPage = () => import("../features/member/MemberPage");
export const importToolPage = () => import("../features/tool/ToolPage");
export const importOfferPage = () => import("../features/member/offers/OfferPage");
export const importQuestionPage = () => import("../features/elicitation/QuestionPage");
export const importAgentsPage = () => import("../features/agents/AgentsPage");
export const importDoctorPage = () => import("../features/settings/doctor/DoctorPage");
export const importAddDialog = () => import("../features/add/AddDialog");
export const importDiscoveryPage = () => import("../features/settings/discovery/DiscoveryPage");
export const importSettings = () => import("../features/settings/SettingsFrame");
export const importSecretsPage = () => import("../features/settings/secrets/SecretsPage");
export const importPalette = () => import("../features/palette/Palette");
export const importHistoryPage = () => import("../features/history/HistoryPage");
export const importBugReportDialog = () => import("./BugReportDialog");
export const importKeySheet = () => import("./KeySheet");
export const importHelpPage = () => import("../features/help/HelpPage");
export const importAboutDialog = () => import("./AboutDialog");
export const importTourCallout = () => import("../features/tour/TourCallout");
export const importMemberDialogs = () => import("../features/member/edit/MemberDialogs");
export const importToaster = () => import("../components/Toaster");

/** The delay in milliseconds before pages are preloaded, so that preloading does not slow down the start. */
const REST_MS = 300;

/** Preloads the most used pages and the palette. Returns the function that cancels this. */
export function fetchPages(): () => void {
  const timer = setTimeout(() => {
    // After a failed preload, opening the page imports it again and reports a failure.
    importMemberPage().catch(() => undefined);
    importToolPage().catch(() => undefined);
    importPalette().catch(() => undefined);
  }, REST_MS);
  return () => clearTimeout(timer);
}
