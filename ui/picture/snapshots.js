// The snapshots of a group in a row; the seconds between the last two can be corrected.

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const place = parentElement.querySelector(".place");
  const text = JSON.stringify(data);
  if (place.shown === text) return;
  place.shown = text;
  const marks = data.marks.flatMap((mark, k) => [
    k ? el("span", "between") : null,
    el("div", "mark", el("b", "", String(k + 1 + data.left)), el("span", "", mark.when, el("br"), el("span", "cap", mark.behind))),
  ]);
  const acts = data.buttons.map((button) => {
    const made = el("button", "link", button.label);
    made.type = "button";
    made.onclick = () => setTriggerValue("pressed", button.key);
    return made;
  });
  place.replaceChildren(el("div", "strip", ...marks,
    data.is_asked && el("div", "apart", secondsOf(data, setStateValue)),
    data.note && el("span", "why", data.note), acts.length && el("div", "acts", ...acts)));
}

function secondsOf(data, tell) {
  const field = el("input");
  const known = data.seconds === null ? "" : String(data.seconds);
  Object.assign(field, { type: "number", min: "1", step: "any", value: known });
  field.onchange = () => {
    const typed = Number(field.value);
    if (Number.isFinite(typed) && typed > 0) tell("seconds", typed);
    else field.value = known;
  };
  // Streamlit's shortcuts, such as R for a rerun, must not see what is typed here.
  for (const kind of ["keydown", "keypress", "keyup"]) field.addEventListener(kind, (event) => event.stopPropagation());
  return el("label", "", "They are", field, "s apart");
}
