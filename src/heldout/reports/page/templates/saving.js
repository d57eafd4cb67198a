// Saving: every figure as SVG and PNG, every table as CSV, LaTeX, Markdown and on the clipboard, from what the page shows.
// Tables are written as heldout.reports.sheet writes them; tests/browser compares the two, cell by cell.
const saving = (() => {
  const ABSENT = "–", NUMBER = /^[+−-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?$/;
  const make = (tag, text, cls) => Object.assign(document.createElement(tag), { textContent: text || "", className: cls || "" });
  const squeezed = (text) => text.split(/\s+/).filter(Boolean).join(" ");
  const kebab = (text, other) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || other;

  // ---- a table as rows of cells: what is shown, the numbers behind it, raised letters, whether it is the best
  const read = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("[aria-hidden=true], .star").forEach((hidden) => hidden.remove());
    const raised = [...copy.querySelectorAll("sup")], letters = squeezed(raised.map((sup) => sup.textContent).join(""));
    raised.forEach((sup) => sup.remove());
    const values = [...copy.querySelectorAll("data")].map((data) => data.getAttribute("value"));
    return { text: squeezed(copy.textContent), values, letters, best: node.matches(".best, .lead") };
  };
  const named = () => {
    const names = new Map();
    for (const table of document.querySelectorAll("table")) {
      if (table.closest("#vg-tooltip-element")) continue;
      const base = (table.dataset.table || table.id).replace(/-table$/, "") || kebab(squeezed((table.caption || {}).textContent || ""), "table");
      let name = base;
      for (let again = 2; names.has(name); again += 1) name = `${base}-${again}`;
      names.set(name, table);
    }
    return names;
  };
  const sheet = (name, table) => {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const shown = heads.map((_, k) => k).filter((k) => !heads[k].classList.contains("track"));
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    return {
      name, title: squeezed((table.caption || {}).textContent || ""),
      heads: shown.map((k) => read(heads[k]).text), numeric: shown.map((k) => heads[k].classList.contains("num")),
      rows: rows.map((row) => shown.map((k) => read(row.cells[k]))),
    };
  };
  const plain = (sheet) => {
    const parts = sheet.heads.map((_, k) => Math.max(1, ...sheet.rows.map((row) => row[k].values.length)));
    const names = [];
    sheet.heads.forEach((head, k) => {
      const name = head || `column ${k + 1}`;
      for (const part of parts[k] === 1 ? [name] : [`${name} low`, `${name} high`]) {
        const again = names.filter((other) => other === part).length;
        names.push(again ? `${part} (${again + 1})` : part);
      }
    });
    const texts = (cell, count) => {
      let text = cell.text === ABSENT ? "" : cell.text;
      if (NUMBER.test(text)) text = text.replaceAll(",", "").replaceAll("−", "-").replace(/^\+/, "");
      const own = cell.values.length ? cell.values : [text];
      return [...own, ...Array(count - own.length).fill("")];
    };
    return [names, ...sheet.rows.map((row) => row.flatMap((cell, k) => texts(cell, parts[k])))];
  };
  const quoted = (own) => {  // spreadsheets run texts that begin so as formulas
    const text = /^[=+\-@\t\r]/.test(own) && !NUMBER.test(own) ? `'${own}` : own;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csv = (sheet) => plain(sheet).map((line) => line.map(quoted).join(",") + "\n").join("");
  const tabs = (sheet) => plain(sheet).map((line) => line.join("\t") + "\n").join("");
  const marked = (text) => text.replace(/[\\*_<`[|]/g, "\\$&");
  const markdown = (sheet) => {
    const shown = (cell) => {
      const text = cell.best && cell.text ? `**${marked(cell.text)}**` : marked(cell.text);
      return cell.letters ? `${text} ${marked(cell.letters)}` : text;
    };
    const lines = [sheet.heads.map(marked), sheet.numeric.map((number) => (number ? "---:" : "---")), ...sheet.rows.map((row) => row.map(shown))];
    return lines.map((line) => `| ${line.join(" | ")} |\n`).join("");
  };
  const escaped = (text) => {
    const pieces = [];
    let foreign = "";
    const flush = () => {
      if (foreign) pieces.push(`\\ifdefined\\Umathcode ${foreign}\\else ${[...foreign].map((c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(" ")}\\fi{}`);
      foreign = "";
    };
    const letters = [...text.replace(/[\x00-\x1f]/g, " ")];
    letters.forEach((letter, k) => {
      if (letter in TEX.special || TEX.typeable.includes(letter)) {
        flush();
        pieces.push(letter in TEX.special ? TEX.special[letter] : letter === "-" && letters[k + 1] === "-" ? "-{}" : letter);
      } else foreign += letter;
    });
    flush();
    return pieces.join("");
  };
  const latex = (sheet) => {
    const length = (text) => [...text].length;
    const wide = sheet.heads.reduce((sum, head, k) => sum + 2 + Math.max(length(head), ...sheet.rows.map((row) => length(row[k].text))), 0);
    if (wide > TEX.page) {  // columns of numbers that say the same of every row stand in the caption
      const sole = (k) => new Set(sheet.rows.map((row) => JSON.stringify([row[k].text, row[k].letters, row[k].best, row[k].values]))).size === 1;
      const alike = sheet.heads.map((_, k) => k).filter((k) => sheet.rows.length > 1 && sheet.numeric[k] && sole(k));
      const rest = (cells) => cells.filter((_, k) => !alike.includes(k));
      const same = alike.filter((k) => sheet.rows[0][k].text).map((k) => `${sheet.heads[k]}: ${sheet.rows[0][k].text}`).join("; ");
      const title = same ? `${sheet.title}. The same in all rows: ${same}` : sheet.title;
      if (alike.length) return latex({ ...sheet, title, heads: rest(sheet.heads), numeric: rest(sheet.numeric), rows: sheet.rows.map(rest) });
    }
    const kind = wide > TEX.column ? "table*" : "table", smaller = wide > TEX.page;
    const shown = (cell) => {
      const text = cell.best ? `\\textbf{${escaped(cell.text)}}` : escaped(cell.text);
      return cell.letters ? `${text}$^{\\mathrm{${escaped(cell.letters)}}}$` : text;
    };
    const row = (cells) => (/^[[*]/.test(cells[0]) ? "{}" : "") + cells.join(" & ") + " \\\\";
    return [
      `% needs \\usepackage{booktabs}${smaller ? " and \\usepackage{graphicx}" : ""}`, `\\begin{${kind}}[t]`, "\\centering",
      `\\caption{${escaped(sheet.title)}}`, `\\label{tab:${sheet.name}}`, ...(smaller ? ["\\resizebox{\\linewidth}{!}{%"] : []),
      `\\begin{tabular}{${sheet.numeric.map((number) => (number ? "r" : "l")).join("")}}`, "\\toprule", row(sheet.heads.map(escaped)), "\\midrule",
      ...sheet.rows.map((cells) => row(cells.map(shown))), "\\bottomrule", `\\end{tabular}${smaller ? "}" : ""}`, `\\end{${kind}}`, "",
    ].join("\n");
  };

  // ---- a figure as one SVG with the colours of light pages, its key below it
  const INHERITED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "fill-opacity", "stroke-opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "visibility", "color"];
  const OWN = { opacity: "1", display: "inline", transform: "none" };
  const light = (work) => {
    const dark = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media && rule.media.mediaText.includes("dark"));
    const media = dark.map((rule) => rule.media.mediaText);
    dark.forEach((rule) => { rule.media.mediaText = "not all"; });
    try { return work(); } finally { dark.forEach((rule, k) => { rule.media.mediaText = media[k]; }); }
  };
  const styled = (from, to, above) => {
    const style = getComputedStyle(from);
    for (const name of INHERITED) {
      const value = style.getPropertyValue(name);
      if (!above || value !== above.getPropertyValue(name)) to.setAttribute(name, value.replaceAll('"', "'"));
    }
    if (from.tagName !== "svg") for (const [name, usual] of Object.entries(OWN)) if (style.getPropertyValue(name) !== usual && !from.hasAttribute(name)) to.style.setProperty(name, style.getPropertyValue(name));
    to.removeAttribute("class");
    [...from.children].forEach((child, k) => styled(child, to.children[k], style));
  };
  const SPACE = "http://www.w3.org/2000/svg";
  const drawn = (tag, attributes, text) => {
    const node = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const visible = (node) => node.getClientRects().length > 0;
  const drawings = (figure) => [...figure.querySelectorAll("svg")].filter((svg) => visible(svg) && !svg.closest(".save"));
  const svg = (figure) => light(() => {
    const whole = drawn("svg", { xmlns: SPACE }), page = getComputedStyle(document.body);
    let down = 0, across = 0;
    for (const from of drawings(figure)) {
      const box = from.getBoundingClientRect(), to = from.cloneNode(true);
      styled(from, to, null);
      to.removeAttribute("style");
      for (const [name, value] of Object.entries({ x: 0, y: down, width: box.width, height: box.height })) to.setAttribute(name, value);
      if (!to.hasAttribute("viewBox")) to.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
      whole.append(to);
      down += box.height + 8;
      across = Math.max(across, box.width);
    }
    let left = 0;
    for (const item of [...figure.querySelectorAll(".legend .key, ul li")].filter(visible)) {
      const text = squeezed(item.textContent.replace("■", "")), mark = item.querySelector("i, span"), style = getComputedStyle(item);
      const size = Number.parseFloat(style.fontSize), length = item.getBoundingClientRect().width + size;
      if (left && left + length > across) { left = 0; down += 1.5 * size; }
      const own = mark && getComputedStyle(mark), colour = own && (own.backgroundColor === "rgba(0, 0, 0, 0)" ? own.color : own.backgroundColor);
      if (mark) whole.append(drawn("rect", { x: left, y: down + 0.1 * size, width: 0.8 * size, height: 0.8 * size, fill: colour }));
      whole.append(drawn("text", { x: left + (mark ? 1.2 * size : 0), y: down + 0.85 * size, fill: page.color, "font-size": size, "font-family": page.fontFamily.replaceAll('"', "'") }, text));
      left += length;
    }
    if (left) down += 24;
    for (const [name, value] of Object.entries({ width: Math.ceil(across), height: Math.ceil(down), viewBox: `0 0 ${Math.ceil(across)} ${Math.ceil(down)}` })) whole.setAttribute(name, value);
    whole.prepend(drawn("rect", { width: "100%", height: "100%", fill: page.backgroundColor }));
    return new XMLSerializer().serializeToString(whole);
  });
  const png = async (figure) => {
    const text = svg(figure), image = new Image(), canvas = document.createElement("canvas"), sharp = 3;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    [canvas.width, canvas.height] = [sharp * image.width, sharp * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  };

  // ---- files and the clipboard
  const download = (name, content, type) => {
    const link = make("a");
    link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); } catch {
      const box = make("textarea", text);
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
  };
  const menu = (subject, entries) => {
    const box = make("details", "", "save"), head = make("summary", "Save"), list = make("div"), status = make("span", "", "note");
    head.append(make("span", ` ${subject}`, "unseen"));
    status.setAttribute("role", "status");
    for (const [label, work] of entries) {
      const button = make("button", label);
      button.type = "button";
      button.addEventListener("click", async () => {
        try { status.textContent = await work(); } catch (error) { status.textContent = `Not saved: ${error.message}`; }
      });
      list.append(button);
    }
    list.append(status);
    box.append(head, list);
    box.addEventListener("keydown", (event) => { if (event.key === "Escape" && box.open) { box.open = false; head.focus(); event.stopPropagation(); } });
    return box;
  };
  // A notebook may show one figure alone: all that is not around it, and not a control of its section, is hidden.
  const alone = (name) => {
    const figure = [...document.querySelectorAll("[data-figure]")].find((own) => own.dataset.figure === name);
    for (let node = figure; node && node !== document.body; node = node.parentElement) {
      for (const beside of node.parentElement.children) {
        if (beside !== node && !beside.matches("script, style, .controls, .switches, #vg-tooltip-element")) beside.hidden = true;
      }
    }
  };
  const start = () => {
    for (const [name, table] of named()) {
      const saved = (ending, write, type) => () => { download(`${name}.${ending}`, write(sheet(name, table)), type); return `Saved ${name}.${ending}`; };
      const entries = [
        ["CSV", saved("csv", csv, "text/csv")], ["LaTeX", saved("tex", latex, "text/plain")], ["Markdown", saved("md", markdown, "text/markdown")],
        ["Copy", async () => { await copy(tabs(sheet(name, table))); return "Copied"; }],
      ];
      const title = squeezed((table.caption || {}).textContent || "") || name;
      (table.closest(".scroll") || table).after(menu(`the table ${title}`, entries));
    }
    for (const figure of document.querySelectorAll("figure")) {
      if (figure.querySelector("figure")) continue;
      const caption = squeezed((figure.querySelector("figcaption") || {}).textContent || ""), place = figure.querySelector(".plot");
      const name = figure.dataset.figure || (place && place.id.replace(/^chart-/, "")) || kebab(caption, "figure");
      const saved = (ending, write, type) => async () => {
        if (!drawings(figure).length) return "There is no drawing";
        download(`${kebab(name, "figure")}.${ending}`, await write(figure), type);
        return `Saved ${kebab(name, "figure")}.${ending}`;
      };
      figure.append(menu(`the figure ${caption.slice(0, 80) || name}`, [["SVG", saved("svg", svg, "image/svg+xml")], ["PNG", saved("png", png)]]));
    }
    if (document.documentElement.dataset.only) alone(document.documentElement.dataset.only);
  };
  return { start, copy, sheet, named, csv, latex, markdown, svg };
})();
saving.start();
