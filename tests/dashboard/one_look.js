// What a page shows, looked at node by node: an object of the questions that the test asks.
// Panels stand in shadow roots, which a query of the document does not enter.
(() => {
  const PRESSED = "button, a[href], input, select, textarea, summary, [role=button], [role=tab]";

  const HOLDERS = "button, td, th, svg";
  const UNSEEN = ".hidden, option, title, #js-plotly-tester";

  function every(root, into = []) {
    for (const node of root.querySelectorAll("*")) {
      into.push(node);
      if (node.shadowRoot) every(node.shadowRoot, into);
    }
    return into;
  }

  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const own = (node) => [...node.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE);
  const words = (node) => own(node).map((one) => one.data.trim()).join("");

  // Icons are letters of a font, and no text; what is hidden from the eye only is a pixel wide.
  function isText(node) {
    return !/^(STYLE|SCRIPT)$/.test(node.tagName) && words(node) && seen(node)
      && node.getBoundingClientRect().width > 1 && !node.closest("[data-testid=stIconMaterial]");
  }

  function sizes() {
    const found = {};
    for (const node of every(document.body).filter(isText)) {
      (found[getComputedStyle(node).fontSize] ||= []).push(words(node).slice(0, 30));
    }
    return found;
  }

  // A link inside a sentence is as high as its line (WCAG 2.2, 2.5.8).
  function inSentence(node) {
    return node.tagName === "A" && getComputedStyle(node).display === "inline" && words(node.parentElement);
  }

  function small(least) {
    return every(document.body)
      .filter((node) => node.matches(PRESSED) && seen(node) && !node.disabled && !inSentence(node))
      .filter((node) => !node.closest("[aria-hidden=true], svg"))
      .map((node) => [node, (node.closest("label, [data-testid=stSelectbox], [data-testid=stMultiSelect]") || node).getBoundingClientRect()])
      .filter(([, { right, bottom }]) => right > 0 && bottom > 0) // not in a drawer that is closed
      .filter(([, { width, height }]) => width > 1 && height > 1 && Math.min(width, height) < least - 0.5)
      .map(([node, { width, height }]) => `${said(node)} ${Math.round(width)}x${Math.round(height)}`);
  }

  // What ends in dots says that there is more, and what scrolls can be reached; other words that
  // stand out of their box, button, cell or picture are cut.
  function cut() {
    const fields = every(document.body).filter((node) => node.matches("input") && seen(node) && node.scrollWidth > node.clientWidth + 1)
      .filter((node) => getComputedStyle(node).textOverflow !== "ellipsis");
    return fields.map((node) => `${node.value} ${node.scrollWidth} in input ${node.clientWidth}`).concat(texts());
  }

  function texts() {
    return every(document.body).filter((node) => isText(node) && !node.closest(UNSEEN)).flatMap((node) => {
      const box = around(node).find((each) => outside(node, each));
      return box ? [`${said(node)} ${Math.round(placed(node).right - placed(node).left)} in ${box.tagName.toLowerCase()} ${Math.round(box.getBoundingClientRect().width)}`] : [];
    });
  }

  // What words must stand in: each box around them up to the one that says or shows that there is more.
  function around(node) {
    const boxes = [];
    for (let box = node; box; box = box.parentElement || box.getRootNode().host) {
      const { display, overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box);
      if (textOverflow === "ellipsis" || webkitLineClamp !== "none" || /auto|scroll/.test(overflowX + overflowY)) break;
      if ((box === node && !/^(inline|contents)$/.test(display)) || /hidden|clip/.test(overflowX) || box.matches(HOLDERS)) boxes.push(box);
    }
    return boxes;
  }

  function outside(node, box) {
    const [inner, outer] = [placed(node), box.getBoundingClientRect()];
    return inner.right > outer.right + 1 || inner.left < outer.left - 1;
  }

  // Where the words stand, each by itself: a blank at the end of a line takes no room.
  function placed(node) {
    const text = document.createRange();
    const rects = own(node).flatMap((one) => [...one.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      text.setStart(one, index);
      text.setEnd(one, index + word.length);
      return [...text.getClientRects()];
    }));
    return { left: Math.min(...rects.map((each) => each.left)), right: Math.max(...rects.map((each) => each.right)) };
  }

  // Leaves no room to the lines of buttons in panels, as a long name beside them does.
  function squeeze() {
    const lines = every(document.body).filter((node) => node.getRootNode() !== document && node.querySelector(":scope > button")
      && /flex/.test(getComputedStyle(node).display) && getComputedStyle(node).flexDirection === "row");
    for (const line of lines) line.style.cssText += "width: 20px; min-width: 0; max-width: 20px; flex: none;";
    return lines.length;
  }

  // Where each text stands, and how many colours or places are on their way to others: the same
  // twice and none, once nothing moves any more. What turns for ever is no move.
  function places() {
    const ends = (move) => Number.isFinite(move.effect.getComputedTiming().endTime);
    return {
      texts: every(document.body).filter(isText).map((node) => JSON.stringify(node.getBoundingClientRect())).join(),
      moves: document.getAnimations().filter((move) => move.playState === "running" && ends(move)).length,
    };
  }

  const said = (node) => (node.getAttribute("aria-label") || node.textContent).trim().slice(0, 40);
  return { sizes, small, cut, squeeze, places };
})()
