// An alarm: arrival rate against read rate, the causes red, and what is worst beside it.
// Or a group whose members run tasks: a row a member, a block a task.

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".place");
  const text = JSON.stringify(data);
  if (place.shown === text) return;
  place.shown = text;
  const why = data.beside && (data.beside.stacks ? stacksOf(data.beside) : tableOf(data.beside));
  const beside = data.ends ? el("div", "why", why, tableOf(data.ends)) : why;
  const below = data.below && tableOf(data.below);
  below?.classList.add("wide");
  const chart = data.chart.blockRows ? boardOf(data.chart) : ratesOf(data.chart);
  const shape = data.chart.blockRows ? "boards" : "";
  const drawn = el("div", `incident ${shape} ${beside ? "" : "alone"}`, chart, beside, below);
  chart.querySelector(".key, .legend").append(menuOf(place, () => drawn, data));
  place.replaceChildren(drawn);
}

function titled(part) {
  return part.title && el("h3", "", part.title, part.note && el("span", "cap", part.note));
}

function ratesOf(chart) {
  const { rows } = chart, hasBehind = rows.some((row) => row.behind), hasHost = rows.some((row) => row.host);
  const grid = el("div", `rates ${chart.isAlarm ? "" : "warned"}`,
    el("div", "cap", chart.subject),
    el("div", "cap key", chart.upper && el("span", "", el("i", "arrives"), chart.upper), el("span", "", el("i", "reads"), chart.lower)),
    el("div", "cap right", hasBehind ? "Behind" : ""), el("div", "cap right roomy", hasHost ? "Host" : ""));
  const longest = Math.max(0, ...rows.map((row) => Math.max(row.upperSaid.length, row.lowerSaid.length)));
  grid.style.setProperty("--said", `${longest}ch`); // what is said stands right of a bar
  for (const row of rows) {
    const red = row.isCause ? "red" : "", name = el("div", `name ${red}`, row.label);
    name.title = row.id;
    grid.append(name, chart.upper ? trackOf(row) : singleOf(row), el("div", `figure ${red}`, row.behind), el("div", "figure roomy", row.host));
  }
  return el("div", "", titled(chart), grid, chart.below && el("div", "below", chart.below));
}

function trackOf(row) {
  const isStopped = row.isCause && row.lower === 0; // null is unknown
  const made = el("div", "track",
    styled(el("div", `first ${row.isCause && !isStopped ? "cause" : "arrives"}`), { width: percent(row.upper) }),
    styled(el("div", `second ${isStopped ? "none" : "reads"}`), { width: percent(row.lower) }));
  const red = row.isCause ? "red" : "";
  if (row.upperSaid && row.lowerSaid) {
    made.append(
      styled(el("span", `said-first ${isStopped ? "" : red}`, row.upperSaid), { left: percent(row.upper) }),
      styled(el("span", `said-second ${isStopped ? red : ""}`, row.lowerSaid), { left: percent(row.lower) }));
  } else if (row.upperSaid)
    made.append(styled(el("span", "said-both", row.upperSaid), { left: percent(Math.max(row.upper, row.lower)) }));
  else if (row.lowerSaid)
    made.append(styled(el("span", `said-second ${red}`, row.lowerSaid), { left: percent(row.lower) }));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", row.said);
  return made;
}

function singleOf(row) {
  const made = el("div", "track",
    styled(el("div", `only ${row.isCause ? "cause" : "reads"}`), { width: percent(row.lower) }),
    styled(el("span", `said-both ${row.isCause ? "red" : ""}`, row.lowerSaid), { left: percent(row.lower) }));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", row.said);
  return made;
}

function tableOf(table) {
  const heads = table.heads.map((head) =>
    el("th", `${head.isNumber ? "right" : ""} ${head.isOnPhone ? "" : "roomy"}`, head.label));
  const rows = table.rows.map((cells, k) => el("tr", "", ...cells.map((cell, c) => {
    const head = table.heads[c], isCause = table.causes[k] && head.isCause;
    const made = el("td", `${head.isNumber ? "right" : ""} ${head.isOnPhone ? "" : "roomy"} ${isCause ? "red" : ""}`, cell);
    if (cell.length > 24) made.title = cell;
    return made;
  })));
  const made = el("table", table.isAlarm ? "" : "warned", el("thead", "", el("tr", "", ...heads)), el("tbody", "", ...rows));
  return el("div", "", titled(table), el("div", "tablewrap", made));
}

function stacksOf(chart) {
  return el("div", "", titled(chart), ...chart.stacks.flatMap((stack) => [
    el("div", "", stack.caption),
    el("div", "stack",
      ...stack.parts.map((part) => {
        const made = styled(el("div", part.kind, part.label), { width: percent(part.share) });
        made.title = part.label;
        return made;
      }),
      stack.limit !== null && styled(el("div", "limit"), { left: percent(stack.limit) })),
  ]), chart.below && el("div", "below", chart.below));
}

function boardOf(chart) {
  const [homes, labels, blocks, copies, figures] = chart.heads;
  const columns = [homes && "max-content", labels && "max-content", "minmax(0, 5fr)", copies && "minmax(0, 2fr)", figures && "max-content"];
  const grid = styled(el("div", "board"), { "--columns": columns.filter(Boolean).join(" ") });
  grid.append(...[homes, labels, blocks, copies].filter(Boolean).map((head) => el("div", "cap top", head)));
  if (figures) grid.append(el("div", "cap top right", figures));
  chart.blockRows.forEach((row, k) => {
    const first = row.home || !homes ? "first" : "", gone = row.isGone ? "gone" : "";
    const cell = (name, ...children) => el("div", `${name} ${k ? first : ""} ${gone}`, ...children);
    const label = cell("who", el("b", "", homes ? "" : row.label), homes && row.label, row.isGone && el("span", "tag", "gone"));
    label.title = row.id;
    if (homes) grid.append(cell("home", el("b", "", row.home), row.note && el("div", "cap", row.note)));
    if (labels) grid.append(label);
    grid.append(cell("cells", ...row.blocks.map(blockOf), !row.blocks.length && el("span", "cap none", row.isGone ? "ran nothing" : "idle")));
    if (copies) grid.append(cell(`cells copies ${row.copies.length ? "" : "empty"}`, ...row.copies.map(blockOf)));
    if (figures) grid.append(cell("figure right", row.figure));
  });
  const legend = el("div", "legend", ...chart.legend.map(({ kind, shade, text }) => el("span", "", el("i", `block ${kind} shade${shade}`), text)));
  return el("div", "", legend, grid, chart.below && el("div", "below", chart.below));
}

function blockOf(block) {
  const made = el("span", `block ${block.kind} shade${block.shade} ${block.isNew ? "new" : ""}`, block.label);
  made.title = block.said;
  return made;
}
