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
    table.classList.add("folded");
  };
  for (const table of document.querySelectorAll("#overview-table, #leaderboard")) {
    const box = table.closest(".scroll");
    let width = 0;
    new ResizeObserver(() => { if (box.clientWidth !== width) { width = box.clientWidth; fit(box); } }).observe(box);
    new MutationObserver(() => fit(box)).observe(table, { childList: true, subtree: true });
    window.addEventListener("beforeprint", () => table.classList.remove("tight", "folded"));
    window.addEventListener("afterprint", () => fit(box));
  }
})();
