/** The marks before and after each hit. The service removes them from the text itself. */
const START = '\ue000';
const END = '\ue001';

/** In characters. A hit further behind could be below the visible lines on a phone. */
const MAX_LEAD = 40;

/** A part of a passage: either between hits, or a hit. */
interface PassagePart {
  readonly text: string;
  readonly isHit: boolean;
  /** Its position in the passage. */
  readonly at: number;
}

/** Splits a passage, as the service returns it, at its hits. The text before the first hit is shortened. */
export function toPassage(snippet: string): readonly PassagePart[] {
  const [lead = '', ...rest] = snippet.split(START);
  const parts = [{ text: rest.length === 0 ? lead : shortenLead(lead), isHit: false, at: 0 }];
  let at = lead.length;
  for (const piece of rest) {
    const [hit = '', ...after] = piece.split(END);
    parts.push({ text: hit, isHit: true, at });
    parts.push({ text: after.join(''), isHit: false, at: at + hit.length + 1 });
    at += piece.length + 1;
  }
  return parts.filter(({ text }) => text !== '');
}

/** Keeps the last words. */
function shortenLead(lead: string): string {
  if (lead.length <= MAX_LEAD) return lead;
  const kept = lead.slice(-MAX_LEAD);
  const space = kept.indexOf(' ');
  const isNear = space !== -1 && space < MAX_LEAD / 2;
  // Text without spaces may be cut between any two characters, but not inside one.
  const words = isNear ? kept.slice(space + 1) : kept.replace(/^[\udc00-\udfff\p{M}]+/u, '');
  return `…${words}`;
}
