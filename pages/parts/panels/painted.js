// A frame is painted between the two: only then may what keeps the browser busy for long begin.
export default function ({ setTriggerValue }) {
  requestAnimationFrame(() => setTimeout(() => setTriggerValue("shown", true)));
}
