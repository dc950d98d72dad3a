// Sets the theme, contrast and roster width before the first paint, for theme.css. It is a separate file
// because the content security policy forbids inline scripts.
{
  const root = document.documentElement;
  const prefers = (query) => matchMedia(query).matches;
  const stored = (name) => {
    try {
      return localStorage.getItem(`guild-hall.${name}`) ?? "";
    } catch {
      // Without storage, the system's theme and the default width apply.
      return "";
    }
  };
  const choice = window.__GUILD_HALL__?.settings.settings.appearance.theme ?? stored("theme");
  const [, more, chosen] = /^(contrast-)?(light|dark)$/.exec(choice) ?? [];
  const light = chosen ? chosen === "light" : prefers("(prefers-color-scheme: light)");
  root.dataset.theme = light ? "light" : "dark";
  root.dataset.contrast = more || prefers("(prefers-contrast: more)") ? "more" : "normal";
  // The same limits as ROSTER_PX in rosterPanel.ts.
  const width = stored("roster-width");
  if (/^\d{1,4}$/.test(width)) root.style.setProperty("--roster", `${Math.min(400, Math.max(220, width))}px`);
}
