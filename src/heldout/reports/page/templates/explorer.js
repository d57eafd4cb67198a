// The explorer: switches choose one of many ways of measuring; everything shown was computed before and is only selected here.
const explorer = (() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, text, cls, title) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (cls) node.className = cls;
    if (title) node.title = title;
    return node;
  };
  const breakable = (node, text) => {
    for (const piece of text.split(/(?=\()|(?<=,)/)) {
      if (node.hasChildNodes()) node.append(document.createElement("wbr"));
      node.append(piece);
    }
    return node;
  };

  // ---- what is packed into the page
  const inflate = async (text) => {
    if (!window.DecompressionStream) throw new Error("this browser is too old; the tables hold the numbers of the first choices");
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
  };
  const kinds = { Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Float64Array };
  const unpack = async () => {
    const buffer = await inflate($("explored").textContent);
    const size = new DataView(buffer).getUint32(0, true), begin = 4 + size;
    const record = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
    for (const [name, [kind, at, length]] of Object.entries(record.arrays)) record[name] = new kinds[kind](buffer, begin + at, length);
    return record;
  };

  // ---- tables: cells are text, class, title, or a drawn value
  const reach = (drawn) => {
    const ends = drawn.flat().filter((v) => !words.none(v));
    return ends.length ? [Math.min(...ends), Math.max(...ends)] : [0, 1];
  };
  const track = ([value, low, high], [least, most]) => {
    const line = make("span", undefined, "line"), share = (v) => Math.max(0, (100 * (v - least)) / (most - least || 1));
    line.setAttribute("aria-hidden", "true");
    if (!words.none(low) && !words.none(high)) {
      const whisker = make("i", undefined, "whisker");
      whisker.style.left = `${share(low).toFixed(2)}%`;
      whisker.style.right = `${Math.max(0, 100 - share(high)).toFixed(2)}%`;
      line.append(whisker);
    }
    if (!words.none(value)) {
      const dot = make("i", undefined, "dot");
      dot.style.left = `${share(value).toFixed(2)}%`;
      line.append(dot);
    }
    return line;
  };
  const scaleHead = ([least, most], digits) => `${words.number(least, digits)} to ${words.number(most, digits)}`;
  const fill = (body, lines) => body.replaceChildren(...lines.map((cells) => {
    const row = make("tr");
    cells.forEach(([content, cls, title], k) => {
      const plain = typeof content === "string" && cls !== "name";
      const node = make(k === 0 ? "th" : "td", plain ? content : undefined, cls, title);
      if (cls === "name") breakable(node, content);
      else if (!plain) node.append(content);
      if (k === 0) node.scope = "row";
      row.append(node);
    });
    return row;
  }));
  const items = (list, pairs) => list.replaceChildren(...pairs.map(([term, text]) => {
    const item = make("div");
    item.append(make("dt", term), breakable(make("dd"), text));
    return item;
  }));

  // ---- the explorer; `show` redraws what a page has of the way chosen
  const start = async (show) => {
    if (!$("explored")) return;
    const data = await unpack();
    const { switches, codes, leader, significant, margin, outcome } = data;
    const width = switches.length, n = data.number.length;
    const code = (way, k) => codes[way * width + k];
    const chosen = (way) => switches.map((s, k) => [s.words, s.options[code(way, k)]]).filter(([, text]) => text !== undefined);
    let at = data.start;
    const wanted = switches.map((_, k) => Math.max(0, code(at, k)));

    // Ways by their codes; where an option does not apply, what is wanted of it waits.
    const place = new Map();
    for (let way = 0; way < n; way++) place.set(codes.subarray(way * width, (way + 1) * width).join(), way);
    const fits = (way, want, fixed) => {
      for (let k = 0; k < width; k++) {
        const own = code(way, k);
        if (own !== want[k] && (own >= 0 || k === fixed)) return false;
      }
      return true;
    };
    const resolve = (want, fixed) => {
      const exact = place.get(want.join());
      if (exact !== undefined) return exact;
      for (let way = 0; way < n; way++) if (fits(way, want, fixed)) return way;
      return -1;
    };
    const differing = (way, want) => switches.map((_, k) => k).filter((k) => code(way, k) !== want[k] && code(way, k) >= 0);
    const nearest = (want, allowed) => {
      let best = -1, least = Infinity;
      for (let way = 0; way < n; way++) {
        if (!allowed(way)) continue;
        let apart = 0;
        for (let k = 0; k < width; k++) if (code(way, k) >= 0 && code(way, k) !== want[k]) apart++;
        if (apart < least) { least = apart; best = way; }
      }
      return best;
    };
    const option = (k, choice) => `${switches[k].words} ${switches[k].options[choice]}`;

    // ---- switches: native radio buttons where options are few and short, else a native list
    const controls = switches.map((s, k) => {
      const box = make("fieldset", undefined, "switch"), legend = make("legend", s.words);
      if (s.letter) legend.append(" ", make("span", s.letter, "letter", `Decision ${s.letter}`));
      box.append(legend);
      box.dataset.switch = s.name;
      const reasons = make("ul", undefined, "reasons"), few = s.options.length <= 5 && s.options.join("").length <= 64;
      reasons.id = `reasons-${k}`;
      box.setAttribute("aria-describedby", reasons.id);
      const choices = [];
      if (few) {
        const row = make("div", undefined, "radios");
        s.options.forEach((text, choice) => {
          const label = make("label"), input = make("input");
          input.type = "radio";
          input.name = `switch-${k}`;
          input.value = String(choice);
          label.append(input, breakable(make("span"), text));
          input.addEventListener("change", () => turn(k, choice));
          row.append(label);
          choices.push({ node: input, label });
        });
        box.append(row);
      } else {
        const list = make("select");
        list.setAttribute("aria-label", s.words);
        s.options.forEach((text, choice) => {
          const node = make("option", text);
          node.value = String(choice);
          list.append(node);
          choices.push({ node, list });
        });
        list.addEventListener("change", () => turn(k, Number(list.value)));
        box.append(list);
      }
      box.append(reasons);
      return { box, choices, reasons, few };
    });
    if ($("switches")) $("switches").replaceChildren(...controls.map((c) => c.box));

    const showSwitches = () => controls.forEach(({ choices, reasons, few, box }, k) => {
      const own = code(at, k), lacking = [];
      choices.forEach(({ node, label, list }, choice) => {
        const want = wanted.map((w, j) => (j === k ? choice : w)), way = choice === own ? at : resolve(want, k);
        const off = way < 0;
        node.disabled = off;
        if (few) { node.checked = choice === own; label.classList.toggle("off", off); }
        else if (choice === own) list.value = String(choice);
        if (off) {
          const next = nearest(want, (w) => code(w, k) === choice);
          if (next >= 0) lacking.push([choice, next, differing(next, want).filter((j) => j !== k)]);
          else lacking.push([choice, -1, []]);
          if (label) label.title = why(lacking.at(-1));
        } else if (label) label.title = "";
      });
      if (own < 0 && !few) choices[0].list.value = "";
      box.classList.toggle("idle", own < 0);
      const shown = lacking.slice(0, 3).map((entry) => {
        const line = make("li"), [choice, next] = entry;
        line.append(why(entry), " ");
        if (next >= 0) {
          const go = make("button", "Go there", "link");
          go.type = "button";
          go.setAttribute("aria-label", `Go to ${switches[k].options[choice]}: ${why(entry)}`);
          go.addEventListener("click", () => choose(next));
          line.append(go);
        }
        return line;
      });
      if (lacking.length > 3) shown.push(make("li", `${lacking.length - 3} more options do not go with the other choices.`));
      if (own < 0) shown.unshift(make("li", `Does not apply to the other choices.`));
      reasons.replaceChildren(...shown);
      function why([choice, next, apart]) {
        const text = switches[k].options[choice];
        if (next < 0) return `${text}: not in this page.`;
        if (apart.length === 1) {
          const [j] = apart, want = (other) => wanted.map((w, i) => (i === k ? choice : i === j ? other : w));
          const going = switches[j].options.filter((_, other) => resolve(want(other), k) >= 0);
          if (going.length > 3) return `${text}: only with another ${switches[j].words}.`;
          if (going.length) return `${text}: only with ${switches[j].words} ${going.join(" or ")}.`;
        }
        return `${text}: only with ${apart.map((j) => option(j, code(next, j))).join(" and ")}.`;
      }
    });

    // ---- what would flip this: the nearest ways that another system leads
    const distance = (a, b) => {
      let apart = 0;
      for (let k = 0; k < width; k++) if (code(a, k) !== code(b, k) && code(a, k) >= 0 && code(b, k) >= 0) apart++;
      return apart;
    };
    const showFlips = () => {
      const note = $("flips-note"), list = $("flips");
      if (!list) return;
      list.replaceChildren();
      if (leader[at] < 0) { note.textContent = "No system leads here alone, so there is no leader to turn round."; return; }
      let least = Infinity, ways = [];
      for (let way = 0; way < n; way++) {
        if (leader[way] < 0 || leader[way] === leader[at]) continue;
        const apart = distance(at, way);
        if (apart < least) { least = apart; ways = []; }
        if (apart === least) ways.push(way);
      }
      const name = data.systems[leader[at]];
      if (!ways.length) { note.textContent = `Nothing: ${name} leads in every ${data.noun} in which a system leads alone.`; return; }
      const steps = (way) => switches.map((_, k) => k).filter((k) => code(at, k) !== code(way, k) && code(at, k) >= 0 && code(way, k) >= 0);
      const far = (way) => steps(way).reduce((sum, k) => sum + Math.abs(code(at, k) - code(way, k)), 0);
      ways.sort((a, b) => significant[b] - significant[a] || far(a) - far(b) || a - b);
      const sure = ways.filter((way) => significant[way]).length;
      const several = ways.length > 1;
      const surely = several ? `${sure === 0 ? "none" : sure === ways.length ? "all" : words.count(sure)} of them significantly` : sure ? "and significantly" : "but not significantly";
      note.textContent = least === 1
        ? `${several ? `${words.count(ways.length)} single changes give` : "One single change gives"} another leader than ${name}, ${surely}.`
        : `No single change gives another leader than ${name}. The nearest take ${least} changes.`;
      list.append(...ways.slice(0, 8).map((way) => {
        const line = make("li"), button = make("button", undefined, "flip");
        button.type = "button";
        button.append(make("b", steps(way).map((k) => `${option(k, code(at, k))} → ${switches[k].options[code(way, k)]}`).join(", ") || "the same choices"), make("span", data.briefs[way]));
        button.addEventListener("click", () => choose(way));
        line.append(button);
        return line;
      }));
      if (ways.length > 8) list.append(make("li", `${words.count(ways.length - 8)} more.`, "note"));
    };

    // ---- the curve of margins: drawn once, then only its mark moves
    const sorted = [...margin.keys()].filter((way) => Number.isFinite(margin[way])).sort((a, b) => margin[a] - margin[b] || a - b);
    const rank = new Map(sorted.map((way, k) => [way, k]));
    const svg = (tag, attributes) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      return node;
    };
    let mark;
    const drawMargins = () => {
      const holder = $("margins");
      if (!holder || !sorted.length) return;
      const tall = 140, wide = 1000, part = wide / sorted.length;
      const sizes = sorted.map((way) => Math.abs(margin[way])).sort((a, b) => a - b);
      const most = sizes[Math.ceil(0.9 * (sizes.length - 1))] || sizes.at(-1) || 1;  // the largest tenth may lie beyond the scale
      const y = (v) => (tall / 2) * (1 - Math.max(-1, Math.min(1, v / most)));
      const paths = { 1: [], 0: [], "-1": [] };
      sorted.forEach((way, k) => {
        const top = y(margin[way]), end = Math.abs(top - tall / 2) < 1 ? tall / 2 + (margin[way] >= 0 ? -1 : 1) : top;
        paths[outcome[way]].push(`M${(k * part).toFixed(2)} ${tall / 2}V${end.toFixed(1)}h${(part * (part > 6 ? 0.9 : 1)).toFixed(2)}V${tall / 2}z`);
      });
      const drawing = svg("svg", { viewBox: `0 0 ${wide} ${tall}`, preserveAspectRatio: "none", role: "img", "aria-label": `Margins of ${data.systems[data.reference]} in all ${data.noun}s, sorted` });
      for (const [side, cls] of [[0, "neither"], [1, "first"], [-1, "second"]]) drawing.append(svg("path", { d: paths[side].join(""), class: cls }));
      drawing.append(svg("line", { x1: 0, x2: wide, y1: tall / 2, y2: tall / 2, class: "zero" }));
      mark = svg("line", { y1: 0, y2: tall, class: "here" });
      drawing.append(mark);
      drawing.addEventListener("click", (event) => {
        const box = drawing.getBoundingClientRect();
        const k = Math.floor(((event.clientX - box.left) / box.width) * sorted.length);
        choose(sorted[Math.max(0, Math.min(sorted.length - 1, k))]);
      });
      holder.replaceChildren(drawing);
      holder.dataset.most = `${words.signed(100 * most, 1)}%`;
      holder.dataset.least = `${words.signed(-100 * most, 1)}%`;
    };
    const showMargin = () => {
      if (!$("standing")) return;
      const k = rank.get(at);
      if (mark) mark.style.display = k === undefined ? "none" : "";
      if (k === undefined) { $("standing").textContent = `The chosen ${data.noun} is not on the curve.`; return; }
      if (mark) for (const end of ["x1", "x2"]) mark.setAttribute(end, String(((k + 0.5) * 1000) / sorted.length));
      const ahead = margin[at] > 0 ? "ahead of" : margin[at] < 0 ? "behind" : "level with";
      const by = margin[at] === 0 ? "" : `${words.number(Math.abs(100 * margin[at]), 1)}% `;
      $("standing").textContent = `The chosen ${data.noun}: ${data.systems[data.reference]} is ${by}${ahead} the best other system; place ${words.count(k + 1)} of ${words.count(sorted.length)} from the left.`;
    };

    // ---- state: the address holds what differs from the start
    const address = (way) => {
      const parts = switches.map((s, k) => [s, k]).filter(([, k]) => code(way, k) !== code(data.start, k) && code(way, k) >= 0)
        .map(([s, k]) => `${encodeURIComponent(s.name)}=${encodeURIComponent(s.options[code(way, k)])}`);
      return `#explore&${parts.join("&")}`;  // no element has this id, so the page does not scroll
    };
    const showAll = () => {
      if ($("answer").textContent !== data.sentences[at]) $("answer").textContent = data.sentences[at];
      $("explore").dataset.way = String(at);
      showSwitches();
      showFlips();
      showMargin();
      show(at, { ...data, chosen: chosen(at) });
    };
    const move = (way) => {
      at = way;
      switches.forEach((_, k) => { if (code(at, k) >= 0) wanted[k] = code(at, k); });
      showAll();
    };
    function choose(way) {
      if ($("link-note")) $("link-note").textContent = "";
      move(way);
      if (location.hash !== address(way)) location.hash = address(way);
    }
    function turn(k, choice) {
      const way = resolve(wanted.map((w, j) => (j === k ? choice : w)), k);
      if (way >= 0) choose(way);
    }
    const follow = () => {
      const hash = location.hash.slice(1);
      if (hash !== "" && !/^explore(&|$)/.test(hash)) return;  // an anchor of the page: the choice stays
      const want = switches.map((_, k) => Math.max(0, code(data.start, k))), unknown = [];
      for (const part of hash.split("&").slice(1).filter(Boolean)) {
        let name = part, text = "";
        try { [name, text] = part.split("=").map(decodeURIComponent); } catch { /* a damaged link names nothing */ }
        const k = switches.findIndex((s) => s.name === name), choice = k < 0 ? -1 : switches[k].options.indexOf(text);
        if (choice < 0) unknown.push(part); else want[k] = choice;
      }
      let way = /^(explore&?)?$/.test(hash) ? data.start : resolve(want, -1);
      const lost = way < 0;
      if (lost) way = nearest(want, () => true);
      if ($("link-note")) {
        $("link-note").textContent = unknown.length ? `The link asks for what this report does not have: ${unknown.join(", ")}.`
          : lost ? `The link asks for choices that do not go together; the nearest ${data.noun} is shown.` : "";
      }
      if (way !== at) move(way);
    };
    drawMargins();
    showAll();
    window.addEventListener("hashchange", follow);
    if ($("reset")) $("reset").addEventListener("click", () => choose(data.start));
    const linked = /^#explore&./.test(location.hash);
    follow();
    if (linked) $("explore").scrollIntoView();
    document.documentElement.classList.add("explorable");
  };
  return { start, make, breakable, fill, items, track, reach, scaleHead, inflate };
})();
