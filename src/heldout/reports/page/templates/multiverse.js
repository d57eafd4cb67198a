(() => {
  document.documentElement.classList.add("live");
  const $ = (id) => document.getElementById(id);
  const { breakable, fill, items, track, reach, scaleHead } = explorer;
  const ABSENT_VALUE = -(2 ** 31), NO_INTERVAL = -1;

  // Where a universe stands in the curve of a pair: curves hold universes in the order of the pair's relative margin.
  const sorted = new Map();
  const margin = (data, way, a, b) => {
    const n = data.systems.length, x = data.values[way * n + a], y = data.values[way * n + b];
    if (x === ABSENT_VALUE || y === ABSENT_VALUE) return NaN;
    const size = Math.abs(x) + Math.abs(y);
    return size ? (2 * (data.higher[way] ? x - y : y - x)) / size : 0;
  };
  const below = (margins, than) => {
    let low = 0, high = margins.length;
    while (low < high) { const at = (low + high) >> 1; if (than(margins[at])) low = at + 1; else high = at; }
    return low;
  };
  const mark = (way, data) => {
    for (const curve of document.querySelectorAll("svg.speccurve")) {
      const a = data.systems.indexOf(curve.dataset.first), b = data.systems.indexOf(curve.dataset.second), pair = `${a},${b}`;
      const ways = data.values.length / data.systems.length;
      if (!sorted.has(pair)) sorted.set(pair, Float64Array.from({ length: ways }, (_, w) => margin(data, w, a, b)).filter((m) => !Number.isNaN(m)).sort());
      const margins = sorted.get(pair), own = margin(data, way, a, b), line = curve.querySelector(".here");
      line.setAttribute("visibility", Number.isNaN(own) ? "hidden" : "visible");
      if (Number.isNaN(own)) continue;
      const share = (below(margins, (m) => m < own) + below(margins, (m) => m <= own)) / 2 / margins.length;
      line.setAttribute("transform", `translate(${(share * Number(curve.dataset.area)).toFixed(1)} 0)`);
    }
  };

  // The same cells as heldout.reports.page.explorer writes; tests/browser compares universes of every kind.
  const show = (way, data) => {
    const n = data.systems.length, digits = data.digits[way], scale = 10 ** digits;
    const drawn = data.systems.map((_, k) => {
      const v = data.values[way * n + k], below = data.below[way * n + k];
      if (v === ABSENT_VALUE) return [null, null, null];
      return below === NO_INTERVAL ? [v / scale, null, null] : [v / scale, (v - below) / scale, (v + below + data.skew[way * n + k]) / scale];
    });
    const against = data.against[way], ends = reach(drawn);
    const lines = [...data.order.subarray(way * n, (way + 1) * n)].map((system, place) => [
      [String(place + 1), "num"], [data.systems[system], "name"], [track(drawn[system], ends), "track"],
      [words.number(drawn[system][0], digits), place === 0 && drawn[system][0] !== null ? "num strong best" : "num strong"], [words.interval(drawn[system][1], drawn[system][2], digits), "num"],
      [system === against ? "" : data.p_texts[data.p[way * n + system]], "num"],
    ]);
    fill($("leaderboard").tBodies[0], lines);
    const heads = $("leaderboard").tHead.rows[0].cells;
    heads[2].textContent = scaleHead(ends, digits);
    heads[3].replaceChildren();
    breakable(heads[3], data.metrics[data.metric[way]] + (data.higher[way] ? "" : " (lower is better)"));
    heads[5].title = `Of the difference from ${against < 0 ? "the leader" : data.systems[against]}, adjusted for the pairs of the universe`;
    items($("protocol"), data.chosen);
    mark(way, data);
  };
  explorer.start(show).catch((error) => { $("answer").textContent += ` The switches do not work: ${error.message}.`; });
})();
