// How Streamlit mounts the slides; deck.js stands above.

const decks = new WeakMap();
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const was = decks.get(parentElement), text = JSON.stringify({ ...data, slide: 0 });
  if (!was || was.text !== text) { // a rerun with the same deck leaves the screen alone
    was?.end();
    const print = () => {
      const frame = document.createElement("iframe");
      frame.style.cssText = "position:fixed;left:-2000px;width:1280px;height:720px;border:0";
      frame.srcdoc = data.file;
      frame.onload = () => {
        frame.contentWindow.print();
        setTimeout(() => frame.remove(), 60000);
      };
      document.body.append(frame);
    };
    const linkTo = (slide) => `${location.origin}${location.pathname}?${data.link}&slide=${slide}`;
    const root = parentElement.querySelector("main") ?? document.createElement("main");
    parentElement.append(root);
    const end = showDeck(root, data, {
      moved: (slide) => setStateValue("slide", slide),
      left: () => setTriggerValue("left", true),
      linkTo: data.link ? linkTo : null,
      printed: print,
    });
    decks.set(parentElement, { text, end });
  }
  return () => { decks.get(parentElement)?.end(); decks.delete(parentElement); };
}
