// What a judge types stays in this browser, under the judge's own name, until it is stored. Judge and
// Gradings keep it in one place: what was begun on one page is gone on with on the other.
function draftPlace(w, judge, run) {
  return `evalcore-judge ${w} ${judge || ""} ${run}`;
}

function keptDraft(place) {
  try {
    return JSON.parse(localStorage.getItem(place));
  } catch (error) {
    return null;
  }
}

function keepDraft(place, draft) {
  try {
    localStorage.setItem(place, JSON.stringify(draft));
  } catch (error) {
    // A full storage costs only what was typed within the wait before a draft.
  }
}
