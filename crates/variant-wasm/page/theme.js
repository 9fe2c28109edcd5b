// The light or dark theme. It is the system's theme until the user chooses another.

const dark = matchMedia("(prefers-color-scheme: dark)");

export function theme(button) {
  const show = (chosen) => {
    const isDark = chosen ? chosen === "dark" : dark.matches;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    button.textContent = isDark ? "Light" : "Dark";
    button.setAttribute("aria-label", `Use the ${isDark ? "light" : "dark"} theme`);
  };
  button.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", next); } catch { /* It is kept for this visit only. */ }
    show(next);
  });
  const chosen = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  dark.addEventListener("change", () => show(chosen()));
  show(chosen());
}
