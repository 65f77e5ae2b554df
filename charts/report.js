"use strict";
// The charts take the colours of the page, on screen and on paper.
function paint(width) {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink"), rule = style.getPropertyValue("--rule");
  for (const plot of document.querySelectorAll(".js-plotly-plot")) {
    const change = { "font.color": ink, "legend.font.color": ink };
    change[width ? "width" : "autosize"] = width || true;
    for (const axis of Object.keys(plot.layout).filter((key) => /^[xy]axis\d*$/.test(key))) {
      Object.assign(change, { [axis + ".gridcolor"]: rule, [axis + ".zerolinecolor"]: rule });
    }
    Plotly.relayout(plot, change);
  }
}
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
addEventListener("load", () => paint());
dark.addEventListener("change", () => paint());
addEventListener("beforeprint", () => { root.dataset.printed = ""; paint(680); });
addEventListener("afterprint", () => { delete root.dataset.printed; paint(); });
