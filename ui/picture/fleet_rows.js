// The groups of a fleet in sections, the most urgent first; elements.js stands above.

const WIDTH = 92, HEIGHT = 24;

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".place");
  if (!data.sections) return; // still to come
  const text = JSON.stringify(data);
  if (place.shown === text) return;
  place.shown = text;
  const open = (row) => setTriggerValue("opened", [row.cluster, row.name]);
  const gains = data.sections.flatMap((section) => section.rows.map((row) => row.gain.length));
  const list = el("div", "fleet", headOf(data), ...data.sections.map((section) => sectionOf(section, open)), footOf(data, place));
  list.style.setProperty("--said", `${Math.max(0, ...gains)}ch`); // what stands right of a bar
  place.replaceChildren(list);
}

function headOf(data) {
  const hasLoads = data.sections.some((section) => section.rows.some((row) => row.stays || row.bySetting || row.byJar));
  return el("div", "row head",
    el("div", "", "Group"), el("div", "now", "Now"), el("div", "course", "Lag"), el("div", "behind", "Behind"),
    el("div", "load", hasLoads ? data.loadHead : "", hasLoads && el("span", "key",
      el("span", "", el("i", "stays"), "stays"), el("span", "", el("i", "setting"), "a setting"),
      el("span", "", el("i", "jar"), "a jar as well"))),
    el("div", "do", "Do"));
}

function sectionOf(section, open) {
  const made = el("section", `${section.tone} ${section.isFolded ? "folded" : ""}`,
    el("h2", "", section.title, el("span", "cap", section.note)), ...section.rows.map((row) => rowOf(row, open)));
  made.setAttribute("aria-label", section.title);
  return made;
}

function rowOf(row, open) {
  const name = el("button", "name", row.name);
  name.type = "button";
  name.onclick = () => open(row);
  return el("div", `row ${row.tone}`,
    el("div", "who", name, el("span", "cap", `${row.cluster} · ${row.size}`)),
    el("div", "now", row.now), courseOf(row), el("div", "behind", row.behind, el("span", "unit", row.isKnown && " behind")), loadOf(row), el("div", "do", row.do));
}

function courseOf(row) {
  const made = el("div", "course");
  if (row.course.filter((share) => share !== null).length < 2) return made;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 -2 ${WIDTH} ${HEIGHT + 4}`);
  svg.setAttribute("aria-hidden", "true");
  for (const points of runsOf(row.course)) {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("points", points.join(" "));
    svg.append(line);
  }
  made.append(svg);
  return made;
}

// What is unknown is a gap, not a lag of zero.
function runsOf(course) {
  const runs = [[]], step = WIDTH / (course.length - 1);
  course.forEach((share, k) => {
    if (share === null) runs.push([]);
    else runs.at(-1).push(`${(k * step).toFixed(1)},${(HEIGHT * (1 - share)).toFixed(1)}`);
  });
  return runs.filter((points) => points.length > 1);
}

function loadOf(row) {
  const whole = row.stays + row.byJar + row.bySetting;
  const parts = [["stays", row.stays], ["jar", row.byJar], ["setting", row.bySetting]].filter(([, share]) => share);
  const bar = el("div", "bar", ...parts.map(([kind, share]) => styled(el("i", kind), { width: percent(share / whole) })));
  bar.style.setProperty("--whole", whole);
  return el("div", "load", bar, row.gain && el("span", "gain", row.gain));
}

function footOf(data, place) {
  const folded = data.sections.filter((section) => section.isFolded).reduce((sum, section) => sum + section.rows.length, 0);
  const foot = el("div", "cap foot", data.note);
  if (!folded) return foot;
  const more = el("button", "btn", `Show the other ${folded}`);
  more.type = "button";
  more.onclick = () => { place.querySelector(".fleet").classList.add("all"); more.remove(); };
  foot.prepend(more);
  return foot;
}
