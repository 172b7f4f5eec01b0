/** Where one types what to look for, in the header. */
export function SearchBox() {
  return null;
}
