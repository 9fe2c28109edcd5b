// The light or dark theme. It is the system's theme until the user chooses another.

import { keep, kept } from "./kept.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** `choice` is a list of the themes. The empty one is the system's theme. */
export function theme(choice) {
  const show = () => {
    const isDark = choice.value ? choice.value === "dark" : dark.matches;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  };
  choice.value = kept("theme") ?? "";
  choice.addEventListener("change", () => {
    keep("theme", choice.value);
    show();
  });
  dark.addEventListener("change", show);
  show();
}
