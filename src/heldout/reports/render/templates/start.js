"use strict";
// Reads what is packed into the page: compressed, in digits to the base of 85 (RFC 1924, with a comma in place of "<").
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
const inflate = async (text) => {
  if (!window.DecompressionStream) throw new Error("this browser is too old");
  const places = new Uint8Array(128), words = new DataView(new ArrayBuffer(4 * Math.ceil(text.length / 5)));
  [...DIGITS].forEach((digit, place) => { places[digit.charCodeAt(0)] = place; });
  for (let at = 0; at < text.length; at += 5) {
    let word = 0;
    for (let k = at; k < at + 5; k++) word = 85 * word + (k < text.length ? places[text.charCodeAt(k)] : 84);
    words.setUint32(at / 5 * 4, word);
  }
  const bytes = new Uint8Array(words.buffer, 0, Math.floor(text.length * 4 / 5));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
};
const run = async (packed) => {
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await inflate(packed.textContent));
  document.head.append(script);
  packed.remove();
};
const fail = (error) => {
  document.documentElement.classList.add("failed");
  document.querySelectorAll(".plot .note").forEach((own) => own.append(` The page cannot draw charts: ${error.message}.`));
};
document.documentElement.classList.add("live");
run(document.getElementById("script")).catch(fail);
