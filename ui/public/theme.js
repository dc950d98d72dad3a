// Sets the chosen theme before the first paint. A plain file, because the page's policy forbids
// inline scripts; without a choice the media query in theme.css decides.
try {
  const choice = localStorage.getItem("guild-hall.theme");
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
} catch {
  // Storage may be switched off; the system's theme is used then.
}
