// The element of a row: key, value, kind, and a button for the menu.

import { attribute, make, put } from "./dom.js";
import { groupOf, isKeyed, isList, keyOf, nameOf } from "./kinds.js";
import { t } from "./texts.js";

/** The number of levels that are indented in full. */
const DEEP = 12;
/** A finger that stays this long, in milliseconds, and within this distance, in pixels, opens the menu. */
const LONG = 500, NEAR = 10;

let number = 0;

export function createRow(tree) {
  const part = (className, tag = "span", ...children) => make(tag, { className }, ...children);
  const [twisty, label, count, text] = ["twisty", "label", "count", "text"].map((name) => part(name));
  const button = (className) => make("button", { className, type: "button", tabIndex: -1 });
  const [kind, more] = ["kind", "more"].map(button), check = make("input", { type: "checkbox", tabIndex: -1, className: "check-value" });
  const name = part("name", "span", twisty, label), value = part("value", "span", check, count, text);
  const element = make("div", { className: "row", role: "treeitem", id: `value-${number++}` }, name, value, kind, more);
  const row = { element, name, twisty, label, check, count, value, text, kind, more };
  twisty.setAttribute("aria-hidden", "true");
  more.textContent = "⋮";
  listen(row, tree);
  return row;
}

function listen(row, tree) {
  const { element, twisty, check, kind, more } = row, { actions } = tree;
  const selected = () => (tree.isSelected(row.branch, row.position) ? Promise.resolve() : tree.select(row.branch, row.position));
  /** A long press has opened the menu, so the click after it is not a click on the row. */
  let press, isPressed = false;
  element.addEventListener("click", async (event) => {
    if (isPressed) return void (isPressed = false);
    const { branch, position, node } = row, { target } = event;
    if (target === check) return;
    if (target === twisty) return tree.toggle(branch, position, node);
    if (target.closest(".more")) return void selected().then(() => actions.menu(more.getBoundingClientRect()));
    if (event.ctrlKey || event.metaKey || tree.isChoosing) return tree.chooseAlso(branch, position);
    if (event.shiftKey) return tree.chooseTo(branch, position);
    const wasSelected = tree.isSelected(branch, position), isOnValue = row.value.contains(target);
    if (target.closest(".kind")) return void selected().then(() => actions.kinds(kind.getBoundingClientRect()));
    if (isOnValue && node?.rows > 0) tree.toggle(branch, position, node);
    await tree.select(branch, position);
    if (isOnValue && wasSelected && !(node?.rows > 0)) actions.edit();
  });
  check.addEventListener("click", (event) => {
    // The row shows the new value after the change.
    event.preventDefault();
    selected().then(() => actions.turn());
  });
  // The focus stays on the tree.
  element.addEventListener("mousedown", (event) => {
    if (!event.target.closest("button, input")) return;
    event.preventDefault();
    tree.element.focus({ preventScroll: true });
  });
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    clearTimeout(press);
    if (!isPressed) open(event.clientX, event.clientY);
  });
  const open = (x, y) => {
    const isOneOfThem = element.classList.contains("chosen");
    return (isOneOfThem ? Promise.resolve() : selected()).then(() => actions.menu({ left: x, right: x, bottom: y, top: y }));
  };
  let start;
  element.addEventListener("pointerdown", (event) => {
    isPressed = false;
    if (event.pointerType !== "touch") return;
    start = event;
    press = setTimeout(() => {
      isPressed = true;
      open(event.clientX, event.clientY);
    }, LONG);
  });
  element.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > NEAR) clearTimeout(press);
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(type, () => clearTimeout(press));
}

/** Fills a row with a node. */
export function fillRow(row, { isSelected, isChosen, isOpen, problem, dialect, isAround, isOnly, mark }) {
  const { element, branch, node } = row, isContainer = node && (isKeyed(node.kind) || isList(node.kind)) && node.kind !== undefined;
  const key = node ? keyText(node, branch, isOnly) : "…";
  const text = problem ? problem.message : node?.text ?? "";
  putMarked(row.label, key, mark?.isKey === true ? mark : undefined);
  putMarked(row.text, text, mark && !mark.isKey ? mark : undefined);
  put(row.text, "title", text);
  put(row.label, "title", key);
  put(row.count, "textContent", isContainer && (node.count ?? node.rows) !== undefined && !(node.rows === 0 && text) && !problem ? counted(node) : "");
  put(row.kind, "textContent", node ? (node.kind === undefined ? t("row.damage") : nameOf(node.kind, dialect)) : "");
  put(row.kind, "className", `kind ${node ? groupOf(node.kind) : ""}`);
  row.check.hidden = node?.kind !== "bool" || problem !== undefined;
  row.more.hidden = node?.kind === undefined;
  if (node?.kind === "bool") row.check.checked = node.text === "true";
  attribute(row.check, "aria-label", key);
  attribute(row.more, "aria-label", t("row.more", { name: key }));
  attribute(row.kind, "aria-label", node?.kind && t("row.kindOf", { name: key, kind: row.kind.textContent }));
  const canOpen = node?.rows > 0, isWrong = problem || (node && node.kind === undefined);
  put(row.twisty, "textContent", canOpen ? (isOpen ? "▾" : "▸") : "");
  const classes = { selected: isSelected, chosen: isChosen, problem: isWrong, around: isAround, container: isContainer, hit: mark };
  put(element, "className", ["row", ...Object.keys(classes).filter((name) => classes[name])].join(" "));
  row.name.style.paddingInlineStart = `${Math.min(branch.level, DEEP) * 14 + Math.max(0, branch.level - DEEP) * 3 - 8}px`;
}

/** The key of a row. A value of the file has no key: it is the whole save or, if the file has several values, a part. */
function keyText(node, branch, isOnly) {
  if (branch.level > 1 || !/^(frame \d+)?$/.test(node.label)) return keyOf(node) || '""';
  return isOnly ? t("crumbs.whole") : t("crumbs.frame", { number: node.frame });
}

/** The number of keys or items of a container. */
const counted = (node) => t(isKeyed(node.kind) ? "row.keys" : "row.items", { count: node.count ?? node.rows });

/** Sets a text, with a mark on the part that was searched, or on all of it if the part is not known. */
function putMarked(element, text, mark) {
  const at = mark?.text ? text.toLowerCase().indexOf(mark.text.toLowerCase()) : -1;
  element.classList.toggle("marked", Boolean(mark) && at < 0);
  if (at < 0) return put(element, "textContent", text);
  const end = at + mark.text.length;
  element.replaceChildren(text.slice(0, at), make("mark", {}, text.slice(at, end)), text.slice(end));
}
