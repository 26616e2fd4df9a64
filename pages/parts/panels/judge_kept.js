// A draft is acknowledged apart from the panel, which so need not be sent again while somebody types.
export default function ({ data }) {
  if (data.run) document.dispatchEvent(new CustomEvent("evalcore-draft-kept", { detail: data }));
}
