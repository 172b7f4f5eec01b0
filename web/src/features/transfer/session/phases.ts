// What a transfer goes through, on either side.

export const PHASES = [
  /** It is being made, or joined. */
  'preparing',
  /** Nobody has joined yet. */
  'waiting',
  /** The two look for a direct way. */
  'connecting',
  'running',
  /** The line broke; the two look for another one. */
  'mending',
  /** There seems to be no direct way. The looking goes on. */
  'stuck',
  /** The sender puts the files into the service. */
  'storing',
  /** They are there: for the sender that is the end. */
  'stored',
  /** The receiver gets them from the service. */
  'fetching',
  'done',
  /** Before it was done. */
  'ended',
] as const;
export type Phase = (typeof PHASES)[number];

export const PHASE_EVENTS = [
  ...(['made', 'joined', 'opened', 'lost', 'tooLong'] as const),
  ...(['store', 'stored', 'fetch', 'finished', 'end'] as const),
];
export type PhaseEvent = (typeof PHASE_EVENTS)[number];

const NEXT: Readonly<Record<Phase, Partial<Record<PhaseEvent, Phase>>>> = {
  preparing: { made: 'waiting', joined: 'connecting', store: 'storing', fetch: 'fetching', end: 'ended' },
  waiting: { joined: 'connecting', store: 'storing', end: 'ended' },
  connecting: { opened: 'running', tooLong: 'stuck', store: 'storing', fetch: 'fetching', end: 'ended' },
  running: { lost: 'mending', finished: 'done', end: 'ended' },
  mending: {
    ...{ opened: 'running', tooLong: 'stuck', store: 'storing', fetch: 'fetching' },
    ...{ finished: 'done', end: 'ended' },
  },
  stuck: { opened: 'running', store: 'storing', fetch: 'fetching', finished: 'done', end: 'ended' },
  storing: { stored: 'stored', fetch: 'fetching', end: 'ended' },
  fetching: { finished: 'done', end: 'ended' },
  stored: {},
  done: {},
  ended: {},
};

/** The same phase where the event means nothing in it: news may come late, and twice. */
export function nextPhase(phase: Phase, event: PhaseEvent): Phase {
  return NEXT[phase][event] ?? phase;
}

export function isOver(phase: Phase): boolean {
  return phase === 'stored' || phase === 'done' || phase === 'ended';
}
