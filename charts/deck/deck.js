// Draws slides from plain data. Every text is set as text, so names from outside are never markup.
// The same file serves the page (a Streamlit component) and the file that opens offline.

// BAR, BUSIEST, ALARM and BOUND_LINE come from the palette, before this.
const SVG = "http://www.w3.org/2000/svg";
const LEAST_TEXT_PX = 18, FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif', LONGEST = 14, MOST_LINES = 3, MOST_LABELLED = 12;

function made(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function drawn(tag, attributes, text = null) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

function amount(value) {
  for (const [size, prefix] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])
    if (value >= size) {
      const scaled = size === 1e4 ? value / 1e3 : value / size;
      return `${Number(scaled.toFixed(scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2))}\u00a0${prefix}`;
    }
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}

// Keeps a number and its unit on one line, and a name that ends with a number.
function kept(text) {
  return text.replace(/([a-z])-(?=\d)/gi, "$1\u2011").replace(/(\d) (?=(?:%|[kMGT]|s|min|h)(?![\w]))/g, "$1\u00a0");
}

function ticks(top) {
  const size = 10 ** Math.max(Math.floor(Math.log10(top)) - 1, 0);
  const step = [1, 2, 5, 10, 20, 50, 100].map((n) => n * size).find((n) => top / n < 5);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, k) => k * step);
}

// Returns the width of a text in pixels, as it will be drawn.
function ruler(size, family) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${size}px ${family}`;
  return (text) => pen.measureText(text).width;
}

// What stands out: the busiest, or what is broken.
function markOf(chart) {
  return chart.is_alarm ? ALARM : BUSIEST;
}

// The lower bound has its colour; what else bars are compared with has that of text.
function lineOf(chart) {
  return chart.is_line_bound ? BOUND_LINE : "currentColor";
}

// The lines of a name that is broken at blanks; null if a word or all lines do not fit.
function wrapped(name, fits) {
  const lines = [];
  for (const word of name.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.length <= MOST_LINES && lines.every(fits) ? lines : null;
}

// One picture in real pixels, so that text keeps its size on every screen.
function chartOf(chart, width, height, family = FONT) {
  const size = Math.max(LEAST_TEXT_PX, Math.round(Math.min(width / 72, height / 20))), widthOf = ruler(size, family);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": chart.alt,
    "font-size": size });
  const count = chart.states[0].heights.length;
  const top = Math.max(1, chart.line ?? 0, ...chart.states.flatMap((state) => state.heights)) * 1.16;
  const values = ticks(top);
  const left = 14 + Math.max(...values.map((value) => widthOf(amount(value))));
  const step = (width - left - 4) / Math.max(count, 1);
  const room = height * 0.45 - 12;
  const cut = (name) => {
    let end = Math.min(name.length, LONGEST);
    const tail = () => name.slice(name.length - Math.floor(end / 2));  // what tells names apart is often last
    const shown = () => (end < name.length ? `${name.slice(0, Math.ceil(end / 2) - 1)}…${tail()}` : name);
    while (end > 2 && widthOf(shown()) > room) end -= 1;
    return shown();
  };
  const lines = chart.names.map((name) => wrapped(name, (line) => widthOf(line) <= step - 8));
  const isFlat = lines.every((each) => each !== null), isNamed = chart.names.length > 0 && step >= size + 3;
  const names = isFlat ? chart.names : chart.names.map(cut);
  const longest = Math.max(0, ...names.map(widthOf));
  const deepest = isFlat ? Math.max(1, ...lines.map((each) => each.length)) : 1;
  const below = isNamed && !isFlat ? longest + 12 : (0.35 + 1.15 * deepest) * size;
  const base = height - below, y = (value) => base - (base - size / 2) * (value / top);
  for (const value of values) {
    svg.append(drawn("path", { d: `M${left} ${y(value)}H${width}`, stroke: "currentColor", "stroke-opacity": 0.15 }));
    svg.append(drawn("text", { x: left - 8, y: y(value) + size / 3, "text-anchor": "end" }, amount(value)));
  }
  const bars = chart.states[0].heights.map((_, k) =>
    drawn("rect", { class: "bar", x: left + (k + 0.09) * step, width: Math.max(step * 0.82, 1) }));
  svg.append(...bars);
  if (chart.line !== null) {
    svg.append(drawn("path", { d: `M${left} ${y(chart.line)}H${width}`, stroke: lineOf(chart), "stroke-width": 3, "stroke-dasharray": "10 6" }));
  }
  const labels = drawn("g", {});
  svg.append(labels);
  names.forEach((name, k) => {
    if (!isNamed) return;
    const x = left + (k + 0.5) * step;
    if (isFlat) lines[k].forEach((line, row) =>
      svg.append(drawn("text", { x, y: base + 1.15 * size * (row + 1), "text-anchor": "middle" }, line)));
    else svg.append(drawn("text", { transform: `translate(${x + size / 3} ${base + 8}) rotate(-90)`, "text-anchor": "end" }, name));
  });
  if (!isNamed) svg.append(drawn("text", { x: left, y: base + 1.15 * size }, chart.below));
  const show = (at) => {
    const state = chart.states[at];
    labels.replaceChildren();
    bars.forEach((bar, k) => {
      const value = state.heights[k], isMarked = state.marked.includes(k);
      const figure = state.is_idle?.[k] ? "idle" : amount(value);
      bar.setAttribute("y", y(value));
      bar.setAttribute("height", Math.max(base - y(value), state.is_partly_unknown[k] ? 3 : 0));
      bar.setAttribute("fill", isMarked ? markOf(chart) : BAR);
      bar.setAttribute("stroke", state.is_partly_unknown[k] ? "currentColor" : "none");
      bar.setAttribute("stroke-dasharray", "4 3");
      const hasRoom = count <= MOST_LABELLED && widthOf(figure) <= step - 4;
      if (hasRoom || (isMarked && state.marked.length <= 3)) {
        const at = left + (k + 0.5) * step, half = widthOf(figure) / 2;
        labels.append(drawn("text", { x: Math.min(Math.max(at, left + half), width - half), y: y(value) - 8,
          class: "value", "text-anchor": "middle", "font-weight": isMarked ? 700 : 400 }, figure));
      }
    });
  };
  return { svg, show };
}

// A setting that is too long for its line breaks between its words; what is copied has no break.
function breakable(setting) {
  return setting.split(/(?<=[.,=])/).flatMap((word) => [word, made("wbr")]);
}

function saved(name, blob) {
  const link = made("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function svgFile(svg, { color: ink, backgroundColor: paper, fontFamily }) {
  const copy = svg.cloneNode(true), box = svg.viewBox.baseVal;
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  copy.setAttribute("color", ink);
  copy.setAttribute("font-family", fontFamily.replaceAll('"', "'"));
  copy.querySelectorAll("text").forEach((text) => text.setAttribute("fill", ink));
  copy.prepend(drawn("rect", { width: box.width, height: box.height, fill: paper }));
  return new XMLSerializer().serializeToString(copy);
}

function savePng(name, text, width, height) {
  const picture = new Image();
  picture.onload = () => {
    const canvas = made("canvas", { width: width * 2, height: height * 2 });
    canvas.getContext("2d").drawImage(picture, 0, 0, width * 2, height * 2);
    canvas.toBlob((blob) => saved(name, blob), "image/png");
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

// Shows the deck below root. hooks: moved(slide), left(), linkTo(slide), printed().
function showDeck(root, data, hooks) {
  const slides = data.slides, shown = slides.map(() => 0), pictures = slides.map(() => null);
  let isLeft = false, isLed = false;
  let at = Math.min(Math.max((data.slide || 1) - 1, 0), slides.length - 1);

  const strip = made("div", { class: "slides", tabindex: 0, "aria-label": "Slides" });
  const place = made("span", { "aria-live": "polite" });
  const sections = slides.map(sectionOf);
  strip.append(...sections);
  const take = (kind) => {
    const picture = pictures[at];
    if (!picture) return;
    const text = svgFile(picture.svg, getComputedStyle(deck));
    const name = `${slides[at].name.toLowerCase()}.${kind}`, box = picture.svg.viewBox.baseVal;
    if (kind === "svg") saved(name, new Blob([text], { type: "image/svg+xml" }));
    else savePng(name, text, box.width, box.height);
  };
  const onPicture = ["PNG", "SVG"].map((kind) =>
    made("button", { class: "file", title: `This picture as ${kind}`, onclick: () => take(kind.toLowerCase()) }, kind));
  const row = made("div", { class: "bar-row" },
    made("button", { "aria-label": "Previous slide", onclick: () => step(-1) }, "◀"), place,
    made("button", { "aria-label": "Next slide", onclick: () => step(1) }, "▶"),
    made("span", { class: "title" }, `${data.title} · ${data.about}`), ...onPicture,
    made("button", { class: "file", title: "Print, or save as PDF", onclick: hooks.printed }, "PDF"));
  if (hooks.linkTo) {
    const copy = made("button", { onclick: () => copied(hooks.linkTo(at + 1))
      .then(() => { copy.textContent = "Copied"; setTimeout(() => { copy.textContent = "Copy link"; }, 1500); }) }, "Copy link");
    row.append(copy);
  }
  const leave = () => { isLeft = true; hooks.left(); };
  if (hooks.left) row.append(made("button", { title: "Esc", onclick: leave }, "Close"));
  const deck = made("div", { class: "deck", role: "region", "aria-label": "Slides" }, strip, row);
  root.replaceChildren(deck);

  function sectionOf(slide, k) {
    const states = slide.chart && slide.chart.states.length > 1
      ? made("div", { class: "states" }, ...slide.chart.states.map((state, s) =>
        made("button", { "aria-pressed": s === 0, onclick: () => reveal(k, s) }, state.label))) : null;
    const key = slide.chart && made("p", { class: "legend" },
      keyOf(BAR, slide.chart.axis), slide.chart.states.some((state) => state.marked.length) ? keyOf(markOf(slide.chart), slide.chart.marked_label) : null,
      slide.chart.line === null ? null : keyOf(lineOf(slide.chart), `${slide.chart.line_label}: ${amount(slide.chart.line)}`),
      slide.chart.legend);
    return made("section", { class: "slide", "aria-label": `Slide ${k + 1}: ${slide.name}` },
      made("h1", {}, kept(slide.title)), slide.subtitle ? made("p", { class: "subtitle" }, kept(slide.subtitle)) : null, states,
      slide.chart && made("div", { class: "chart" }), slide.chart && onPaper(slide), key,
      slide.figures.length ? made("div", { class: "figures" }, ...slide.figures.map((figure) =>
        made("div", { class: "figure" }, made("span", {}, figure.label), made("b", {}, figure.value), made("small", {}, figure.note)))) : null,
      slide.asides.length ? made("div", { class: "how" }, doneBy(slide), made("div", { class: "asides" }, ...slide.asides.map((aside) =>
        made("div", {}, made("span", {}, aside.label), made("p", {}, kept(aside.text)))))) : doneBy(slide),
      slide.decision ? made("div", { class: "decision" }, made("b", {}, kept(slide.decision)), blank("Owner", "who"), blank("By", "date")) : null,
      slide.basis ? made("p", { class: "basis" }, slide.basis) : null);
  }
  function doneBy(slide) {
    const steps = slide.steps.length ? made("ol", {}, ...slide.steps.map((one) => made("li", {}, made("div", {}, made("p", {}, kept(one.text)),
      one.settings ? made("pre", {}, ...breakable(one.settings)) : null)))) : null;
    const points = slide.points.length ? made("ul", {}, ...slide.points.map((point) => made("li", {}, kept(point)))) : null;
    return steps || points ? made("div", { class: "done" }, steps, points) : null;
  }
  function blank(label, hint) {
    return made("label", {}, label, made("input", { placeholder: hint, size: 12 }));
  }
  // On paper nothing changes, so all states stand side by side, at the size of a page.
  function onPaper({ chart, subtitle, figures, points }) {
    const height = Math.max(470 - (subtitle ? 60 : 0) - (figures.length ? 130 : 0) - 50 * points.length, 220);
    const width = 1176 / chart.states.length - 8, isNamed = chart.states.length > 1;
    return made("div", { class: "paper", "aria-hidden": true }, ...chart.states.map((state, s) => {
      const picture = chartOf(chart, width, height);
      picture.show(s);
      return made("figure", {}, isNamed ? made("figcaption", {}, state.label) : null, picture.svg);
    }));
  }
  function keyOf(colour, text) {
    const swatch = made("i");
    swatch.style.background = colour;
    return made("span", {}, swatch, text);
  }
  function redraw() {
    slides.forEach((slide, k) => {
      if (!slide.chart) return;
      const room = sections[k].querySelector(".chart");
      pictures[k] = chartOf(slide.chart, Math.max(room.clientWidth, 200), Math.max(room.clientHeight, 160), getComputedStyle(deck).fontFamily);
      room.replaceChildren(pictures[k].svg);
      pictures[k].show(shown[k]);
    });
  }
  function reveal(k, state) {
    shown[k] = state;
    pictures[k].show(state);
    sections[k].querySelectorAll(".states button").forEach((button, s) => button.setAttribute("aria-pressed", s === state));
  }
  function settle(to, isTold = true) {
    at = to;
    place.textContent = `${at + 1} / ${slides.length}`;
    onPicture.forEach((button) => { button.disabled = !slides[at].chart; });
    if (isTold && !isLeft) hooks.moved(at + 1); // a scroll may end after the slides are left
  }
  function go(to, how = "smooth") {
    settle(Math.min(Math.max(to, 0), slides.length - 1));
    isLed = strip.scrollLeft !== at * strip.clientWidth; // until it is there, however slowly
    strip.scrollTo({ left: at * strip.clientWidth, behavior: how });
  }
  // A picture with two states changes before its slide is left.
  function step(by) {
    const chart = slides[at].chart, next = shown[at] + by;
    if (chart && next >= 0 && next < chart.states.length) reveal(at, next);
    else go(at + by);
  }
  const keys = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.composedPath()[0] instanceof HTMLInputElement) return;
    if (event.key === " " && event.composedPath()[0] instanceof HTMLButtonElement) return;
    if (event.key === "Escape" && hooks.left) leave();
    else if (event.key in keys) step(keys[event.key]);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(slides.length - 1);
    else return;
    event.preventDefault();
  };
  window.addEventListener("keydown", pressed);
  for (const taken of ["pointerdown", "touchstart", "wheel"])
    strip.addEventListener(taken, () => { isLed = false; }, { passive: true });
  let waiting = 0;
  strip.addEventListener("scroll", () => { // a swipe
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const to = Math.round(strip.scrollLeft / Math.max(strip.clientWidth, 1));
      if (to === at) isLed = false;
      else if (!isLed) settle(to);
    }, 120);
  });
  const resized = new ResizeObserver(() => {
    redraw();
    strip.scrollTo({ left: at * strip.clientWidth, behavior: "instant" });
  });
  resized.observe(strip);
  settle(at, false);
  strip.focus({ preventScroll: true });
  return () => { window.removeEventListener("keydown", pressed); resized.disconnect(); };
}
