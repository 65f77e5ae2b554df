// A table of input fields. Only the rows in sight exist; the row with the focus always does.
// What is typed is an operation with a number, sent again until the server has confirmed it.

const ROW_PX = 30;
const SPARE_ROWS = 8;
const PAUSE_MS = 150;
const BUTTON_PX = 34;
const FIXED = new Set(["fixed", "figure"]); // cells that are shown and not typed
const SHEETS = new WeakMap();
const NATURAL = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export default function ({ data, parentElement, setStateValue }) {
  const place = parentElement.querySelector(".sheet");
  if (!SHEETS.has(place)) SHEETS.set(place, new Sheet(place));
  const sheet = SHEETS.get(place);
  sheet.send = (log) => setStateValue("log", log);
  sheet.show(data);
  return () => sheet.flush();
}

function element(tag, role, className) {
  const made = document.createElement(tag);
  if (role) made.setAttribute("role", role);
  if (className) made.className = className;
  return made;
}

class Sheet {
  constructor(place) {
    this.place = place;
    this.by = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.number = 0;
    this.pending = [];
    this.rows = new Map(); // id -> {box, fields}
    this.sorted = null;
    this.view = element("div", "grid", "view");
    this.view.tabIndex = -1;
    this.head = element("div", "row", "head line");
    this.body = element("div", "rowgroup", "body");
    this.adder = element("div", "group", "adder line");
    this.choices = element("datalist");
    this.choices.id = `choices-${this.by}`;
    this.view.append(this.head, this.body, this.adder);
    place.append(this.view, this.choices);
    this.view.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.view);
    // Streamlit's shortcuts, such as R for a rerun, must not see what is typed here.
    for (const kind of ["keydown", "keypress", "keyup"])
      place.addEventListener(kind, (event) => event.stopPropagation());
    place.addEventListener("focusout", (event) => {
      if (!place.contains(event.relatedTarget)) this.flush();
    });
  }

  // ----- what the server says -----

  show(data) {
    if (data.by === this.by) this.pending = this.pending.filter(([n]) => n > data.taken);
    const isOther = this.data?.of !== data.of;
    const columns = JSON.stringify([data.of, data.columns, data.adds]);
    this.data = data;
    if (columns !== this.columns) {
      this.columns = columns;
      if (isOther) this.sorted = null;
      this.rows.forEach(({ box }) => box.remove());
      this.rows.clear();
      this.drawHead();
      this.drawAdder();
      this.view.setAttribute("aria-label", data.alt);
      this.view.setAttribute("aria-colcount", data.columns.length);
      if (isOther) this.view.scrollTop = 0;
    }
    this.choices.replaceChildren(
      ...data.options.map(([shown, value]) => {
        const option = element("option");
        option.value = shown;
        if (value !== shown) option.label = value;
        return option;
      }),
    );
    this.arrange();
    this.draw(true);
  }

  // Rows in the chosen order; added ones, confirmed or not, come last until they are sorted again.
  arrange() {
    const gone = new Set();
    const added = [];
    this.typed = new Map();
    for (const [number, of, kind, what] of this.pending) {
      if (of !== this.data.of) continue;
      if (kind === "delete") what.forEach((id) => gone.add(id));
      if (kind === "set") what.forEach(([id, column, text]) => this.typed.set(`${id}\n${column}`, text));
      if (kind === "add")
        what.forEach((row, k) =>
          added.push([`+${number}.${k}`, "", this.data.columns.map(({ name }) => row[name] ?? "")]),
        );
    }
    const kept = this.data.rows.filter(([id]) => !gone.has(id));
    this.texts = new Map(kept.map(([id, name, texts]) => [id, { name, texts }]));
    added.forEach(([id, name, texts]) => this.texts.set(id, { name, texts, isNew: true }));
    const known = [...this.texts.keys()];
    if (this.sorted === null) this.order = known;
    else {
      const before = new Set(this.order);
      const now = new Set(known);
      this.order = [...this.order.filter((id) => now.has(id)), ...known.filter((id) => !before.has(id))];
    }
    this.at = new Map(this.order.map((id, index) => [id, index]));
  }

  text(id, c) {
    const { name } = this.data.columns[c];
    return this.typed.get(`${id}\n${name}`) ?? this.texts.get(id).texts[c] ?? "";
  }

  // ----- drawing -----

  drawHead() {
    const { columns, adds } = this.data;
    const widths = columns.map(({ width }) => `minmax(${width}px, ${width}fr)`);
    this.place.style.setProperty("--columns", [...widths, ...(adds ? [`${BUTTON_PX}px`] : [])].join(" "));
    const least = columns.reduce((sum, { width }) => sum + width, adds ? BUTTON_PX : 0);
    this.place.style.setProperty("--least", `${least}px`);
    this.head.replaceChildren(
      ...columns.map(({ label, about, kind }, c) => {
        const cell = element("div", "columnheader", kind === "number" || kind === "figure" ? "right" : "");
        const button = element("button");
        button.type = "button";
        button.tabIndex = -1;
        button.textContent = label;
        button.title = about ? `${about}. Click to sort.` : "Click to sort";
        button.addEventListener("click", () => this.sort(c));
        cell.append(button);
        return cell;
      }),
    );
  }

  sort(c) {
    const isDown = this.sorted?.c === c && !this.sorted.isDown;
    this.sorted = { c, isDown };
    const compared = (a, b) => NATURAL.compare(this.text(a, c), this.text(b, c));
    this.order = [...this.order].sort((a, b) => {
      const blanks = (this.text(a, c) === "") - (this.text(b, c) === "");
      return blanks || (isDown ? compared(b, a) : compared(a, b));
    });
    this.at = new Map(this.order.map((id, index) => [id, index]));
    [...this.head.children].forEach((cell, k) => {
      if (k === c) cell.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    this.draw();
  }

  draw(isNew = false) {
    if (!this.data) return;
    const count = this.order.length;
    this.body.style.height = `${Math.max(count, 1) * ROW_PX}px`;
    this.view.setAttribute("aria-rowcount", count + 1);
    const first = Math.max(Math.floor(this.view.scrollTop / ROW_PX) - SPARE_ROWS, 0);
    const seen = Math.ceil((this.view.clientHeight || 400) / ROW_PX) + 2 * SPARE_ROWS;
    const wanted = new Set(this.order.slice(first, first + seen));
    const focused = this.focused();
    if (focused && this.at.has(focused.row)) wanted.add(focused.row);
    for (const [id, { box }] of this.rows)
      if (!wanted.has(id)) {
        this.rows.delete(id);
        box.remove();
      }
    for (const id of wanted) {
      const row = this.rows.get(id);
      if (!row) this.make(id);
      else if (isNew) this.refresh(id, row);
      const { box } = this.rows.get(id);
      box.style.top = `${this.at.get(id) * ROW_PX}px`;
      box.setAttribute("aria-rowindex", this.at.get(id) + 2);
    }
  }

  make(id) {
    const box = element("div", "row", "line");
    const row = { box, fields: this.data.columns.map((column, c) => this.field(id, column, c)) };
    row.fields.forEach((field, c) => {
      const cell = element("div", "gridcell", this.data.columns[c].kind);
      cell.append(field);
      box.append(cell);
    });
    if (this.data.adds) box.append(this.remover(id));
    this.rows.set(id, row);
    this.refresh(id, row);
    this.body.append(box);
  }

  field(id, { name, kind }, c) {
    const field = element(FIXED.has(kind) ? "span" : "input");
    field.place = { row: id, c };
    if (FIXED.has(kind)) return field;
    field.type = kind === "tick" ? "checkbox" : "text";
    field.autocomplete = "off";
    field.spellcheck = false;
    if (kind === "number") field.inputMode = "numeric";
    if (kind === "choice") field.setAttribute("list", this.choices.id);
    field.addEventListener("keydown", (event) => this.key(event, field));
    if (kind === "tick") {
      field.addEventListener("change", () => this.push("set", [[id, name, field.checked ? "1" : ""]]));
      return field;
    }
    field.addEventListener("focus", () => field.select());
    field.addEventListener("blur", () => this.commit(field));
    field.addEventListener("change", () => this.commit(field));
    field.addEventListener("paste", (event) => this.paste(event, field));
    return field;
  }

  refresh(id, { box, fields }) {
    const { name, texts, isNew } = this.texts.get(id);
    box.classList.toggle("new", Boolean(isNew));
    fields.forEach((field, c) => {
      const { kind, label, name: column } = this.data.columns[c];
      const text = this.text(id, c);
      const why = this.data.wrong[`${id}\n${column}`];
      if (FIXED.has(kind)) {
        field.textContent = text;
        field.title = texts[c] === text ? text : "";
        return;
      }
      field.setAttribute("aria-label", `${label}, ${name || text}`);
      if (kind === "tick") {
        field.checked = text === "1";
        return;
      }
      const isTyping = field === this.focused()?.field && field.value !== field.was;
      if (!isTyping) {
        if (field.value !== text) field.value = text;
        field.was = text;
      }
      field.readOnly = Boolean(isNew);
      field.toggleAttribute("aria-invalid", Boolean(why));
      if (why) field.setAttribute("aria-invalid", "true");
      field.title = why ? `${text}: ${why}` : text;
      field.parentElement?.classList.toggle("wrong", Boolean(why));
    });
  }

  remover(id) {
    const cell = element("div", "gridcell", "remove");
    const button = element("button");
    button.type = "button";
    button.tabIndex = -1;
    button.textContent = "×";
    button.title = "Delete this row";
    button.setAttribute("aria-label", `Delete ${this.texts.get(id).name}`);
    button.addEventListener("click", () => this.push("delete", [id]));
    cell.append(button);
    return cell;
  }

  // The line below the table: type, Enter, and it is ready for the next.
  drawAdder() {
    const { columns, adds } = this.data;
    this.adder.hidden = !adds;
    this.adder.replaceChildren();
    if (!adds) return;
    this.adder.setAttribute("aria-label", `Add a ${adds}`);
    let first = null;
    for (const { name, label, kind } of columns) {
      const cell = element("div", "", kind);
      this.adder.append(cell);
      if (FIXED.has(kind)) continue;
      const field = element("input");
      field.type = "text";
      field.autocomplete = "off";
      field.spellcheck = false;
      field.column = name;
      field.placeholder = first ? label : `New ${adds}`;
      field.setAttribute("aria-label", first ? `${label} of the new ${adds}` : `New ${adds}`);
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.add();
      });
      field.addEventListener("paste", (event) => this.pasteNew(event, field));
      cell.append(field);
      first ??= field;
    }
    const cell = element("div", "", "remove");
    const button = element("button");
    button.type = "button";
    button.textContent = "+";
    button.title = "Add it (Enter)";
    button.setAttribute("aria-label", `Add this ${adds}`);
    button.addEventListener("click", () => this.add());
    cell.append(button);
    this.adder.append(cell);
  }

  add() {
    const fields = [...this.adder.querySelectorAll("input")];
    const row = Object.fromEntries(fields.map((field) => [field.column, field.value]));
    if (fields[0].value.trim()) {
      this.push("add", [row]);
      fields.forEach((field) => (field.value = ""));
      this.arrange();
      this.view.scrollTop = this.order.length * ROW_PX;
      this.draw(true);
      this.view.scrollTop = this.order.length * ROW_PX;
    }
    fields[0].focus();
  }

  // ----- typing -----

  focused() {
    const field = this.place.getRootNode().activeElement;
    return field?.place ? { field, ...field.place } : null;
  }

  commit(field) {
    if (field.value === field.was || field.readOnly) return;
    field.was = field.value;
    this.push("set", [[field.place.row, this.data.columns[field.place.c].name, field.value]]);
  }

  key(event, field) {
    const { row, c } = field.place;
    const isTick = field.type === "checkbox";
    const isDirty = !isTick && field.value !== field.was;
    const isWhole = isTick || (field.selectionStart === 0 && field.selectionEnd === field.value.length);
    const isAtStart = isWhole || field.selectionEnd === 0;
    const isAtEnd = isWhole || field.selectionStart === field.value.length;
    const at = this.at.get(row);
    const isCommand = event.ctrlKey || event.metaKey;
    let target = null;
    if (isCommand && event.key.toLowerCase() === "z" && !event.shiftKey) {
      if (isDirty) return; // the browser takes back what was typed since
      event.preventDefault();
      this.push("undo", null);
      return;
    }
    if (isCommand && event.key === "Home") target = [0, 0];
    else if (isCommand && event.key === "End") target = [this.order.length - 1, this.lastColumn()];
    else if (isCommand || event.altKey) return;
    else if (event.key === "Enter") target = [at + (event.shiftKey ? -1 : 1), c];
    else if (event.key === "ArrowDown") target = [at + 1, c];
    else if (event.key === "ArrowUp") target = [at - 1, c];
    else if (event.key === "PageDown") target = [Math.min(at + 10, this.order.length - 1), c];
    else if (event.key === "PageUp") target = [Math.max(at - 10, 0), c];
    else if (event.key === "ArrowLeft" && isAtStart) target = this.beside(at, c, -1);
    else if (event.key === "ArrowRight" && isAtEnd) target = this.beside(at, c, 1);
    else if (event.key === "Tab") {
      target = this.beside(at, c, event.shiftKey ? -1 : 1, true);
      if (!target) return; // leaves the table
    } else if (event.key === "Escape") {
      if (isDirty) field.value = field.was;
      field.select?.();
      return;
    } else return;
    event.preventDefault();
    if (!isTick) this.commit(field);
    if (!target) return;
    if (target[0] >= this.order.length) {
      this.adder.querySelector("input")?.focus();
      return;
    }
    this.focus(...target);
  }

  lastColumn() {
    return this.data.columns.findLastIndex(({ kind }) => !FIXED.has(kind));
  }

  // The next field in a row that can be edited, or of the next row.
  beside(at, c, step, isWrapping = false) {
    const { columns } = this.data;
    let next = c + step;
    while (next >= 0 && next < columns.length && FIXED.has(columns[next].kind)) next += step;
    if (next >= 0 && next < columns.length) return [at, next];
    const row = at + step;
    if (!isWrapping || row < 0 || row >= this.order.length) return null;
    const edge = step > 0 ? columns.findIndex(({ kind }) => !FIXED.has(kind)) : this.lastColumn();
    return [row, edge];
  }

  focus(at, c) {
    const id = this.order[at];
    if (id === undefined) return;
    const top = at * ROW_PX;
    const covered = this.data.adds ? 2 : 1; // rows under the head and the line that adds
    const height = this.view.clientHeight - covered * ROW_PX;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    else if (top + ROW_PX > this.view.scrollTop + height) this.view.scrollTop = top + ROW_PX - height;
    this.draw();
    this.rows.get(id)?.fields[c].focus();
  }

  // ----- clipboard -----

  copied(event) {
    const text = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n").replace(/\n+$/, "");
    return /[\n\t]/.test(text) ? text.split("\n").map((line) => line.split("\t")) : null;
  }

  paste(event, field) {
    const lines = this.copied(event);
    if (!lines) return;
    event.preventDefault();
    const { row, c } = field.place;
    const start = this.at.get(row);
    const cells = [];
    const rest = [];
    lines.forEach((line, k) => {
      const id = this.order[start + k];
      if (id === undefined) rest.push(line);
      else if (!this.texts.get(id).isNew) cells.push(...this.cellsOf(line, id, c));
    });
    if (cells.length) this.push("set", cells);
    if (rest.length && this.data.adds) this.pushLines(rest, c);
    field.was = field.value = this.typed.get(`${row}\n${this.data.columns[c].name}`) ?? field.value;
    field.select();
  }

  cellsOf(line, id, c) {
    const columns = this.data.columns.slice(c);
    return columns
      .slice(0, line.length)
      .map(({ name, kind }, k) => (FIXED.has(kind) || kind === "tick" ? null : [id, name, line[k]]))
      .filter(Boolean);
  }

  pasteNew(event, field) {
    const lines = this.copied(event);
    if (!lines) return;
    event.preventDefault();
    this.pushLines(lines, this.data.columns.findIndex(({ name }) => name === field.column));
  }

  pushLines(lines, c) {
    const names = this.data.columns.slice(c).map(({ name }) => name);
    const rows = lines.map((line) => Object.fromEntries(line.slice(0, names.length).map((t, k) => [names[k], t])));
    this.push("add", rows);
    this.arrange();
    this.draw(true);
  }

  // ----- sending -----

  push(kind, what) {
    this.number += 1;
    this.pending.push([this.number, this.data.of, kind, what]);
    if (kind === "set") what.forEach(([id, column, text]) => this.typed.set(`${id}\n${column}`, text));
    if (kind === "set" && what.length > 1) this.draw(true);
    if (kind === "delete") {
      this.arrange();
      this.draw(true);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  flush() {
    clearTimeout(this.timer);
    if (!this.pending.length || this.sent === this.number) return;
    this.sent = this.number;
    this.send({ by: this.by, operations: this.pending });
  }
}
