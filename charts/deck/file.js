// How the file that opens offline starts; deck.js stands above.

const data = JSON.parse(document.getElementById("deck").textContent);
data.slide = Number(location.hash.slice(1)) || 1;
showDeck(document.getElementById("root"), data, {
  moved: (slide) => history.replaceState(null, "", `#${slide}`), printed: () => window.print(),
});
