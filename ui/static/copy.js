// The button; clipboard.js stands above.

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button") ?? document.createElement("button");
  button.textContent = data.label;
  button.onclick = () => copied(data.text).then(() => {
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = data.label; }, 1500);
  });
  parentElement.append(button);
}
