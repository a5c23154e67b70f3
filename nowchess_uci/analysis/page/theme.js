// Light or dark: as the system has it until the button says otherwise, which is remembered where the browser allows it.

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function remembered(theme) {
  try {
    if (theme) localStorage.setItem("nowchess-theme", theme);
    return localStorage.getItem("nowchess-theme");
  } catch {
    return null; // a file opened from the disk may have no storage
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : darkSystem.matches;
}

function showTheme(theme) {
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  byId("theme").setAttribute("aria-pressed", String(isDark()));
}

function switchTheme() {
  const theme = isDark() ? "light" : "dark";
  remembered(theme);
  showTheme(theme);
}

byId("theme").addEventListener("click", switchTheme);
darkSystem.addEventListener("change", () => showTheme(null));
showTheme(remembered(null));
