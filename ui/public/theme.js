// What has to be known before the first paint: language, theme, contrast, the roster's width. A plain
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
  // The shell says what was chosen before any script of the page runs. The last two are for trying the
  // layout: longer texts, and from right to left.
  const tags = ["en", "de", "en-XA", "ar-XB"];
  // A page that was loaded anew has what it began with at first: what was chosen since is kept.
  let again = "";
  try {
    again = sessionStorage.getItem("guild-hall.language") ?? "";
  } catch {
    // Storage may be switched off.
  }
  const given = window.__GUILD_HALL__?.settings;
  const wanted = [again, given?.language, ...navigator.languages.map((tag) => tag.split("-")[0])];
  root.lang = wanted.find((tag) => tags.includes(tag)) ?? "en";
  root.dir = root.lang === "ar-XB" ? "rtl" : "ltr";
  const choice = again ? kept("theme") : (given?.settings.appearance.theme ?? kept("theme"));
  const [, more, chosen] = /^(contrast-)?(light|dark)$/.exec(choice) ?? [];
  const light = chosen ? chosen === "light" : asks("(prefers-color-scheme: light)");
  root.dataset.theme = light ? "light" : "dark";
  root.dataset.contrast = more || asks("(prefers-contrast: more)") ? "more" : "normal";
  const width = kept("roster-width");
  if (/^\d{3,4}$/.test(width)) root.style.setProperty("--roster", `${width}px`);
}
