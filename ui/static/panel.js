// The drawing comes whole; this adds what the bar under the pointer, or the finger, says.

const BELOW = 16, LINGER_MS = 4000;

export default function ({ data, parentElement }) {
  const picture = parentElement.querySelector(".picture");
  const [drawing, here, said] = ["drawing", "here", "said"].map(
    (name) => picture.querySelector(`.${name}`));
  let later;

  const hide = () => { here.hidden = said.hidden = true; };
  const show = (event) => {
    clearTimeout(later);
    const box = picture.getBoundingClientRect(), wide = box.width - data.left;
    const at = (event.clientX - box.left - data.left) / wide;
    const bar = Math.floor(at * data.bars);
    if (at < 0 || bar >= data.labels.length) return hide();
    here.hidden = said.hidden = false;
    const width = wide / data.bars, left = data.left + bar * width;
    Object.assign(here.style, {
      left: `${left}px`, width: `${Math.min(width, box.width - left)}px`, height: `${data.ground}px`,
    });
    said.textContent = data.labels[bar];
    const middle = left + width / 2 - said.offsetWidth / 2;
    said.style.left = `${Math.max(0, Math.min(middle, box.width - said.offsetWidth))}px`;
    said.style.top = `${event.clientY - box.top + BELOW}px`;
  };

  if (picture.shown !== data.drawing) {
    picture.shown = data.drawing;
    drawing.innerHTML = data.drawing;
    hide();
  }
  picture.onpointermove = picture.onpointerdown = show;
  picture.onpointerleave = (event) => {
    if (event.pointerType === "mouse") hide();
    else later = setTimeout(hide, LINGER_MS); // a finger has left once it has tapped
  };
}
