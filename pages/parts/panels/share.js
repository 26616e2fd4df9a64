// Copy the address of this view, or what it shows in Markdown: text that is only ever copied.
export default function ({ data, parentElement }) {
  const status = el("span", "quiet small", "", { role: "status" });
  const say = (text) => { status.textContent = text; };
  const markdown = button("chip", "Copy as Markdown", { title: `Copy the ${data.what} as Markdown` }, () => copy(data.markdown, (how) => say(`${how[0].toUpperCase()}${how.slice(1)}`)));
  const root = parentElement.querySelector(".share") || parentElement.appendChild(el("div", "share"));
  root.replaceChildren(...linkButtons("chip", () => linkTo(data.view), say), markdown, status);
}
