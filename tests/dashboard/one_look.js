// What a page shows, looked at node by node: an object of the questions that the test asks.
// Panels stand in shadow roots, which a query of the document does not enter.
(() => {
  const PRESSED = "button, a[href], input, select, textarea, summary, [role=button], [role=tab]";

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

  const said = (node) => (node.getAttribute("aria-label") || node.textContent).trim().slice(0, 40);
  return { sizes, small };
})()
