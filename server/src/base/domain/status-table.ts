/** The statuses of one kind of thing, and which of them may follow which. */
interface StatusTable<S extends string> {
  /** Statuses that another one may follow. */
  readonly unfinished: readonly S[];
  readonly terminal: readonly S[];
  /** The statuses from which this one may be reached; a conditional update accepts only these. */
  statusesBefore(status: S): readonly S[];
}

/** @param next for each status, the statuses that may follow it */
export function defineStatusTable<S extends string>(next: Readonly<Record<S, readonly S[]>>): StatusTable<S> {
  const statuses = Object.keys(next) as S[]; // the keys of a record are its type's
  return {
    unfinished: statuses.filter((status) => next[status].length > 0),
    terminal: statuses.filter((status) => next[status].length === 0),
    statusesBefore: (status) => statuses.filter((before) => next[before].includes(status)),
  };
}
