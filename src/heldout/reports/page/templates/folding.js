// ---- long tables begin with their first rows; a button shows the rest
for (const table of document.querySelectorAll("table[data-most]")) {
  const rest = [...table.tBodies[0].rows].slice(Number(table.dataset.most));
  if (!rest.length) continue;
  const button = document.createElement("button");
  const show = (all) => {
    for (const row of rest) row.hidden = !all;
    button.textContent = all ? "Show fewer rows" : `Show all ${table.tBodies[0].rows.length.toLocaleString("en-US")} rows`;
    button.setAttribute("aria-expanded", String(all));
  };
  let open = false;
  button.type = "button";
  button.className = "more";
  button.addEventListener("click", () => { open = !open; show(open); });
  table.closest(".scroll").after(button);
  window.addEventListener("beforeprint", () => show(true));
  window.addEventListener("afterprint", () => show(open));
  show(false);
}
// ---- what is folded away is printed
{
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("main details:not(.save, [open])")];
    for (const folded of opened) folded.open = true;
  });
  window.addEventListener("afterprint", () => { for (const folded of opened) folded.open = false; });
}
// ---- tables that do not fit are set tighter, and if that is not enough folded: rows become cards whose cells bear their heads
(() => {
  const heads = (table) => [...table.tHead.rows[table.tHead.rows.length - 1].cells].map((cell) => cell.textContent.trim());
  const fit = (box) => {
    const table = box.querySelector("table");
    const fits = () => box.scrollWidth <= box.clientWidth + 1;
    table.classList.remove("tight", "folded");
    if (matchMedia("print").matches || fits()) return;
    table.classList.add("tight");
    if (fits()) return;
    table.classList.remove("tight");
    const names = heads(table);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, k) => { cell.dataset.head = (names[k] || "").replace("(", "\u200b("); });
    roles(table);
    table.classList.add("folded");
  };
  // A folded table is drawn as blocks; roles keep it a table for screen readers.
  const roles = (table) => {
    table.setAttribute("role", "table");
    for (const part of [table.tHead, table.tBodies[0]]) part.setAttribute("role", "rowgroup");
    for (const row of table.rows) {
      row.setAttribute("role", "row");
      for (const cell of row.cells) cell.setAttribute("role", cell.closest("thead") ? "columnheader" : cell.tagName === "TH" ? "rowheader" : "cell");
    }
  };
  for (const table of document.querySelectorAll(".scroll > table:not(#matrix, [data-table=agreement-of-options])")) {
    const box = table.closest(".scroll");
    let width = 0;
    new ResizeObserver(() => { if (box.clientWidth !== width) { width = box.clientWidth; fit(box); } }).observe(box);
    new MutationObserver(() => fit(box)).observe(table, { childList: true, subtree: true });
    window.addEventListener("beforeprint", () => table.classList.remove("tight", "folded"));
    window.addEventListener("afterprint", () => fit(box));
  }
})();
