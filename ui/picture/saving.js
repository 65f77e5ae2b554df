// The menu beside a picture: what is drawn as PNG, and its figures as CSV. elements.js stands above.

const SHARPNESS = 2, EDGE_PX = 16;

// Returns the menu of what is drawn in a place; data has the name of its files and the CSV.
function menuOf(place, drawn, data) {
  const items = el("div", "items",
    itemOf("PNG", "Save the picture", () => savePng(place, drawn(), `${data.file}.png`)),
    data.csv && itemOf("CSV", "Save its figures", () => save(new Blob([data.csv], { type: "text/csv" }), `${data.file}.csv`)));
  const button = el("button", "more", "⋮");
  const open = (isOpen) => {
    items.hidden = !isOpen;
    button.setAttribute("aria-expanded", isOpen);
  };
  button.type = "button";
  button.dataset.at = "menu";
  button.setAttribute("aria-label", "Save this picture");
  button.setAttribute("aria-haspopup", "menu");
  items.setAttribute("role", "menu");
  button.onclick = () => open(items.hidden);
  items.onclick = () => { open(false); button.focus(); };
  const menu = el("div", "menu", button, items);
  menu.onkeydown = (event) => {
    if (event.key === "Escape" && !items.hidden) { open(false); button.focus(); }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      open(true);
      const all = [...items.children], at = all.indexOf(menu.getRootNode().activeElement);
      all.at((at + (event.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1)) % all.length).focus();
    }
  };
  menu.onfocusout = (event) => { if (!menu.contains(event.relatedTarget)) open(false); };
  open(false);
  return menu;
}

function itemOf(kind, said, act) {
  const item = el("button", "", el("b", "", kind), ` ${said}`);
  item.type = "button";
  item.setAttribute("role", "menuitem");
  item.addEventListener("click", act);
  return item;
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A copy of the picture with its style and its font in an SVG: the browser draws it without any library.
async function savePng(place, drawn, name) {
  const inner = Math.max(0, ...[...drawn.querySelectorAll(".scroll")].map((each) => each.scrollWidth));
  const width = Math.ceil(Math.max(drawn.clientWidth, inner)) + 2 * EDGE_PX, height = Math.ceil(drawn.offsetHeight) + 2 * EDGE_PX;
  const copy = drawn.cloneNode(true), look = getComputedStyle(place), root = place.getRootNode();
  copy.querySelectorAll(".menu, .modes").forEach((each) => each.replaceWith(el("span")));
  const rules = rulesOf([...root.styleSheets, ...(root.adoptedStyleSheets ?? [])]).map((rule) => rule.cssText);
  const style = el("style", "", [...await fontsOf(look.fontFamily), ...rules].join("\n"));
  const inside = styled(el("div", place.className.replace("least", ""), copy), // its font is not in its rule's text
    { "font-family": look.fontFamily, "font-size": look.fontSize, "line-height": look.lineHeight });
  const whole = el("div", "", style, inside);
  whole.setAttribute("xmlns", "http://www.w3.org/1999/xhtml");
  styled(whole, { padding: `${EDGE_PX}px`, "min-height": "100%", "box-sizing": "border-box", background: look.getPropertyValue("--ground"), "color-scheme": look.colorScheme });
  for (const variable of ["--st-font", "--st-text-color", "--st-background-color", "--st-primary-color"])
    whole.style.setProperty(variable, look.getPropertyValue(variable));
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`
    + `<foreignObject width="100%" height="100%">${new XMLSerializer().serializeToString(whole)}</foreignObject></svg>`;
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  [canvas.width, canvas.height] = [width * SHARPNESS, height * SHARPNESS];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, name), "image/png");
}

function rulesOf(sheets) {
  return sheets.flatMap((sheet) => { try { return [...sheet.cssRules]; } catch { return []; } }); // of another host
}

// An SVG that is drawn as an image loads nothing: the upright faces of its fonts come with it.
async function fontsOf(families) {
  const faces = rulesOf([...document.styleSheets]).filter((rule) => rule instanceof CSSFontFaceRule)
    .map(({ style, parentStyleSheet }) => ({ style, home: parentStyleSheet.href ?? location.href, family: style.getPropertyValue("font-family").replace(/["']/g, "") }))
    .filter(({ style, family }) => families.includes(family) && style.getPropertyValue("font-style") !== "italic");
  return Promise.all(faces.map(async ({ style, home, family }) => {
    const [, address] = style.getPropertyValue("src").match(/url\(["']?([^"')]+)/) ?? [];
    const data = address && await fetch(new URL(address, home)).then((answer) => answer.blob()).then(dataOf);
    return data ? `@font-face { font-family: "${family}"; font-weight: ${style.getPropertyValue("font-weight")}; src: url("${data}") }` : "";
  }));
}

function dataOf(blob) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
}
