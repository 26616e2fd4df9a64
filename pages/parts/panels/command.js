// The command that opens a view for whoever has its folder. A query escapes all that means anything
// to a shell; of what it escapes, only signs that mean nothing there are written out again.
function openCommand(address) {
  const { pathname, searchParams } = new URL(address);
  const [, page] = /^\/([a-z]+)$/.exec(pathname) || [];
  if (!page) return "evalcore open FOLDER";
  for (const name of ["w", "token"]) searchParams.delete(name);
  const query = String(searchParams).replace(/%(2F|3A|40)/g, decodeURIComponent);
  return `evalcore open FOLDER --view "${page}${query && `?${query}`}"`;
}
