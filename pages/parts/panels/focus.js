// What is typed first has the focus as soon as it is there, unless something else has it. The link
// that led here has it a moment longer.
const MOST_FRAMES = 60;

export default function ({ data, parentElement: root }) {
  if (!root.given) give(data.key, MOST_FRAMES);
  root.given = true;
}

function give(key, frames) {
  const field = document.querySelector(`.st-key-${key} input`);
  if (field && document.activeElement === document.body) field.focus();
  else if (frames) requestAnimationFrame(() => give(key, frames - 1));
}
