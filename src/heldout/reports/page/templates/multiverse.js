(() => {
  document.documentElement.classList.add("live");
  const $ = (id) => document.getElementById(id);
  const { breakable, fill, items, track, reach, scaleHead } = explorer;
  const ABSENT_VALUE = -(2 ** 31);

  // The same cells as heldout.reports.page.explorer writes; tests/browser compares universes of every kind.
  const show = (way, data) => {
    const n = data.systems.length, digits = data.digits[way], scale = 10 ** digits;
    const values = data.systems.map((_, k) => { const v = data.values[way * n + k]; return v === ABSENT_VALUE ? null : v / scale; });
    const against = data.against[way], ends = reach(values.map((v) => [v]));
    const lines = [...data.order.subarray(way * n, (way + 1) * n)].map((system, place) => [
      [String(place + 1), "num"], [data.systems[system], "name"], [track([values[system]], ends), "track"],
      [words.number(values[system], digits), "num strong"],
      [system === against ? "" : data.p_texts[data.p[way * n + system]], "num"],
    ]);
    fill($("leaderboard").tBodies[0], lines);
    const heads = $("leaderboard").tHead.rows[0].cells;
    heads[2].textContent = scaleHead(ends, digits);
    heads[3].replaceChildren();
    breakable(heads[3], data.metrics[data.metric[way]] + (data.higher[way] ? "" : " (lower is better)"));
    heads[4].title = `Of the difference from ${against < 0 ? "the leader" : data.systems[against]}, adjusted for the pairs of the universe`;
    items($("protocol"), data.chosen);
  };
  window.addEventListener("beforeprint", () => document.querySelectorAll("main details").forEach((d) => { d.open = true; }));
  explorer.start(show).catch((error) => { $("answer").textContent += ` The switches do not work: ${error.message}.`; });
})();
