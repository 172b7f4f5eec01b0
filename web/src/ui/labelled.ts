/** The accessible name and the tooltip of a button with only an icon. */
export function labelled(label: string) {
  return { 'aria-label': label, title: label } as const;
}
