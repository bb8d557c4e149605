// theme.js - light or dark: as the system has it, until the button says otherwise.

const DARK = window.matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

// A color of the style sheet, such as --page.
function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").setAttribute("aria-pressed", String(dark));
  viewTheme();
}

function startTheme() {
  let chosen = false;
  byId("theme").addEventListener("click", () => {
    chosen = true;
    setTheme(!isDark());
    say(isDark() ? "dark colors" : "light colors");
  });
  DARK.addEventListener("change", () => chosen || setTheme(DARK.matches));
  setTheme(DARK.matches);
}
