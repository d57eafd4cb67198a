"use strict";
// What moves in a page: charts, tables, menus, explorers, contents. Every text is written by Python; the only formatting here
// is the decimal point of packed digits.
(() => {
  const root = document.documentElement, $ = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (tag, text = "", cls = "") => Object.assign(document.createElement(tag), { textContent: text, className: cls });
  const button = (text, work, cls = "quiet") => {
    const node = Object.assign(make("button", text, cls), { type: "button" });
    node.addEventListener("click", work);
    return node;
  };

  // ---- what is packed into the page
  let packed;
  const unpack = async () => {
    const buffer = await inflate($("packed").textContent), size = new DataView(buffer).getUint32(0, true);
    const kinds = { Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Float64Array };
    packed = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
    if ($("licences")) $("licences").textContent = packed.licences;
    packed.arrays = packed.arrays.map(([kind, at, length]) => new kinds[kind](buffer, 4 + size + at, length));
  };
  const array = (own) => (Array.isArray(own) ? own.flat() : packed.arrays[own.$array]);

  // ---- charts
  const charts = new Map();  // figure → number, view, spec, width, mode
  const signals = {};  // values of parameters that follow explorers
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let drawing = false;  // true once the libraries are there
  let printing = false;
  const mode = () => (printing ? "print" : dark.matches ? "dark" : "light");
  const layout = (number, room) => packed.charts[number].find(([width]) => width <= 1.06 * room) || packed.charts[number].at(-1);
  // Data of a specification are numbers of rows. Each gets a name, by which a view takes others.
  const revive = (spec) => {
    const rows = [], skeleton = JSON.stringify(spec, (key, value) => {
      if (!value || value.$rows === undefined) return value;
      if (!rows.includes(value.$rows)) rows.push(value.$rows);
      return `rows ${rows.indexOf(value.$rows)}`;
    });
    const full = JSON.parse(skeleton, (key, value) => {
      if (key !== "data" || !value || !/^rows \d+$/.test(value.values)) return value;
      const place = Number(value.values.slice(5));
      return { ...value, name: `rows-${place}`, values: structuredClone(packed.rows[rows[place]]) };
    });
    return { rows, skeleton, full };
  };
  const compile = (full, theme, options) => {
    const config = theme.background === undefined ? packed.themes[theme] : theme;
    const { spec } = vegaLite.compile(full, { config, logger: vega.logger(vega.Error) });
    return new vega.View(vega.parse(spec, null, { ast: true }), { expr: vega.expressionInterpreter, logLevel: vega.Error, ...options });
  };
  const signal = (view, name, value) => {
    try { if (view.signal(name) !== value) view.signal(name, value).run(); } catch { /* the chart does not have it */ }
  };
  const draw = (figure) => {
    const chart = charts.get(figure), plot = figure.querySelector(".plot"), number = Number(figure.dataset.chart), theme = mode();
    const [width, spec] = layout(number, printing ? Infinity : plot.clientWidth), revived = revive(spec);
    const same = chart.view && chart.mode === theme && chart.width === width;
    if (same && chart.number === number) return;
    chart.number = number;
    if (same && chart.skeleton === revived.skeleton) {
      revived.rows.forEach((own, place) => { if (own !== chart.rows[place]) chart.view.data(`rows-${place}`, structuredClone(packed.rows[own])); });
      chart.view.run();
    } else {
      if (chart.view) chart.view.finalize();
      plot.replaceChildren();
      plot.append(chart.holder = make("div"));
      chart.holder.setAttribute("aria-hidden", "true");
      chart.view = compile(revived.full, theme, { renderer: "svg", container: chart.holder, hover: true });
      chart.view.tooltip((_, event, item, value) => tip(value, event));
      chart.view.addEventListener("pointerover", (_, item) => focus(figure, named(item)));
      chart.view.addEventListener("pointerout", () => focus(figure, null));
      chart.view.addEventListener("click", (event, item) => {
        if (item && item.tooltip) tip(item.tooltip, event);
        if (item && item.datum && Number.isInteger(item.datum.state)) follow(item.datum.state);
      });
      chart.view.run();
    }
    Object.assign(chart, { rows: revived.rows, skeleton: revived.skeleton, width, mode: theme, at: -1 });
    for (const [name, value] of Object.entries(signals)) signal(chart.view, name, value);
  };
  const attempt = (figure) => {
    if (!drawing || !figure.isConnected) return;
    try { draw(figure); } catch (error) { figure.querySelector(".plot").textContent = `This chart cannot be drawn: ${error.message}`; }
  };
  const seen = new IntersectionObserver((entries) => entries.forEach((entry) => { if (entry.isIntersecting) attempt(entry.target); }), { rootMargin: "800px" });
  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => {
    const figure = target.closest("figure"), chart = charts.get(figure);
    if (chart && chart.view && layout(chart.number, target.clientWidth)[0] !== chart.width) attempt(figure);
  }));
  const chartOf = (figure) => {
    const plot = figure.querySelector(".plot"), caption = figure.querySelector("figcaption p");
    charts.set(figure, {});
    plot.tabIndex = 0;
    plot.setAttribute("role", "application");
    plot.setAttribute("aria-roledescription", "chart");
    plot.setAttribute("aria-label", `${figure.dataset.title}. Arrow keys step through the marks.`);
    if (caption) plot.setAttribute("aria-describedby", caption.id);
    plot.addEventListener("keydown", (event) => step(event, figure));
    plot.addEventListener("blur", () => leave(figure));
    seen.observe(figure);
    resized.observe(plot);
    if (packed) menu(figure, [
      ["SVG", async () => download(figure, "svg", await light(figure).toSVG(), "image/svg+xml")],
      ["PNG", async () => download(figure, "png", await new Promise(async (done) => (await light(figure).toCanvas(3)).toBlob(done)))],
      ["Specification", () => download(figure, "vl.json", JSON.stringify({ ...whole(figure), config: packed.themes.light }, null, 1), "application/json")],
      ["Copy caption", () => copy(caption ? caption.textContent : figure.dataset.title)],
    ]);
  };
  const whole = (figure) => revive(layout(Number(figure.dataset.chart), figure.querySelector(".plot").clientWidth)[1]).full;
  const light = (figure) => compile(whole(figure), { ...packed.themes.print, background: packed.paper, padding: 8 }, { renderer: "none" });

  // ---- one system, highlighted in every chart, table and key of its section
  const named = (item) => {
    const datum = (item && item.datum) || {};
    return packed.systems.find((system) => system === datum.system || (system === datum.value && /legend/.test(item.mark.role))) || null;
  };
  const focus = (node, system) => {
    const section = node.closest("section, details") || document;
    for (const [figure, chart] of charts) if (chart.view && section.contains(figure)) signal(chart.view, "focus", system);
    for (const own of all("[data-system]", section)) own.classList.toggle("hot", own.dataset.system === system);
  };
  for (const kind of ["pointerover", "pointerout"]) document.addEventListener(kind, (event) => {
    const own = event.target.closest && event.target.closest("[data-system]");
    if (own && packed) focus(own, kind === "pointerover" ? own.dataset.system : null);
  });
  document.addEventListener("pointerover", (event) => {  // a cell has the value in more digits than its text
    const cell = event.target.closest && event.target.closest("td, th"), data = cell && cell.querySelector("data");
    if (!data) return;
    const exact = data.value.replace(" ", " to ");
    cell.title = exact === data.textContent.replaceAll("−", "-") ? "" : exact;
  });

  // ---- values of a mark, by mouse, touch and keys: a chart is one stop, arrow keys step through its marks
  const tip = (value, event) => {
    const box = $("tip");
    box.hidden = value === null || value === undefined || value === "";
    if (box.hidden) return;
    const table = make("table");
    for (const [name, text] of typeof value === "object" ? Object.entries(value) : [["", value]]) {
      const row = table.insertRow();
      row.append(make("td", name), make("td", String(text)));
    }
    box.replaceChildren(table);
    const { clientX: x, clientY: y } = event.changedTouches ? event.changedTouches[0] : event, { width, height } = box.getBoundingClientRect();
    box.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 4))}px`;
    box.style.top = `${y + 14 + height > innerHeight ? Math.max(4, y - height - 14) : y + 14}px`;
  };
  const marksOf = (view) => {
    const marks = [], texts = new Set();
    const walk = (mark, x, y) => (mark.items || []).forEach((item) => {
      if (mark.marktype === "group") (item.items || []).forEach((inner) => walk(inner, x + (item.x || 0), y + (item.y || 0)));
      else if (item.tooltip && item.bounds) {
        const text = JSON.stringify(item.tooltip);
        if (!texts.has(text)) marks.push({ item, x: x + (item.bounds.x1 + item.bounds.x2) / 2, y: y + (item.bounds.y1 + item.bounds.y2) / 2 });
        texts.add(text);
      }
    });
    const [x, y] = view.origin(), { left, top } = view.padding();
    walk(view.scenegraph().root, x + left, y + top);
    return marks;
  };
  const leave = (figure) => {
    const chart = charts.get(figure);
    all(".ring", figure).forEach((ring) => ring.remove());
    tip(null);
    if (chart) chart.at = -1;
    if (packed) focus(figure, null);
  };
  const step = (event, figure) => {
    const chart = charts.get(figure), moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.key === "Escape") return leave(figure);
    if (!chart.view || !["Enter", ...Object.keys(moves)].includes(event.key)) return;
    const marks = marksOf(chart.view), last = marks.length - 1;
    if (last < 0) return;
    if (event.key === "Enter") {
      const own = marks[chart.at];
      if (own && Number.isInteger(own.item.datum.state)) follow(own.item.datum.state);
      return;
    }
    event.preventDefault();
    const move = moves[event.key], at = chart.at < 0 && move < 0 && Number.isFinite(move) ? last : chart.at + move;
    chart.at = Math.abs(move) === 1 ? (at + last + 1) % (last + 1) : Math.max(0, Math.min(last, at));
    const { item, x, y } = marks[chart.at], svg = chart.holder.querySelector("svg"), box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width, around = figure.querySelector(".plot").getBoundingClientRect(), ring = make("i", "", "ring");
    const place = { clientX: box.left + scale * x, clientY: box.top + scale * y };
    all(".ring", figure).forEach((own) => own.remove());
    ring.style.left = `${place.clientX - around.left}px`;
    ring.style.top = `${place.clientY - around.top}px`;
    figure.querySelector(".plot").append(ring);
    tip(item.tooltip, place);
    $("live").textContent = typeof item.tooltip === "object" ? Object.entries(item.tooltip).map(([name, text]) => `${name} ${text}`).join(", ") : item.tooltip;
    focus(figure, named(item));
  };

  // ---- saving
  const download = (figure, ending, content, type) => {
    const link = make("a"), blob = content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` });
    link.href = URL.createObjectURL(blob);
    link.download = `${figure.dataset.name}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    return `Saved ${link.download}`;
  };
  const copy = async (text, rich) => {
    try {
      if (rich) await navigator.clipboard.write([new ClipboardItem({ "text/plain": new Blob([text], { type: "text/plain" }), "text/html": new Blob([rich], { type: "text/html" }) })]);
      else await navigator.clipboard.writeText(text);
    } catch {
      const box = make("textarea", text);
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
    return "Copied";
  };
  const menu = (figure, entries) => {
    const box = make("details", "", "save"), head = make("summary", "Save"), list = make("div"), status = make("span");
    head.setAttribute("aria-label", `Save ${figure.getAttribute("aria-label")}`);
    status.setAttribute("role", "status");
    list.append(...entries.map(([label, work]) => button(label, async () => {
      try { status.textContent = await work(); } catch (error) { status.textContent = `Not saved: ${error.message}`; }
    }, "")), status);
    box.append(head, list);
    box.addEventListener("keydown", (event) => { if (event.key === "Escape" && box.open) { box.open = false; head.focus(); event.stopPropagation(); } });
    figure.append(box);
  };
  document.addEventListener("click", (event) => all("details.save[open]").forEach((own) => { if (!own.contains(event.target)) own.open = false; }));

  // ---- tables: heads sort; long ones show their first rows
  const key = (cell) => {
    const data = cell.querySelector("data");
    if (cell.dataset.rank !== undefined) return Number(cell.dataset.rank);
    if (data) return Number.parseFloat(data.value);
    const text = cell.textContent.trim(), count = Number(text.replaceAll(",", ""));
    return cell.matches(".l") ? text : Number.isNaN(count) ? null : count;
  };
  const sort = (head, order) => {  // rows of all parts of a wide table follow the column of one
    const figure = head.closest("figure"), sign = order === "descending" ? -1 : 1;
    const lines = [...head.closest("table").tBodies[0].rows].map((row, place) => [place, key(row.cells[head.dataset.column])]);
    lines.sort(([, a], [, b]) => (a === null || b === null ? (a === null) - (b === null) : a < b ? -sign : a > b ? sign : 0));
    all("th[aria-sort]", figure).forEach((own) => own.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    for (const { tBodies: [body] } of all("table", figure)) {
      const rows = [...body.rows];
      body.append(...lines.map(([place]) => rows[place]));
    }
    shorten(figure);
  };
  const shorten = (figure) => all("table", figure).forEach((table) => {
    const most = figure.dataset.whole ? Infinity : Number(table.dataset.most || Infinity);
    [...table.tBodies[0].rows].forEach((row, place) => row.classList.toggle("rest", place >= most));
  });
  const tableOf = (figure) => {
    const scroll = figure.querySelector(".scroll"), table = figure.querySelector("table"), count = table.tBodies[0].rows.length;
    if (count > 1) for (const head of all("th[data-column]:not(.t)", scroll)) {
      const sorter = button("", () => {
        const now = head.getAttribute("aria-sort"), first = head.matches(".n") ? "descending" : "ascending";
        sort(head, now !== first ? first : first === "ascending" ? "descending" : "ascending");
      }, "sort");
      sorter.append(...head.childNodes);
      head.append(sorter);
    }
    if (Number(table.dataset.most) < count) {
      shorten(figure);
      const more = button("Show all rows", () => {
        figure.dataset.whole = figure.dataset.whole ? "" : "yes";
        more.textContent = figure.dataset.whole ? "Show the first rows" : "Show all rows";
        shorten(figure);
      });
      scroll.after(more);
    }
    new ResizeObserver(() => { if (scroll.scrollWidth > scroll.clientWidth + 1) scroll.tabIndex = 0; else scroll.removeAttribute("tabindex"); }).observe(scroll);
    const saved = packed.texts[figure.dataset.save];
    // The table of a packed state is not a file in the page: its CSV are the cells.
    const cells = () => [...table.rows].slice(-count - 1).map((row) => [...row.cells].filter((cell) => !cell.matches(".t")).map((cell) => `"${cell.textContent.trim().replaceAll('"', '""')}"`).join(",") + "\n").join("");
    const csv = () => (saved ? saved[1].csv : cells());
    menu(figure, [
      ["CSV", () => download(figure, "csv", csv(), "text/csv")],
      ...(saved ? [["Markdown", () => download(figure, "md", saved[1].md, "text/markdown")], ["LaTeX", () => download(figure, "tex", saved[1].tex, "text/plain")]] : []),
      ["Copy", () => copy(csv(), all("table", scroll).map((own) => own.outerHTML).join(""))],
    ]);
  };
  const prepare = (node) => {
    for (const figure of [node, ...all("figure", node)]) {
      if (figure.matches("figure.table")) tableOf(figure);
      else if (figure.matches("figure.chart")) chartOf(figure);
    }
  };

  // ---- explorers: Python wrote every state; switches choose one
  let follow = () => {};
  const explorer = (box) => {
    const number = Number(box.dataset.explorer), data = packed.explorers[number], { switches, briefs } = data, width = switches.length;
    const codes = array(data.codes), leaders = array(data.leaders), count = leaders.length, anchor = number ? `explore-${number + 1}` : "explore";
    const text = (own, state) => (Array.isArray(own) ? own[state] : own.texts[array(own.places)[state]]);
    const code = (state, k) => codes[state * width + k];
    let at = data.start, wanted = switches.map((_, k) => Math.max(0, code(at, k)));

    const differing = (a, b) => switches.map((_, k) => k).filter((k) => code(a, k) !== code(b, k) && code(a, k) >= 0 && code(b, k) >= 0);
    const distance = (a, b) => {
      let apart = 0;
      for (let k = 0; k < width; k++) if (code(a, k) !== code(b, k) && code(a, k) >= 0 && code(b, k) >= 0) apart++;
      return apart;
    };
    const nearest = (want, fixed) => {  // of the states with the fixed option, the one that keeps most of the others
      let best = -1, least = Infinity;
      for (let state = 0; state < count; state++) {
        if (fixed >= 0 && code(state, fixed) !== want[fixed]) continue;
        let apart = 0;
        for (let k = 0; k < width; k++) if (code(state, k) >= 0 && code(state, k) !== want[k]) apart++;
        if (apart < least) { least = apart; best = state; }
      }
      return [best, least];
    };
    const label = (k, option) => `${switches[k].words} ${(switches[k].labels.length ? switches[k].labels : switches[k].options)[option]}`;
    const options = (state, ks) => ks.map((k) => label(k, code(state, k))).join(", ");

    const showSwitches = () => all("fieldset", box).forEach((set, k) => {
      const own = code(at, k), list = set.querySelector("select");
      set.classList.toggle("idle", own < 0);
      set.title = own < 0 ? "Does not apply to the other choices" : "";
      if (list) list.value = String(own); else all("input", set).forEach((input, option) => { input.checked = option === own; });
    });
    const showFlips = () => {
      const flips = box.querySelector(".flips"), own = leaders[at], line = (head, states) => {
        const p = make("p");
        p.append(make("b", head));
        states.forEach((state, k) => p.append(k ? "; " : " ", button(options(state, differing(at, state)), () => choose(state)), make("span", briefs && leaders[state] !== own ? ` (${text(briefs, state)})` : "")));
        return p;
      };
      let least = Infinity, others = [], same = [];
      for (let state = 0; state < count; state++) {
        const apart = distance(at, state);
        if (apart === 1 && leaders[state] === own) same.push(state);
        if (!apart || own < 0 || leaders[state] < 0 || leaders[state] === own) continue;
        if (apart < least) { least = apart; others = []; }
        if (apart === least) others.push(state);
      }
      // States that differ in a decision that does not apply at both are one change to a reader.
      const once = (states) => [...new Map(states.map((state) => [options(state, differing(at, state)), state]).reverse()).values()].reverse();
      [others, same] = [once(others), once(same)];
      const name = data.names[own];
      const lines = own < 0 ? [line("No system leads here.", [])]
        : !others.length ? [line(`Nothing here flips this: ${name} leads wherever a system leads.`, [])]
        : [line(least === 1 ? "What would flip this?" : "No single choice flips this. The nearest:", others.slice(0, 6))];
      if (others.length > 6) lines[0].append("; and others.");
      if (same.length && count <= 200) lines.push(line("Same leader:", same.slice(0, 6)));
      flips.replaceChildren(...lines);
    };

    const state = box.querySelector(".state");
    const showBlocks = (way, before) => data.states[way].forEach((own, k) => {
      const old = state.children[k];
      if (own === data.states[before][k]) return;
      const fresh = Object.assign(make("template"), { innerHTML: packed.texts[own] }).content.firstElementChild;
      if (old && old.matches("figure.chart") && fresh.matches("figure.chart")) {  // the view stays and gets other data
        old.querySelector("figcaption").replaceWith(fresh.querySelector("figcaption"));
        for (const name of ["id", "data-name", "data-chart", "data-title", "aria-label", "class"]) old.setAttribute(name, fresh.getAttribute(name));
        if (charts.get(old).view) attempt(old);
        return;
      }
      const head = old && old.querySelector("th[aria-sort]");
      if (old) old.replaceWith(fresh); else state.append(fresh);
      prepare(fresh);
      const again = head && all("th[data-column]", fresh)[all("th[data-column]", old).indexOf(head)];
      if (again && again.querySelector(".sort")) sort(again, head.getAttribute("aria-sort"));
    });

    // Packed states: whole numbers are printed digits; here they get their decimal point.
    const point = (whole, digits) => {
      if (whole === null) return "–";
      const figures = String(Math.abs(whole)).padStart(digits + 1, "0"), cut = figures.length - digits;
      return (whole < 0 ? "−" : "") + figures.slice(0, cut).replace(/\B(?=(\d{3})+$)/g, ",") + (digits ? `.${figures.slice(cut)}` : "");
    };
    const datum = (cell, text, ...wholes) => {
      const data = Object.assign(make("data", text), { value: wholes.map((whole) => whole.replaceAll(",", "").replace("−", "-")).join(" ") });
      cell.replaceChildren(text === "–" ? text : data);
    };
    const showPacked = (way) => {
      const own = data.packed, size = own.systems.length, digits = array(own.digits)[way], order = array(own.order).subarray(way * size, (way + 1) * size);
      const table = state.querySelector("table"), heads = all("th[data-column]", table).sort((a, b) => a.dataset.column - b.dataset.column);
      const rows = [...table.tBodies[0].rows].sort((a, b) => a.dataset.place - b.dataset.place), base = way * size;
      const wholes = (own, k) => { const whole = array(own)[base + k]; return whole === own.absent ? null : whole; };
      const drawn = own.columns.map((column) => own.systems.map((_, k) => {  // value, or both ends
        if (column.kind === "value") return [wholes(column.values, k)];
        if (column.kind !== "interval") return [];
        const middle = column.track < 0 ? 0 : wholes(own.columns[column.track].values, k), below = wholes(column.below, k), skew = wholes(column.skew, k);
        return [middle, below, skew].includes(null) ? [null, null] : [middle - below, middle + below + skew];
      }));
      const scales = own.columns.map((column, k) => {
        if (column.kind !== "interval" || column.track < 0) return null;
        const known = [...drawn[k], ...drawn[column.track]].flat().filter((whole) => whole !== null);
        const low = Math.min(...known), high = Math.max(...known);
        return known.length ? [0 < 2 * low && 2 * low < high ? 0 : low, high] : [0, 10 ** digits];
      });
      order.forEach((system, place) => {
        const row = rows[place], name = own.systems[system];
        let cell = 0;
        row.dataset.system = data.names[system];
        own.columns.forEach((column, k) => {
          if (column.kind === "system") row.cells[cell++].innerHTML = name;
          else if (column.kind === "value") { const shown = point(drawn[k][system][0], digits); datum(row.cells[cell++], shown, shown); }
          else if (column.kind === "text") { const rank = array(column.places)[base + system]; row.cells[cell].dataset.rank = rank; row.cells[cell++].textContent = column.texts[rank]; }
          else {
            const [low, high] = drawn[k][system], ends = [point(low, digits), point(high, digits)], absent = low === null;
            if (scales[k]) {
              const [least, most] = scales[k], share = (whole) => `${((100 * (whole - least)) / (most - least || 1)).toFixed(2)}%`;
              const svg = row.cells[cell++].querySelector("svg"), [value] = drawn[column.track][system];
              svg.setAttribute("class", `track s${own.marks[system]}`);
              for (const [line, x1, x2, hide] of [[svg.children[1], low, high, absent], [svg.children[2], value, value, value === null]]) {
                line.toggleAttribute("visibility", false);
                if (hide) line.setAttribute("visibility", "hidden"); else { line.setAttribute("x1", share(x1)); line.setAttribute("x2", share(x2)); }
              }
            }
            datum(row.cells[cell++], absent ? "–" : ends.join(ends.join("").includes("−") ? " to " : "–"), ...ends);
          }
        });
      });
      let leaf = 0;
      own.columns.forEach((column, k) => {
        if (scales[k]) heads[leaf++].querySelector(".scale").replaceChildren(...scales[k].map((end) => make("span", end === 0 ? "0" : point(end, digits))));
        const label = heads[leaf++].querySelector(".label");
        if (own.heads[column.name]) label.textContent = text(own.heads[column.name], way);
      });
      table.tBodies[0].append(...rows);
      all("th[aria-sort]", table).forEach((head) => head.removeAttribute("aria-sort"));
      state.firstElementChild.textContent = text(own.sentences, way);
    };
    if (data.packed) all("tbody tr", state).forEach((row, place) => { row.dataset.place = place; });

    // The address keeps what differs from the start. No element has its name, so that the page does not scroll.
    const address = (way) => `#${anchor}${switches.map((own, k) => [own, k]).filter(([, k]) => code(way, k) >= 0 && code(way, k) !== code(data.start, k))
      .map(([own, k]) => `&${encodeURIComponent(own.name)}=${encodeURIComponent(own.options[code(way, k)])}`).join("")}`;
    const show = (way) => {
      const before = at;
      at = way;
      switches.forEach((_, k) => { if (code(at, k) >= 0) wanted[k] = code(at, k); });
      if (data.packed) showPacked(way); else showBlocks(way, before);
      const own = data.packed ? Object.entries(data.signals).map(([name, values]) => [name, Number.isNaN(array(values)[way]) ? null : array(values)[way]]) : Object.entries(data.signals[way]);
      for (const [name, value] of own) {
        signals[name] = value;
        for (const chart of charts.values()) if (chart.view) signal(chart.view, name, value);
      }
      showSwitches();
      showFlips();
      box.dataset.state = String(at);
    };
    const status = (words) => { box.querySelector(".status").textContent = words; };
    const choose = (way, words = "") => {
      if (way !== at) show(way);
      status(words);
      if (briefs) $("live").textContent = text(briefs, way);
      if (location.hash !== address(way)) location.hash = address(way);
    };
    const turn = (k, option) => {
      const want = wanted.map((own, j) => (j === k ? option : own)), [way, apart] = nearest(want, k);
      if (way < 0) return showSwitches();
      const changed = switches.map((_, j) => j).filter((j) => j !== k && code(way, j) >= 0 && code(way, j) !== want[j]);
      choose(way, apart ? `${label(k, option)} was not combined with the other choices. The nearest ${data.noun} is shown: ${options(way, changed)}.` : "");
    };
    const read = () => {
      const hash = location.hash.slice(1), [name, ...parts] = hash.split("&");
      if (hash !== "" && name !== anchor) return;  // an anchor of the page: the choice stays
      const want = switches.map((_, k) => Math.max(0, code(data.start, k))), unknown = [];
      for (const part of parts.filter(Boolean)) {
        let pair = [part, ""];
        try { pair = part.split("=").map(decodeURIComponent); } catch { /* a damaged link names nothing */ }
        const k = switches.findIndex((own) => own.name === pair[0]), option = k < 0 ? -1 : switches[k].options.indexOf(pair[1]);
        if (option < 0) unknown.push(part); else want[k] = option;
      }
      const [way, apart] = parts.length ? nearest(want, -1) : [data.start, 0];
      if (way !== at) show(way);
      if (unknown.length) status(`The link asks for what this page does not have: ${unknown.join(", ")}.`);
      else if (apart) status(`The link asks for choices that were not combined. The nearest ${data.noun} is shown.`);
      else if (hash === "") status("");
    };
    box.addEventListener("change", (event) => { const set = event.target.closest("fieldset"); if (set) turn(Number(set.dataset.switch), Number(event.target.value)); });
    box.querySelector("[data-reset]").addEventListener("click", () => choose(data.start));
    addEventListener("hashchange", read);
    show(at);
    if (!number) follow = (way) => { if (way >= 0 && way < count) choose(way); };
    read();
    if (location.hash.startsWith(`#${anchor}&`)) box.scrollIntoView();
  };

  // ---- contents, appendix, print
  const links = new Map(all(".contents a").map((own) => [own.hash.slice(1), own]));
  const current = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    links.forEach((own) => own.removeAttribute("aria-current"));
    const link = links.get(entry.target.id), nav = link.parentElement;
    link.setAttribute("aria-current", "true");
    if (nav.scrollWidth > nav.clientWidth) nav.scrollLeft = link.offsetLeft - nav.clientWidth / 2;
  }), { rootMargin: "-15% 0px -75% 0px" });
  for (const id of links.keys()) if ($(id)) current.observe($(id));
  const folds = all("#appendix > details");
  folds.forEach((own) => { own.open = false; });  // the numbers of charts are open for readers without a script
  if ($("open-all")) $("open-all").addEventListener("click", (event) => {
    const open = folds.some((own) => !own.open);
    folds.forEach((own) => { own.open = open; });
    event.target.textContent = open ? "Close all" : "Open all";
  });
  const reveal = () => {
    const target = $(location.hash.slice(1)), fold = target && target.closest("#appendix details");
    if (fold) { fold.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", reveal);
  reveal();
  let closed = [];
  addEventListener("beforeprint", () => {
    printing = true;
    closed = folds.filter((own) => !own.open);
    closed.forEach((own) => { own.open = true; });
    for (const figure of charts.keys()) attempt(figure);
  });
  addEventListener("afterprint", () => {
    printing = false;
    closed.forEach((own) => { own.open = false; });
    for (const figure of charts.keys()) attempt(figure);
  });
  dark.addEventListener("change", () => { for (const [figure, chart] of charts) if (chart.view) attempt(figure); });

  // ---- start: explorers first, then the libraries, then the charts, those in view first
  const idle = window.requestIdleCallback || ((work) => setTimeout(work, 20));
  const rest = () => {
    const next = [...charts].find(([figure, chart]) => !chart.view && figure.isConnected && !chart.tried);
    if (!next) { root.classList.add("drawn"); return; }
    next[1].tried = true;
    attempt(next[0]);
    idle(rest);
  };
  const start = async () => {
    await unpack();
    all("main figure").forEach((figure) => { if (figure.matches(".table")) tableOf(figure); else if (figure.matches(".chart")) chartOf(figure); });
    all(".explorer").forEach(explorer);
    root.classList.add("ready");
    for (const library of all("script[data-library]")) await run(library);
    drawing = Boolean(window.vega);
    if (drawing) for (const figure of charts.keys()) if (figure.getBoundingClientRect().top < innerHeight + 800) attempt(figure);
    rest();
  };
  start().catch(fail);
})();
