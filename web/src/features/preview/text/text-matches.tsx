import { Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findBestHit, type Hit } from '../../../../../server/src/content-search/analysis/text-hits.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { canHighlight, type FoundRange, useHighlight } from '../../../ui/use-highlight.ts';
import { listFirst, MANY_HITS, readQuery, toFinder } from '../find-query.ts';
import { showRange } from '../show-range.ts';
import { useHasMoved } from '../use-has-moved.ts';
import classes from './text.module.css';

interface TextMatchesProps {
  /** The scrolling element with the text. */
  readonly root: HTMLElement;
  /** The search text. */
  readonly query: string;
}

/** Highlights what a search has found in a shown text. Buttons step through the matches. */
export function TextMatches({ root, query }: TextMatchesProps) {
  const { t } = useTranslation();
  const { count, at, move } = useMatches(root, query);
  if (count === 0) return null;
  const numbers = { at: formatNumber(at + 1), all: formatNumber(Math.min(count ?? 0, MANY_HITS)) };
  const look = { variant: 'subtle', color: 'gray', size: 32 } as const;
  return (
    // Takes up its room during the search, so the text does not move.
    <Group
      className={classes.bar}
      style={{ visibility: count === undefined ? 'hidden' : undefined }}
      role="group"
      aria-label={t('preview.matches')}
    >
      <Text size="sm" role="status">
        {count !== undefined && t(count < MANY_HITS ? 'preview.match' : 'preview.matchOfMany', numbers)}
      </Text>
      <Group gap={4}>
        <IconButton {...look} label={t('preview.previousMatch')} onClick={() => move(-1)}>
          <IconChevronUp size={18} aria-hidden />
        </IconButton>
        <IconButton {...look} label={t('preview.nextMatch')} onClick={() => move(1)}>
          <IconChevronDown size={18} aria-hidden />
        </IconButton>
      </Group>
    </Group>
  );
}

/**
 * Scrolls to the best match. The text may be rendered later, or in another way. Then it scrolls again, unless
 * the reader has scrolled.
 */
function useMatches(root: HTMLElement, query: string) {
  const [matches, setMatches] = useState<readonly FoundRange<Hit>[]>();
  const [chosen, setChosen] = useState(0);
  const hasMoved = useHasMoved(root);
  const find = useMemo(() => {
    const terms = readQuery(query);
    return terms && toFinder(terms);
  }, [query]);
  useHighlight({
    ...{ root, name: 'text-match', find },
    onFound: (found) => {
      const inOrder = found.toSorted((one, other) => one.start - other.start);
      setMatches(inOrder);
      const best = findBestHit(listFirst(inOrder));
      if (hasMoved.current || best === undefined) return;
      setChosen(inOrder.indexOf(best));
      showRange(root, best.range);
    },
  });
  const count = find === undefined ? 0 : matches?.length;
  // The text may have changed.
  const at = Math.max(0, Math.min(chosen, (count ?? 0) - 1));
  useCurrentHighlight(matches?.[at]?.range);
  return {
    count,
    at,
    move: (step: 1 | -1) => {
      if (matches === undefined) return;
      hasMoved.current = true;
      const next = (at + step + matches.length) % matches.length;
      setChosen(next);
      const range = matches[next]?.range;
      if (range === undefined) return;
      showRange(root, range);
      // Screen readers continue reading here.
      getSelection()?.collapse(range.startContainer, range.startOffset);
    },
  };
}

function useCurrentHighlight(range: Range | undefined): void {
  useEffect(() => {
    if (range === undefined) return;
    if (!canHighlight()) {
      const { startContainer, startOffset, endContainer, endOffset } = range;
      getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
      return;
    }
    const highlight = new Highlight(range);
    highlight.priority = 1;
    CSS.highlights.set('current-match', highlight);
    return () => {
      CSS.highlights.delete('current-match');
    };
  }, [range]);
}
