// The large picture. What it shows comes from the server; which of its forms, and which strategy is
// compared with now, is chosen here at once and told to the server, which writes it to the link.

const MODES = [["before", "Before and after"], ["all", "All side by side"], ["heat", "Heatmap"]];
const COUNTS = "partitions";
const WIDE_PX = 840, FEW = 24, LINGER_MS = 4000;
const PICTURES = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const place = parentElement.querySelector(".picture");
  if (!data.columns) return; // still to come
  if (!PICTURES.has(place)) PICTURES.set(place, new Picture(place));
  const picture = PICTURES.get(place);
  picture.tell = setStateValue;
  picture.show(data);
}

class Picture {
  constructor(place) {
    this.place = place;
    this.body = el("div", "shown");
    this.said = el("div", "said");
    this.said.hidden = true;
    place.replaceChildren(this.body, this.said);
    place.onpointermove = place.onpointerdown = (event) => this.say(event);
    place.onpointerleave = (event) => {
      if (event.pointerType === "mouse") this.said.hidden = true;
      else this.later = setTimeout(() => { this.said.hidden = true; }, LINGER_MS);
    };
    new ResizeObserver(() => {
      if (this.data && this.drawn !== this.mode) this.draw();
    }).observe(place);
  }

  show(data) {
    const isOther = this.data?.of !== data.of;
    if (isOther) [this.asked, this.picked, this.coloured] = [data.mode, data.picked, data.coloured];
    const text = JSON.stringify(data);
    if (text === this.text) return;
    this.text = text;
    this.data = data;
    this.draw();
  }

  // The form that was chosen; else the customer's where it fits.
  get mode() {
    if (this.data.modes.includes(this.asked)) return this.asked;
    const fits = this.place.clientWidth >= WIDE_PX && this.data.consumers <= FEW;
    const usual = fits ? "all" : "before";
    return this.data.modes.includes(usual) ? usual : this.data.modes[0];
  }

  get strategy() {
    const offered = this.data.columns.filter((column) => !column.isNow);
    return [this.picked, this.data.usual]
      .map((key) => offered.find((column) => column.key === key)).find(Boolean) ?? offered[0];
  }

  choose(mode) {
    this.asked = mode;
    this.tell("mode", mode);
    this.draw();
  }

  pick(key, mode) {
    this.picked = key;
    this.tell("picked", key);
    if (mode && mode !== this.mode) this.choose(mode);
    else this.draw();
  }

  draw() {
    const at = this.place.getRootNode().activeElement?.dataset?.at;
    this.drawn = this.mode;
    this.said.hidden = true;
    this.place.classList.toggle("warned", !this.data.isFocusBroken);
    const drawn = this.drawn === "before" ? beforeAndAfter(this) : sideBySide(this, this.drawn === "heat");
    this.body.replaceChildren(this.head(), drawn);
    if (at) this.body.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus({ preventScroll: true });
  }

  head() {
    const modes = el("div", "modes", ...MODES.filter(([key]) => this.data.modes.includes(key)).map(([key, label]) => {
      const button = el("button", "", label);
      button.type = "button";
      button.dataset.at = `mode ${key}`;
      button.setAttribute("aria-pressed", key === this.drawn);
      button.onclick = () => this.choose(key);
      return button;
    }));
    modes.setAttribute("role", "group");
    modes.setAttribute("aria-label", "Picture");
    const views = el("div", "views", this.data.modes.length > 1 && modes, menuOf(this.place, () => this.body, this.data));
    return el("div", "switch", views, this.legend());
  }

  legend() {
    const { data } = this, swatch = (className, text) => el("span", "", el("i", className), text);
    const hasPeak = data.columns.some((column) => column.peak !== null);
    const busiest = data.focusWord ? swatch("alarm", data.focusWord) : hasPeak && swatch("peak", "busiest");
    const entries = [];
    if (this.drawn === "heat") {
      const top = this.isByCount ? data.most : data.top;
      const ramp = el("span", "", "0 ", ...Array.from({ length: 9 }, (_, k) => el("i", `step s${k}`)), ` ${top}`);
      entries.push(data.isCounts ? el("span", "", `Left: ${data.noun}`) : this.colours(), ramp);
      entries.push(data.focusWord ? busiest : hasPeak && swatch("ring", "busiest"));
      if (data.hasUnknown) entries.push(el("span", "", "+ part unknown"));
    } else {
      if (this.drawn === "all" && !data.isCounts) entries.push(el("span", "", "Number: partitions"));
      if (this.drawn === "before") {
        if (data.columns.some((column) => column.isNow)) entries.push(swatch("now", "now"));
        if (this.strategy) entries.push(swatch("load", this.strategy.label));
      } else entries.push(swatch("load", data.noun));
      entries.push(busiest);
      if (data.bound && this.drawn === "all") entries.push(swatch("dashed", `lower bound ${data.bound.text}`));
      if (data.hasUnknown) entries.push(swatch("partly", "part unknown"));
      if (data.hasRanges && this.drawn === "all") entries.push(el("span", "", "a–b: 5th–95th percentile"));
    }
    return el("div", "legend", ...entries);
  }

  // Whether the heatmap's colour is the number of partitions, rather than the load.
  get isByCount() {
    return this.coloured === COUNTS && !this.data.isCounts;
  }

  colours() {
    const chosen = [["load", `Left: ${this.data.noun}`], [COUNTS, "Right: partitions"]].map(([key, label]) => {
      const button = el("button", "", label);
      button.type = "button";
      button.dataset.at = `colour ${key}`;
      button.setAttribute("aria-pressed", (key === COUNTS) === this.isByCount);
      button.onclick = () => {
        this.coloured = key;
        this.tell("coloured", key);
        this.draw();
      };
      return button;
    });
    const made = el("div", "modes colours", ...chosen);
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", "Colour by");
    return made;
  }

  say(event) {
    clearTimeout(this.later);
    const told = event.target.closest?.("[data-said]");
    if (!told) { this.said.hidden = true; return; }
    this.said.textContent = told.dataset.said;
    this.said.hidden = false;
    const box = this.place.getBoundingClientRect();
    const left = event.clientX - box.left - this.said.offsetWidth / 2;
    this.said.style.left = `${Math.max(0, Math.min(left, box.width - this.said.offsetWidth))}px`;
    this.said.style.top = `${event.clientY - box.top + 18}px`;
  }
}

// What colours a bar: the alarm's consumers in an alarm, else the busiest one.
function tone(picture, column, k) {
  const { focusWord, rows } = picture.data;
  if (focusWord) return rows[k].focus && column.isNow ? "alarm" : "";
  return column.peak === k ? "peak" : "";
}

function barOf(cell, className, column, marked) {
  const colour = marked || (column.isNow ? "now" : "load");
  return styled(el("div", `bar ${className} ${colour} ${cell.isPartly ? "partly" : ""}`), { width: percent(cell.at) });
}

// A falling outline of many consumers: across their loads, downwards one after another.
function outlineOf(shares, className) {
  const SVG = "http://www.w3.org/2000/svg", n = shares.length;
  const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const steps = shares.map((share, k) => `H${(100 * share).toFixed(2)}V${((100 * (k + 1)) / n).toFixed(2)}`);
  const isEdge = className.includes("edge");
  path.setAttribute("d", isEdge
    ? `M${(100 * shares[0]).toFixed(2)} 0${steps.join("")}` : `M0 0${steps.join("")}H0Z`);
  path.setAttribute("class", className);
  svg.append(path);
  return svg;
}
