// Elements from texts: a name from outside becomes a text node, never markup.

function el(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter(Boolean));
  return made;
}

function styled(made, style) {
  for (const [name, value] of Object.entries(style)) made.style.setProperty(name, value);
  return made;
}

const percent = (share) => `${(100 * share).toFixed(2)}%`;
