"use strict";
// Numbers as text, by the rules of heldout.words: tests/browser writes a grid of numbers by both and compares.
const words = (() => {
  const ABSENT = "–", MINUS = "−";
  const none = (v) => v === null || v === undefined || !Number.isFinite(v);
  // Python rounds ties to even, toFixed and toExponential away from zero: 0.125 is 0.12 there and 0.13 here.
  const rounded = (v, form, digits) => {
    const [far, power] = v[form](Math.min(100, digits + 60)).split("e");
    const kept = far.slice(0, far.indexOf(".") + (digits ? 1 + digits : 0));
    const tie = /^\.?50*$/.test(far.slice(kept.length));
    if (!tie || Number(kept.at(-1)) % 2) return v[form](digits);
    return power === undefined ? kept : `${kept}e${power}`;
  };
  const fixed = (v, digits) => rounded(v, "toFixed", digits);
  const scientific = (v, digits) => rounded(v, "toExponential", digits).split("e");
  const grouped = (v, digits) => {
    const [whole, part] = fixed(v, digits).split(".");
    const marked = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return part === undefined ? marked : `${marked}.${part}`;
  };
  const digitsFor = (values) => {
    const top = Math.max(0, ...values.filter((v) => !none(v)).map(Math.abs));
    if (top === 0) return 4;
    const magnitude = Number(top.toExponential(15).split("e")[1]);
    return top >= 1 ? Math.max(0, 3 - magnitude) : Math.min(12, Math.max(4, 2 - magnitude));
  };
  const number = (v, digits) => {
    if (none(v)) return ABSENT;
    const d = digits === undefined ? digitsFor([v]) : digits;
    const shown = grouped(Math.abs(v), d);
    return v < 0 && Number(fixed(Math.abs(v), d)) !== 0 ? MINUS + shown : shown;
  };
  const signed = (v, digits) => {
    if (none(v)) return ABSENT;
    const d = digits === undefined ? digitsFor([v]) : digits;
    let shown = grouped(Math.abs(v), d);
    if (v === 0) return shown;
    if (Number(fixed(Math.abs(v), d)) === 0) {
      const [mantissa, power] = scientific(Math.abs(v), 1);
      shown = Number(power) >= -8 ? fixed(Math.abs(v), 1 - Number(power)) : `${mantissa}e${Number(power)}`;
    }
    return (v > 0 ? "+" : MINUS) + shown;
  };
  const interval = (low, high, digits, form = number) =>
    none(low) || none(high) ? "" : `[${form(low, digits)}, ${form(high, digits)}]`;
  const pNumber = (p) => {
    if (none(p)) return ABSENT;
    if (p < 0.001) return "< 0.001";
    if (p > 0.999) return p >= 1 ? "1" : "> 0.999";
    let shown = "";
    for (let d = 3; d < 9; d++) {
      shown = fixed(p, d);
      if (Number(shown) === p || ![0.05, 0.01, 0.001].includes(Number(shown))) break;
    }
    return shown;
  };
  const exact = (v) => {
    if (none(v)) return ABSENT;
    if (v === 0) return "0";
    const [mantissa, power] = scientific(v, 3);
    const e = Number(power);
    if (e >= -4 && e < 4) return String(Number(`${mantissa}e${power}`));
    return `${Number(mantissa)}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
  };
  const pExactly = (p) => (!none(p) && p < 1e-300 ? "< 1e-300" : `= ${exact(p)}`);
  const percent = (share, digits = 1) => {
    if (none(share)) return ABSENT;
    const shown = fixed(100 * share, digits), step = 10 ** -digits;
    if (share > 0 && Number(shown) === 0) return `< ${step.toFixed(digits)}%`;
    if (share < 1 && Number(shown) >= 100) return `> ${(100 - step).toFixed(digits)}%`;
    return share === 0 ? "0%" : share === 1 ? "100%" : `${shown}%`;
  };
  const repr = (v) => {  // as Python writes a float
    if (v === 0) return Object.is(v, -0) ? "-0.0" : "0.0";
    const size = Math.abs(v);
    if (size >= 1e-4 && size < 1e16) return Number.isInteger(v) ? `${v}.0` : String(v);
    const [mantissa, power] = v.toExponential().split("e");
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  };
  const count = (v) => (none(v) ? ABSENT : grouped(v, 0));
  return { ABSENT, none, digitsFor, number, signed, interval, pNumber, exact, pExactly, percent, count, repr };
})();
