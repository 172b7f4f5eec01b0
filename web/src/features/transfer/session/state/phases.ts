// The phases of a transfer, on either side.

export const PHASES = [
  /** The session is being created or joined. */
  'preparing',
  /** No one has joined yet. */
  'waiting',
  /** The two pages try to connect. */
  'connecting',
  'running',
  /** The line broke, and the pages try to reconnect. */
  'mending',
  /** There seems to be no direct connection. The pages keep trying. */
  'stuck',
  /** The sender uploads the files to the service. */
  'storing',
  /** The files are stored. The sender's side ends here. */
  'stored',
  /** The receiver downloads them from the service. */
  'fetching',
  'done',
  /** The transfer ended before it was complete. */
  'ended',
] as const;
export type Phase = (typeof PHASES)[number];

export const PHASE_EVENTS = [
  ...(['made', 'joined', 'opened', 'lost', 'tooLong', 'left'] as const),
  ...(['store', 'stored', 'fetch', 'finished', 'end'] as const),
];
export type PhaseEvent = (typeof PHASE_EVENTS)[number];

const NEXT: Readonly<Record<Phase, Partial<Record<PhaseEvent, Phase>>>> = {
  preparing: { made: 'waiting', joined: 'connecting', store: 'storing', fetch: 'fetching', end: 'ended' },
  waiting: { joined: 'connecting', store: 'storing', end: 'ended' },
  connecting: {
    ...{ opened: 'running', tooLong: 'stuck', store: 'storing', fetch: 'fetching' },
    ...{ left: 'waiting', end: 'ended' },
  },
  running: { lost: 'mending', finished: 'done', left: 'waiting', end: 'ended' },
  mending: {
    ...{ opened: 'running', tooLong: 'stuck', store: 'storing', fetch: 'fetching' },
    ...{ finished: 'done', left: 'waiting', end: 'ended' },
  },
  stuck: {
    ...{ opened: 'running', store: 'storing', fetch: 'fetching', finished: 'done' },
    ...{ left: 'waiting', end: 'ended' },
  },
  storing: { stored: 'stored', fetch: 'fetching', left: 'waiting', end: 'ended' },
  fetching: { finished: 'done', end: 'ended' },
  stored: {},
  done: {},
  ended: {},
};

/** Returns the same phase if the event does not apply to it, because events may arrive late or twice. */
export function nextPhase(phase: Phase, event: PhaseEvent): Phase {
  return NEXT[phase][event] ?? phase;
}

export function isOver(phase: Phase): boolean {
  return phase === 'stored' || phase === 'done' || phase === 'ended';
}
