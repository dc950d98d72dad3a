/** Pages that are loaded after the first paint. */
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

/** Delay after the first paint before the pages are preloaded, so that the first click loads at once. */
const REST_MS = 300;

/** Fetches the pages ahead of their first use. The answer calls it off. */
export function fetchPages(): () => void {
  const timer = setTimeout(() => {
    // A failed preload is retried, and reported, when the page is opened.
    importMemberPage().catch(() => undefined);
    importToolPage().catch(() => undefined);
    importPalette().catch(() => undefined);
  }, REST_MS);
  return () => clearTimeout(timer);
}
