// Tabs. One panel at a time is shown.

export function tabs(list) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const show = (id, hasFocus = false) => {
    for (const tab of all) {
      const panel = tab.getAttribute("aria-controls"), isChosen = panel === id;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(panel).hidden = !isChosen;
      if (isChosen && hasFocus) tab.focus();
    }
  };
  /** The arrow to the right leads to the next tab, or to the previous one in a language that is written from right to left. */
  const ahead = () => (getComputedStyle(list).direction === "rtl" ? -1 : 1);
  for (const [number, tab] of all.entries()) {
    const to = (index) => show(all[(index + all.length) % all.length].getAttribute("aria-controls"), true);
    const keys = { ArrowLeft: () => to(number - ahead()), ArrowRight: () => to(number + ahead()), Home: () => to(0), End: () => to(-1) };
    tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
    tab.addEventListener("keydown", (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
  }
  return show;
}
