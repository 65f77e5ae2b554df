// The scenarios: a row for each choice, a column for each case; elements.js stands above.

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".place");
  if (!data.rows) return; // still to come
  const text = JSON.stringify(data);
  if (place.shown === text) return;
  place.shown = text;
  const tell = (act, at) => () => setTriggerValue("pressed", { act, at });
  const table = el("table", "matrix", headOf(data, tell), el("tbody", "", ...data.rows.map((row, at) => rowOf(row, at, data, tell))));
  const scroll = el("div", "scroll", table);
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", "Choices against cases");
  place.replaceChildren(scroll, el("p", "foot cap", data.foot));
}

function headOf(data, tell) {
  const cases = data.cases.map((each, at) => {
    const title = el("span", "title", el("b", "", each.title), data.cases.length > 1 && small("×", `Remove the case ${each.title}`, tell("drop", at)));
    return heading("col", "case", el("div", "box", title, el("span", "cap", each.note)));
  });
  const choices = heading("col", "who", el("b", "", "Choice"));
  return el("thead", "", el("tr", "", choices, heading("col", "number", "Consumers"), data.cost && heading("col", "number", data.cost), ...cases));
}

function rowOf(row, at, data, tell) {
  const acts = el("span", "acts", small("Open", `Open ${row.title} as the group on every page`, tell("open", at)),
    data.rows.length > 1 && small("Remove", `Remove the choice ${row.title}`, tell("remove", at)));
  const who = heading("row", "who", el("b", "", row.title), el("span", "cap narrow", consumersOf(row, data)), el("span", "cap", row.note), acts);
  const cells = data.cases.map((_, number) => cellOf(row.cells[number]));
  const made = el("tr", row.is_taken ? "taken" : "", who, el("td", "number", row.consumers), data.cost && el("td", "number", row.cost), ...cells);
  if (row.is_taken) who.setAttribute("aria-current", "true");
  return made;
}

function consumersOf(row, data) {
  const count = `${row.consumers} consumer${row.consumers === "1" ? "" : "s"}`;
  return data.cost ? `${count}, ${row.cost} ${data.cost}` : count;
}

function cellOf(cell) {
  if (!cell) return el("td", "case", el("div", "cell pending cap", "…"));
  const figure = el("b", "figure", cell.tone === "good" ? `✓ ${cell.figure}` : cell.figure);
  const bar = cell.tone && el("div", "track", styled(el("div", "bar"), { width: percent(Math.max(cell.share, 0.01)) }));
  const line = el("div", "line", figure, cell.status && el("span", "status", cell.status));
  return el("td", "case", el("div", `cell ${cell.tone}`, line, bar, el("span", "cap", cell.busiest)));
}

function heading(scope, className, ...children) {
  const made = el("th", className, ...children);
  made.scope = scope;
  return made;
}

function small(label, about, act) {
  const made = el("button", "small", label);
  made.type = "button";
  made.onclick = act;
  made.setAttribute("aria-label", about);
  made.title = about;
  return made;
}
