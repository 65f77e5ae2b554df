// A row a consumer, a column a strategy: bars with digits, or tiles with both numbers.

const LONGEST_DOUBT = 24;
const ROOMY = 6; // columns whose titles have one line

function sideBySide(picture, isHeat) {
  const { data } = picture, { columns, rows } = data;
  const conditions = conditionsOf(columns);
  const digits = Math.max(2, ...columns.flatMap((c) => c.cells.map((cell) => cell.count.length)));
  const grid = styled(el("div", `grid ${isHeat ? "heat" : ""} ${columns.length > ROOMY ? "tight" : ""}`), {
    "grid-template-columns": `max-content repeat(${columns.length}, minmax(var(--column), 1fr))`,
    "--digits": data.isCounts ? "0px" : `${digits + 0.5}ch`,
    "--value": "50px",
  });
  grid.setAttribute("role", "table");
  grid.setAttribute("aria-label", `${data.noun} of every consumer under every strategy`);
  grid.append(line(el("div", "name corner cap", "Consumer"), columns.map((column) => headOf(picture, column, conditions)), "columnheader"));
  rows.forEach((row, k) => {
    const name = el("div", `name ${row.focus && data.focusWord ? "focus" : ""}`, row.label);
    name.dataset.said = [row.id, row.note].filter(Boolean).join(", ");
    grid.append(line(name, columns.map((column) =>
      isHeat ? tileOf(picture, column, k) : cellOf(picture, column, k))));
  });
  if (data.hidden) {
    const name = el("div", "name many", data.hidden);
    grid.append(line(name, columns.map((column) => isHeat ? tileOfMany(picture, column) : cellOfMany(column))));
  }
  if (!isHeat && data.bound)
    columns.forEach((_, k) => grid.append(styled(
      el("div", "over", el("div", "", styled(el("div", "bound"), { left: percent(data.bound.at) }))),
      { "grid-column": k + 2, "grid-row": `2 / span ${rows.length + (data.hidden ? 1 : 0)}` },
    )));
  const last = rows.length + (data.hidden ? 3 : 2);
  columns.forEach((column, k) => grid.append(styled(el("div", "foot cap", column.same), { "grid-column": k + 2, "grid-row": last })));
  const scroll = el("div", "scroll", grid);
  scroll.tabIndex = 0;
  const said = [...conditions].map(([doubt, name]) => `${name[0].toUpperCase()}${name.slice(1)}: ${doubt}.`);
  return el("div", "", scroll, notesOf([...said, ...data.notes]));
}

// What a prediction holds for, where it is too long for a head: said once, below.
function conditionsOf(columns) {
  const long = new Set(columns.map((c) => c.doubt).filter((doubt) => doubt.startsWith("if ") && doubt.length > LONGEST_DOUBT));
  return new Map([...long].map((doubt, k) => [doubt, long.size > 1 ? `condition ${k + 1}` : "condition"]));
}

function notesOf(notes) {
  return notes.length ? el("div", "notes", ...notes.map((note) => el("div", "", note))) : null;
}

function line(name, cells, role = "cell") {
  const made = el("div", "line", name, ...cells);
  made.setAttribute("role", "row");
  name.setAttribute("role", role === "cell" ? "rowheader" : role);
  cells.forEach((cell) => cell.setAttribute("role", role));
  return place(made);
}

// Every cell says where it stands, since what lies over the rows is placed as well.
function place(row) {
  queueMicrotask(() => {
    const at = [...row.parentElement.querySelectorAll(":scope > .line")].indexOf(row) + 1;
    [...row.children].forEach((cell, k) => styled(cell, { "grid-row": at, "grid-column": k + 1 }));
  });
  return row;
}

function headOf(picture, column, conditions) {
  const label = el(column.isNow ? "div" : "button", "title", column.label);
  if (!column.isNow) {
    label.type = "button";
    label.dataset.at = `head ${column.key}`;
    label.onclick = () => picture.pick(column.key, "before");
    label.dataset.said = `Compare ${column.label} with now`;
  }
  const isLess = column.change.startsWith("−");
  const figure = el("div", "figure",
    el("b", "nowrap", column.busiest.text),
    column.change && el("span", `change nowrap ${isLess ? "better" : ""}`, column.change),
    column.was && el("span", "cap nowrap", column.was),
    column.takes && el("span", "takes", column.takes));
  const facts = [column.moves, column.range?.text, column.isNow ? column.idle : ""].filter(Boolean);
  const below = el("div", "cap", ...facts.flatMap((fact, k) => [k ? " · " : "", el("span", "nowrap", fact)]));
  if (column.range) below.dataset.said = `Busiest consumer: median ${column.busiest.text}, 5th to 95th percentile ${column.range.text}`;
  const doubt = column.doubt && el("div", `cap ${column.isFault ? "fault" : ""}`, conditions.has(column.doubt) ? `on ${conditions.get(column.doubt)}` : column.doubt);
  if (doubt) doubt.dataset.said = column.why;
  return el("div", "head", label, figure, below, doubt);
}

function cellOf(picture, column, k) {
  const cell = column.cells[k], marked = tone(picture, column, k);
  const count = el("div", "count", cell.isIdle && column.isNow ? el("b", "", cell.count) : cell.count);
  const track = el("div", "track");
  if (cell.isIdle) track.append(el("span", "val idle", "idle"));
  else track.append(barOf(cell, "", column, marked));
  if ((marked || column.peak === k) && !cell.isIdle)
    track.append(styled(el("span", `val text-${marked || "plain"}`, cell.text), { left: percent(cell.at) }));
  const made = picture.data.isCounts ? el("div", "cell", el("div"), track) : el("div", "cell", count, track);
  made.dataset.said = cell.said;
  made.setAttribute("aria-label", cell.said);
  return made;
}

function tileOf(picture, column, k) {
  const cell = column.cells[k], marked = tone(picture, column, k);
  const className = cell.isIdle ? "none" : `s${picture.isByCount ? cell.countStep : cell.step} ${marked ? `${marked}-ring` : ""}`;
  const made = el("div", `tile ${className}`,
    el("span", "", cell.isIdle ? "idle" : cell.text),
    picture.data.isCounts ? null : el("span", "", cell.count));
  made.dataset.said = cell.said;
  made.setAttribute("aria-label", cell.said);
  return made;
}

function cellOfMany(column) {
  const { others } = column;
  const curve = el("div", "curve", outlineOf(others.at, column.isNow ? "of-now" : ""));
  const made = el("div", "cell many", curve, el("div", "count", `${others.text}${others.count ? ` · ${others.count} each` : ""}`));
  made.dataset.said = others.said;
  made.setAttribute("aria-label", others.said);
  return made;
}

function tileOfMany(picture, column) {
  const { others } = column;
  const made = el("div", `tile many s${picture.isByCount ? others.countStep : others.step}`,
    el("span", "", others.text + (others.isPartly ? "+" : "")), el("span", "", others.count));
  made.dataset.said = others.said;
  made.setAttribute("aria-label", others.said);
  return made;
}
