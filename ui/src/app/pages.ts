/** Pages that are loaded after the first paint. */
export const importMemberPage = () => import("../member/MemberPage");
export const importToolPage = () => import("../tool/ToolPage");
export const importOfferPage = () => import("../member/offers/OfferPage");
export const importQuestionPage = () => import("../elicitation/QuestionPage");
export const importAgentsPage = () => import("../agents/AgentsPage");
export const importDoctorPage = () => import("../doctor/DoctorPage");
export const importAddDialog = () => import("../adding/AddDialog");
export const importDiscoveryPage = () => import("../discovery/DiscoveryPage");
export const importSettings = () => import("../settings/SettingsFrame");
export const importSecretsPage = () => import("../secrets/SecretsPage");
export const importPalette = () => import("../palette/Palette");
export const importHistoryPage = () => import("../history/HistoryPage");
export const importBugReportDialog = () => import("./BugReportDialog");
export const importKeySheet = () => import("./KeySheet");
export const importHelpBooks = () => import("../help/books");
export const importHelpPage = () => import("../help/HelpPage");
export const importAboutDialog = () => import("./AboutDialog");
export const importTourCallout = () => import("../tour/TourCallout");
export const importMemberDialogs = () => import("../member/edit/MemberDialogs");
export const importToaster = () => import("../parts/Toaster");
export const importTrying = () => import("../welcome/trying");

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
