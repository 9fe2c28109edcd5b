// Shows the path of the selected value, and undoes changes.

const inspector = document.querySelector("variant-inspector"), undo = document.querySelector("#undo");

undo.addEventListener("click", () => inspector.undo());
inspector.addEventListener("change", ({ detail }) => { undo.disabled = !detail.canUndo; });
inspector.addEventListener("select", ({ detail }) => { document.querySelector("#selected").textContent = detail.path; });
