import { redo, undo } from '@codemirror/commands';
import { openSearchPanel } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { Group, SegmentedControl } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconSearch, type TablerIcon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import textClasses from '../text.module.css';
import classes from './editor.module.css';

/** What a narrow screen shows of a Markdown file. */
export type EditorPane = 'text' | 'preview';

interface EditorToolsProps {
  readonly view: EditorView | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Undefined if there is nothing to choose. */
  readonly pane: EditorPane | undefined;
  readonly onPane: (pane: EditorPane) => void;
}

/** The tools of the editor, for those who do not use its keys. */
export function EditorTools({ view, canUndo, canRedo, pane, onPane }: EditorToolsProps) {
  const { t } = useTranslation();
  return (
    <Group className={textClasses.bar}>
      {pane !== undefined && (
        <SegmentedControl
          aria-label={t('editor.view')}
          value={pane}
          onChange={(value) => onPane(value === 'preview' ? value : 'text')}
          data={[
            { value: 'text', label: t('editor.text') },
            { value: 'preview', label: t('editor.preview') },
          ]}
        />
      )}
      {pane !== 'preview' && (
        <Group gap={4} ms="auto">
          <Tool Icon={IconArrowBackUp} label={t('editor.undo')} isOff={!canUndo} onClick={act(undo)} />
          <Tool Icon={IconArrowForwardUp} label={t('editor.redo')} isOff={!canRedo} onClick={act(redo)} />
          <Tool Icon={IconSearch} label={t('editor.findOrReplace')} onClick={act(openSearchPanel)} />
        </Group>
      )}
    </Group>
  );

  function act(command: (view: EditorView) => boolean) {
    return () => {
      if (view === undefined) return;
      view.focus();
      command(view);
    };
  }
}

interface ToolProps {
  readonly Icon: TablerIcon;
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Tool({ Icon, label, isOff = false, onClick }: ToolProps) {
  return (
    <IconButton
      className={classes.tool}
      variant="subtle"
      color="gray"
      size="var(--tap-size)"
      label={label}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon size={20} aria-hidden />
    </IconButton>
  );
}
