// The answer: finding, evidence, action and its buttons; clipboard.js and elements.js stand above.

const THANKED_MS = 1500;

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".place");
  if (!data.buttons) return; // still to come
  const text = JSON.stringify(data);
  if (place.shown === text) return;
  place.shown = text;
  const acts = data.buttons.map((button) => buttonOf(button, data.link, setTriggerValue));
  const [finding, evidence, action] = [data.finding, data.evidence, data.action].map(whole);
  const words = el("div", "", evidence && el("p", "", evidence), action && el("p", "do", action));
  const band = el("section", `band ${data.tone}`, el("h1", "", finding), words, acts.length && el("div", "acts", ...acts));
  band.setAttribute("aria-label", "Answer");
  band.style.setProperty("--least", data.least);
  place.replaceChildren(band);
}

// A figure and its unit stay on one line.
function whole(text) {
  return text && text.replace(/(\d) (?=(?:[kMGT%]|ms|s|min|h|d)(?![\w]))/g, "$1\u00a0");
}

function buttonOf(button, link, tell) {
  const made = el("button", `btn ${button.isMain ? "filled" : ""}`, button.label);
  made.type = "button";
  made.onclick = () => {
    if (!button.copies) return tell("pressed", button.key);
    const address = button.hasLink && link ? `\n${location.origin}${location.pathname}?${link}` : "";
    return copied(button.copies + address).then(() => {
      made.style.minWidth = `${made.offsetWidth}px`;
      made.textContent = "Copied";
      setTimeout(() => { made.textContent = button.label; }, THANKED_MS);
    });
  };
  return made;
}
