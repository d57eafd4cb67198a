(() => {
  const holder = document.getElementById("facts");
  const facts = JSON.parse(holder.textContent);
  for (const name of ["leaderboard", "comparisons"]) {  // where much is left out, tables are columns and rows
    const { columns, rows } = facts[name];
    if (columns) facts[name] = rows.map((row) => Object.fromEntries(columns.map((column, k) => [column, row[k]])));
  }
  const alpha = Number(holder.dataset.alpha);
  const short = JSON.parse(document.getElementById("short").textContent);
  const $ = (id) => document.getElementById(id);
  document.documentElement.classList.add("live");

  const { ABSENT, none, digitsFor, number, signed, interval, pNumber, exact, pExactly, percent, count, repr } = words;

  // ---- rows as a reader asks for them: the same as heldout.reports.views and captions; tests/browser compares every setting
  const setting = (id) => facts.settings.find((s) => s.id === id);
  const board = (id) => facts.leaderboard.filter((r) => r.setting === id).sort((a, b) => a.rank - b.rank);
  const leader = (id) => {
    const row = facts.verdict.rows.find((v) => v.setting === id);
    return row ? row.leader : (board(id)[0] || {}).system;
  };
  const lettered = facts.leaderboard.some((r) => r.group), tested = facts.comparisons.length > 0;
  const neg = (v) => (none(v) ? v : -v);
  const flip = (r) => ({
    ...r, a: r.b, b: r.a, value_a: r.value_b, value_b: r.value_a, difference: -r.difference,
    low: neg(r.high), high: neg(r.low), effect: neg(r.effect), wins: r.losses, losses: r.wins,
    superiority: none(r.superiority) ? r.superiority : 1 - r.superiority,
    figures: Object.fromEntries(Object.entries(r.figures || {}).map(([k, v]) => [({ better: "worse", worse: "better" })[k] || k, v])),
  });
  const pairs = (id, test) => {
    const order = board(id).map((r) => r.system);
    const place = (s) => (order.includes(s) ? order.indexOf(s) : order.length);
    const found = facts.comparisons.filter((r) => r.setting === id && r.test === test);
    if (facts.baseline) return found.sort((x, y) => place(x.a) - place(y.a));
    return found
      .map((r) => (place(r.b) < place(r.a) ? flip(r) : r))
      .sort((x, y) => place(x.a) - place(y.a) || place(x.b) - place(y.b));
  };
  const protocol = (s) => [
    ...Object.entries(s.choices).filter(([, text]) => text),
    ["metric", s.metric], ["aggregate", s.aggregate], ["undefined", s.undefined], ["coverage", s.coverage],
  ];
  const filled = (r) => {
    const own = percent(r.coverage), ranked = percent(r.coverage_ranked);
    return ranked === ABSENT || ranked === own ? own : `${own} → ${ranked}`;
  };
  const figures = (r) => Object.keys(r.figures || {}).sort().map((k) => (k === "non_zero" ? `${count(r.figures[k])} non-zero` : `${k} ${percent(r.figures[k])}`)).join(", ");
  const usersText = (r) => (none(r.p) || !figures(r) ? count(r.users) : `${count(r.users)} (${figures(r)})`);
  const correction = (r) =>
    none(r.p) ? r.reason || "this test gives no p-value"
    : r.family === 1 ? "one comparison, so p needs no adjustment"
    : r.correction && r.test.startsWith(r.correction) ? `p holds for all ${r.family} pairs together`
    : !r.correction || r.correction === "none"
      ? "p not adjusted for the number of comparisons"
      : `p adjusted by ${r.correction} over ${r.family} comparisons`;

  const noted = (r) => (r.test === "none" ? "Nothing was tested" : `${r.test}: ${correction(r)}`);

  const uncalledNote = (id) => {
    const row = facts.verdict.rows.find((v) => v.setting === id);
    return row && row.refused ? ` No winner is called: the leader ${row.refused}. The tests say how the users compared differ, not who wins.` : "";
  };

  // ---- tables
  const { make, breakable, fill, items, track, reach, scaleHead, inflate } = explorer;
  const datum = (text, value) => {  // the number as it is shown, with all its digits behind it, which are saved
    if (none(value)) return text;
    const node = make("data", text);
    node.value = repr(value);
    return node;
  };
  const dataP = (p) => (none(p) || p < 1e-300 ? pNumber(p) : datum(pNumber(p), p));
  const dataInterval = (text, low, high) => {
    const ends = text.replace(/^\[|\]$/g, "").split(", "), node = document.createElement("span");
    if (ends.length !== 2) return text;
    node.append("[", datum(ends[0], low), ", ", datum(ends[1], high), "]");
    return node;
  };
  const against = (id, test) => {  // by system, the pair of the setting's leader, or of the baseline, with it
    const held = facts.baseline || leader(id), rows = facts.comparisons.filter((r) => r.setting === id && r.test === test && [r.a, r.b].includes(held));
    return new Map(rows.map((r) => [r.a === held ? r.b : r.a, r]));
  };
  const showBoard = (id) => {
    const rows = board(id), digits = digitsFor(rows.map((r) => r.value)), chosen = setting(id);
    const heads = $("leaderboard").tHead.rows[0].cells, held = against(id, state.test);
    const drawn = rows.map((r) => [r.value, r.low, r.high]), scale = reach(drawn);
    heads[2].textContent = scaleHead(scale, digits);
    heads[3].replaceChildren();
    breakable(heads[3], chosen.metric + (chosen.higher_is_better ? "" : " (lower is better)"));
    const cut = /@(\d+)$/.exec(chosen.metric), first = facts.comparisons.find((r) => r.setting === id && !none(r.p));
    for (const head of [...heads].slice(4)) if (/@(n|\d+)$/.test(head.textContent)) head.textContent = head.textContent.replace(/@(n|\d+)$/, `@${cut ? cut[1] : "n"}`);
    const lettering = first && first.test === state.test;
    fill($("leaderboard").tBodies[0], rows.map((r, k) => [
      [String(r.rank), "num"], [r.system, "name"], [track(drawn[k], scale), "track"], [datum(number(r.value, digits), r.value), r.rank === 1 && !none(r.value) ? "num strong best" : "num strong", exact(r.value)],
      [dataInterval(interval(r.low, r.high, digits), r.low, r.high), "num"], ...(lettered ? [[lettering ? r.group : "", "group"]] : []),
      ...(tested ? [held.has(r.system) ? [dataP(held.get(r.system).p_adjusted), "num", `adjusted p ${pExactly(held.get(r.system).p_adjusted)}`] : ["", "num"]] : []),
      [datum(percent(r.user_coverage), r.user_coverage), "num"],
      [filled(r), "num"], [count(r.users), "num"], [count(r.undefined), "num"], [datum(percent(r.unrated), r.unrated), "num"],
      [datum(number(r.rho, 4), r.rho), "num", exact(r.rho)], [datum(percent(r.tied), r.tied), "num"],
    ]));
    items($("protocol"), [...protocol(chosen), ...(state.test && state.test !== "none" ? [["test", state.test]] : [])]);
  };
  const shownPairs = () => {
    const id = state.setting, rows = pairs(id, state.test);
    return facts.baseline || state.scope === "all" ? rows
      : rows.filter((r) => [r.a, r.b].includes(leader(id))).map((r) => (r.a === leader(id) ? r : flip(r)));
  };
  const showPairs = () => {
    if (!$("pairs")) return;
    const rows = shownPairs(), digits = digitsFor(board(state.setting).map((r) => r.value));
    $("pairs-note").textContent = `${setting(state.setting).label}. ${rows.length ? noted(rows[0]) : `${state.test}: no comparison`}.${uncalledNote(state.setting)}`;
    fill($("pairs").tBodies[0], rows.map((r) => [
      [`${r.a} − ${r.b}`, "name"], [datum(signed(r.difference, digits), r.difference), "num strong", exact(r.difference)],
      [dataInterval(interval(r.low, r.high, digits, signed), r.low, r.high), "num"], [datum(signed(r.effect, 2), r.effect), "num", exact(r.effect)],
      [datum(percent(r.superiority), r.superiority), "num"], [`${count(r.wins)} / ${count(r.ties)} / ${count(r.losses)}`, "num"],
      none(r.p) && figures(r) ? [figures(r), "num"] : [dataP(r.p), "num", `p ${pExactly(r.p)}`],
      [dataP(r.p_adjusted), "num strong", `adjusted p ${pExactly(r.p_adjusted)}`], [usersText(r), "num"],
    ]));
  };

  // ---- charts; colours are the page's own variables, so light, dark and print need no redrawing
  const config = {
    background: null, font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif",
    view: { stroke: null },
    axis: {
      labelColor: "var(--soft)", titleColor: "var(--soft)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal",
      domain: false, ticks: false, gridColor: "var(--line)", labelPadding: 8, labelFlush: false, titlePadding: 10, labelLimit: 240,
    },
    axisY: { labelColor: "var(--ink)" },
    legend: { labelColor: "var(--ink)", titleColor: "var(--soft)", labelFontSize: 12, titleFontWeight: "normal", orient: "top", symbolStrokeWidth: 2, labelLimit: 260, offset: 6 },
    rule: { color: "var(--accent)" },
  };
  const below = `adjusted p < ${alpha}`, above = `${alpha} or more`, uncalled = "no winner called", untested = "not tested";
  const sure = (p) => (none(p) ? untested : p < alpha ? below : above);
  const wide = () => window.innerWidth >= 640;
  const broad = () => window.innerWidth >= 1000;
  const labels = () => (wide() ? 240 : 120);
  const brief = (name, room) => short.systems[room][name] || name;
  const briefly = (label) => short.settings[broad() ? 58 : wide() ? 44 : 32][label] || label;
  // On a narrow screen a setting is written whole, in lines of as many of its choices as there is room for.
  const folded = (label) => label.split(" · ").reduce((lines, part) => {
    const longer = lines.length ? `${lines[lines.length - 1]} · ${part}` : part;
    return lines.length && longer.length <= 32 ? [...lines.slice(0, -1), longer] : [...lines, part];
  }, []).join("\n");
  const draw = (id, spec) => {
    const place = $(`chart-${id}`);
    if (!place || !spec || !window.vegaEmbed) return;
    const legend = { ...config.legend, direction: wide() ? "horizontal" : "vertical" };
    const full = { width: "container", autosize: { type: "fit-x", contains: "padding" }, config: { ...config, legend }, ...spec };
    vegaEmbed(place, full, { mode: "vega-lite", renderer: "svg", actions: false, ast: true, logLevel: vega.Error, tooltip: { theme: "custom" } })
      .catch((error) => { place.textContent = `This chart could not be drawn: ${error.message}`; });
  };
  const yAxis = { title: null, grid: true, gridDash: [1, 3] };
  const fills = { [below]: "var(--accent)", [above]: "var(--page)", [uncalled]: "var(--second)", [untested]: "var(--page)" };
  const significance = (values) => {
    const met = Object.keys(fills).filter((kind) => values.some((v) => v.sure === kind));
    const domain = met.includes(below) || met.includes(above) ? [below, above, ...met.filter((kind) => kind !== below && kind !== above)] : met;
    return {
      field: "sure", type: "nominal", title: null, scale: { domain, range: domain.map((kind) => fills[kind]) },
      legend: { symbolStrokeColor: "var(--accent)", symbolType: "circle" },
    };
  };
  const zero = { data: { values: [{ zero: 0 }] }, mark: { type: "rule", color: "var(--soft)", strokeWidth: 1 }, encoding: { x: { field: "zero", type: "quantitative" } } };
  const forestSpec = () => {
    const rows = shownPairs(), digits = digitsFor(board(state.setting).map((r) => r.value)), chosen = setting(state.setting);
    if (!rows.length || rows.length > 60) return { data: { values: [{ text: rows.length ? "Too many pairs to draw; see the table." : "No comparison." }] }, height: 30, mark: { type: "text", color: "var(--soft)", align: "left", x: 0 }, encoding: { text: { field: "text" } } };
    const based = facts.baseline, led = based || state.scope !== "all";
    const other = (r) => (based ? r.a : r.b), minus = based ? `the system named minus ${based}` : `${rows[0].a} minus the system named`;
    const title = `Difference in ${chosen.metric}${chosen.higher_is_better ? "" : " (lower is better)"}${led && wide() ? `, ${minus}` : ""}`;
    const values = rows.map((r) => ({
      pair: led ? other(r) : `${r.a} − ${r.b}`, label: led ? brief(other(r), wide() ? 42 : 18) : `${brief(r.a, wide() ? 24 : 10)} − ${brief(r.b, wide() ? 24 : 10)}`, difference: r.difference, low: r.low, high: r.high,
      sure: sure(r.p_adjusted),
      Difference: signed(r.difference, digits), Interval: interval(r.low, r.high, digits, signed) || ABSENT, p: pNumber(r.p_adjusted),
    }));
    return {
      height: { step: 26 },
      layer: [zero, {
        data: { values },
        encoding: { y: { field: "label", type: "nominal", sort: null, axis: { ...yAxis, labelLimit: wide() ? 330 : 150 } }, tooltip: [{ field: "pair", title: based ? "System" : led ? "Minus" : "Pair" }, { field: "Difference" }, { field: "Interval" }, { field: "p", title: "p adjusted" }] },
        layer: [
          { transform: [{ filter: "datum.low != null && datum.high != null" }], mark: { type: "rule", strokeWidth: 2.5, strokeCap: "round", opacity: 0.55 }, encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } } },
          { mark: { type: "point", filled: true, size: 80, opacity: 1, stroke: "var(--accent)", strokeWidth: 2 }, encoding: { fill: significance(values), x: { field: "difference", type: "quantitative", title, axis: { tickCount: 6 } } } },
        ],
      }],
    };
  };
  const spreadSpec = () => {
    const rows = short.margins;
    if (rows.length < 2) return null;
    const several = new Set(rows.map((r) => r.over)).size > 1;
    const kind = { below, above, uncalled, untested };
    const values = rows.map((r) => ({
      ...r, sure: kind[r.sure], label: `${wide() ? briefly(r.setting) : folded(r.setting)}${r.primary ? `${wide() ? " " : "\n"}(primary)` : ""}${several ? `\nagainst ${brief(r.over, wide() ? 36 : 18)}` : ""}`,
    }));
    const lines = Math.max(...values.map((r) => r.label.split("\n").length));
    const favours = facts.baseline ? `Margin over ${facts.baseline}` : `Margin: right of 0 favours ${brief(rows[0].of, 36)}, left its strongest rival`;
    const axis = { tickCount: 6, format: "+.0%", labelExpr: "datum.value === 0 ? 'equal' : datum.label" };
    return {
      height: { step: lines > 2 ? 13 * lines + 6 : several ? 36 : 26 },
      layer: [zero, {
        data: { values },
        encoding: { y: { field: "label", type: "nominal", sort: { field: "margin", order: "descending" }, axis: { ...yAxis, labelLimit: broad() ? 400 : wide() ? labels() + 90 : 230, labelFontSize: wide() ? 12 : 11, labelExpr: "split(datum.label, '\\n')" } }, tooltip: [{ field: "setting", title: "Setting" }, { field: "over", title: "Against" }, { field: "Margin" }, { field: "Difference" }, { field: "Effect", title: "Effect d" }, { field: "p", title: "p adjusted" }] },
        layer: [
          { mark: { type: "rule", strokeWidth: 2, opacity: 0.45 }, encoding: { x: { field: "margin", type: "quantitative" }, x2: { datum: 0 } } },
          { mark: { type: "point", filled: true, size: 90, opacity: 1, stroke: "var(--accent)", strokeWidth: 2 }, encoding: { fill: significance(values), x: { field: "margin", type: "quantitative", title: wide() ? favours : "Margin", axis } } },
        ],
      }],
    };
  };

  // ---- state and controls
  const state = { setting: facts.primary, test: (facts.comparisons.find((r) => r.setting === facts.primary) || {}).test || "", scope: $("scope") ? $("scope").value : "all" };
  const drawPairs = () => { if ($("pairs")) draw("forest", forestSpec()); };
  const filterSettings = () => {
    const filter = $("settings-filter"), row = facts.settings.length && setting(state.setting);
    if (!filter) return;
    const apart = (s) => protocol(s).filter(([stage, text]) => text !== Object.fromEntries(protocol(row))[stage]).length;
    let shown = 0;
    for (const line of $("settings").tBodies[0].rows) {
      const own = setting(Number(line.dataset.setting));
      line.hidden = filter.value === "near" ? apart(own) > 1 : filter.value === "other" ? !line.classList.contains("other") : false;
      line.classList.toggle("chosen", own.id === state.setting);
      if (!line.hidden) shown += 1;
    }
    $("settings-shown").textContent = `${count(shown)} of ${count($("settings").tBodies[0].rows.length)} settings shown`;
  };
  const showWay = (way, data) => {
    state.setting = data.number[way];
    state.test = data.tests[data.test[way]];
    showBoard(state.setting);
    showPairs();
    filterSettings();
    drawPairs();
  };
  if ($("scope")) $("scope").addEventListener("change", () => { state.scope = $("scope").value; showPairs(); drawPairs(); });
  if ($("settings-filter")) $("settings-filter").addEventListener("change", filterSettings);

  const quoted = (v) => {
    const own = v === null || v === undefined ? "" : String(v);
    // Spreadsheets run texts that begin so as formulas; numbers are left as they are.
    const text = typeof v === "string" && /^[=+\-@\t\r]/.test(own) ? `'${own}` : own;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csv = (rows) => {
    const heads = ["label", ...Object.keys(rows[0] || {})];
    const lines = rows.map((r) => heads.map((h) => quoted(h === "label" ? (setting(r.setting) || {}).label : r[h])).join(","));
    return [heads.join(","), ...lines].join("\n") + "\n";
  };
  const copies = {
    json: () => JSON.stringify(facts, null, 2), leaderboard: () => csv(facts.leaderboard), comparisons: () => csv(facts.comparisons),
  };
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      await saving.copy(copies[button.dataset.copy]());
      $("copied").textContent = "Copied.";
      setTimeout(() => { $("copied").textContent = ""; }, 2000);
    });
  }
  // ---- tables that sort: heads become buttons; what has no number comes last either way
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells], body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = make("button", undefined, "sort"), numeric = head.classList.contains("num");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const key = (row) => {
        const cell = row.cells[column], number = cell.querySelector("data");
        return numeric ? (number ? Number(number.value) : null) : cell.textContent;
      };
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort"), down = now ? now !== "descending" : numeric, turn = down ? -1 : 1;
        const lines = [...body.rows].map((row, place) => [row, key(row), place]);
        lines.sort(([, a, i], [, b, j]) => (a === null || b === null ? (a === null) - (b === null) : a < b ? -turn : a > b ? turn : 0) || i - j);
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        body.append(...lines.map(([row]) => row));
      });
    });
  }

  // ---- the libraries, inflated from the page itself
  const start = async () => {
    for (const packed of document.querySelectorAll("script[data-library]")) {
      const script = document.createElement("script");
      script.textContent = new TextDecoder().decode(await inflate(packed.textContent));
      document.head.append(script);
      packed.remove();
    }
    const spread = spreadSpec();
    if (spread) draw("spread", spread); else if ($("chart-spread")) $("chart-spread").closest("figure").remove();
    drawPairs();
    document.documentElement.classList.add("drawn");
  };
  explorer.start(showWay).catch((error) => { $("answer").textContent += ` The switches do not work: ${error.message}.`; });
  showPairs();
  start().catch((error) => document.querySelectorAll(".plot").forEach((p) => { p.textContent = `No chart: ${error.message}.`; }));
})();
