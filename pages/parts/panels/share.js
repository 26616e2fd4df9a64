// Copy the address of this view, or what it shows in Markdown: text that is only ever copied.
export default function ({ data, parentElement }) {
  const status = el("span", "quiet small", "", { role: "status" });
  const ways = [
    ["Copy link", () => window.location.href, `link to this ${data.what}`],
    ["Copy as Markdown", () => data.markdown, `${data.what} as Markdown`],
  ];
  const buttons = ways.map(([label, text, name]) =>
    button("chip", label, { title: `Copy the ${name}` }, () => copy(text(), (how) => { status.textContent = `${label.slice(5)} ${how}`; })));
  const root = parentElement.querySelector(".share") || parentElement.appendChild(el("div", "share"));
  root.replaceChildren(...buttons, status);
}
