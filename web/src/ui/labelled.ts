/** The accessible name and the tooltip of a button that is only a picture. */
export function labelled(label: string) {
  return { 'aria-label': label, title: label } as const;
}
