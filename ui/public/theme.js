// What has to be known before the first paint: theme, contrast, the roster's width. A plain
// file, because the page's policy forbids inline scripts. theme.css reads what is set here.
{
  const root = document.documentElement;
  const asks = (query) => matchMedia(query).matches;
  const kept = (name) => {
    try {
      return localStorage.getItem(`guild-hall.${name}`) ?? "";
    } catch {
      // Storage may be switched off; the system's theme is used then.
      return "";
    }
  };
  // The shell says what was chosen before any script of the page runs.
  const choice = window.__GUILD_HALL__?.settings.settings.appearance.theme ?? kept("theme");
  const [, more, chosen] = /^(contrast-)?(light|dark)$/.exec(choice) ?? [];
  const light = chosen ? chosen === "light" : asks("(prefers-color-scheme: light)");
  root.dataset.theme = light ? "light" : "dark";
  root.dataset.contrast = more || asks("(prefers-contrast: more)") ? "more" : "normal";
  const width = kept("roster-width");
  if (/^\d{3,4}$/.test(width)) root.style.setProperty("--roster", `${width}px`);
}
