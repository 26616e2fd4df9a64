// A view is passed on as its link, which is good where this browser is let in, or as the command.
function linkButtons(className, address, say, short) {
  const ways = [
    ["link", address, "works in this browser, on this machine"],
    ["command", () => openCommand(address()), "for somebody who has the folder"],
  ];
  return ways.map(([what, text, scope]) => {
    const label = `Copy ${what}`;
    const word = what[0].toUpperCase() + what.slice(1);
    const act = () => copy(text(), (how) => say(how === "copied" ? `${word} copied: ${scope}` : `${word} ${how}`));
    const node = button(className, short ? what : label, { "aria-label": label, title: `${label}: ${scope}`, "data-act": what }, act);
    node.addEventListener("blur", () => say(""));
    return node;
  });
}
