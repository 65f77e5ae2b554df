// A row a consumer with what it has now and what one strategy gives it, and all strategies ranked.

function beforeAndAfter(picture) {
  const { data } = picture;
  const now = data.columns.find((column) => column.isNow);
  const then = picture.strategy;
  const pairs = el("div", "pairs");
  pairs.append(
    el("div", "cap top", "Consumer"),
    el("div", "cap top right", data.isCounts ? "" : "Partitions"),
    el("div", "rules top", data.bound && styled(el("span", "bound-label", `lower bound ${data.bound.text}`), { left: percent(data.bound.at) })),
  );
  const pair = (cells, at) => pairs.append(...cells.map((cell, c) => styled(cell, { "grid-row": at + 2, "grid-column": c + 1 })));
  data.rows.forEach((row, k) => pair(pairOf(picture, row, now, then, k), k));
  if (data.hidden) pair(pairOfMany(data, now, then), data.rows.length);
  const count = data.rows.length + (data.hidden ? 1 : 0);
  const over = (z, ...lines) => styled(el("div", "rules", ...lines), { "grid-row": `2 / span ${count}`, "z-index": z });
  pairs.prepend(over(0, ...data.ticks.map((tick) => styled(el("div", "rule"), { left: percent(tick.at) }))));
  pairs.append(over(1, data.bound && styled(el("div", "bound"), { left: percent(data.bound.at) })));
  pairs.append(styled(el("div", "rules top", ...data.ticks.map((tick, k) =>
    styled(el("span", `tick ${k ? "" : "first"}`, tick.text), { left: percent(tick.at) }))), { "grid-row": count + 2 }));
  const offered = data.columns.filter((column) => !column.isNow);
  if (!offered.length) return el("div", "", pairs, notesOf(data.notes));
  return el("div", "two", pairs, el("div", "", rankingOf(picture), notesOf(notesBelow(data))));
}

function notesBelow(data) {
  return [...data.notes, ...data.columns.map((column) => column.alike).filter(Boolean)];
}

function pairOf(picture, row, now, then, k) {
  const { data } = picture, name = el("div", `name ${row.focus && data.focusWord ? "focus" : ""}`, row.label);
  name.dataset.said = [row.id, row.note].filter(Boolean).join(", ");
  const was = now?.cells[k], is = then?.cells[k];
  const counts = data.isCounts ? [] : [was && (was.isIdle ? el("b", "", was.count) : was.count), was && is ? " → " : "", is?.count];
  const track = el("div", "track");
  const shown = [[now, was, "was"], [then, is, "then"]].filter(([column]) => column);
  let [widest, text, most] = [0, null, -1];
  for (const [column, cell, className] of shown) {
    const marked = tone(picture, column, k);
    if (!cell.isIdle) track.append(barOf(cell, shown.length > 1 ? className : "then", column, marked));
    widest = Math.max(widest, cell.isIdle ? 0 : cell.at);
    if ((marked || column.peak === k) && !cell.isIdle && cell.at > most)
      [text, most] = [el("span", `text-${marked || "plain"}`, cell.text), cell.at];
  }
  const idle = was?.isIdle ? (is ? "idle now" : "idle") : is?.isIdle ? "idle then" : "";
  if (text || idle) track.append(styled(
    el("span", "val", text, text && idle ? " · " : "", idle && el("span", "idle", idle)), { left: percent(widest) }));
  const said = shown.map(([, cell]) => cell.said).join("; ");
  track.dataset.said = said;
  track.setAttribute("aria-label", said);
  track.setAttribute("role", "img");
  return [name, el("div", "count", ...counts), track];
}

function pairOfMany(data, now, then) {
  const name = el("div", "name many", data.hidden);
  const shown = [now, then].filter(Boolean);
  const counts = el("div", "count many", shown.map((column) => column.others.count).join(" → "));
  const curve = el("div", "curve",
    then ? outlineOf(then.others.at, "") : null, now ? outlineOf(now.others.at, then ? "edge" : "of-now") : null);
  const cell = el("div", "cell many", curve);
  cell.dataset.said = shown.map((column) => column.others.said).join("; ");
  return [name, counts, cell];
}

function rankingOf(picture) {
  const { data } = picture, chosen = picture.strategy;
  const made = el("div", `ranking ${data.hasEnds ? "ends" : ""}`);
  made.setAttribute("role", "radiogroup");
  made.setAttribute("aria-label", "Strategies, by what they take and by the busiest consumer");
  made.append(el("div", "titles", el("span", "", "Strategy"), el("span", "wide", "Busiest", el("span", "roomy", data.hasEnds ? " consumer" : ` consumer, ${data.unit}`)),
    el("span", "right", "Change"), el("span", "right", "Moves"), data.hasEnds && el("span", "right", "Backlog ends")));
  let heading = "";
  for (const column of data.columns) {
    if (column.heading && column.heading !== heading) made.append(el("div", "under", column.heading));
    heading = column.heading;
    made.append(rankOf(picture, column, column === chosen));
  }
  return made;
}

function rankOf(picture, column, isChosen) {
  const { data } = picture;
  const mark = el(column.isNow ? "span" : "input", "gap");
  if (!column.isNow) {
    Object.assign(mark, { type: "radio", name: "strategy", checked: isChosen, onchange: () => picture.pick(column.key) });
    mark.dataset.at = `rank ${column.key}`;
  }
  const { range } = column;
  const strip = el("span", "strip",
    styled(el("span", `bar ${column.isNow ? "now" : "load"}`), { width: percent(column.busiest.at) }),
    range && styled(el("span", "whisker"), { left: percent(range.low), width: percent(range.high - range.low) }),
    data.bound && styled(el("span", "bound"), { left: percent(data.bound.ranked) }));
  if (range) strip.dataset.said = `5th to 95th percentile: ${range.text}`;
  const made = el(column.isNow ? "div" : "label", `rank ${column.isNow ? "still" : ""}`,
    el("span", "who", mark, column.label), strip,
    el("span", "right", column.busiest.text),
    el("span", "right change", column.change), el("span", "right", column.moved),
    data.hasEnds && el("span", `right ${column.never ? "text-alarm" : ""}`, column.ends));
  if (column.doubt) made.dataset.said = column.why || column.doubt;
  return made;
}
