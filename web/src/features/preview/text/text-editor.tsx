import { openSearchPanel } from '@codemirror/search';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { messageOf } from '../../../common/message-of.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Draft, removeDraft, storeDraft } from './drafts.ts';
import classes from './editor/editor.module.css';
import { type EditorPane, EditorTools } from './editor/editor-tools.tsx';
import { MarkdownBeside } from './editor/markdown-beside.tsx';
import { useEditorView } from './editor/use-editor-view.ts';
import type { LoadedText } from './read-text.ts';
import textClasses from './text.module.css';
import { textKindOf } from './text-kind.ts';
import { type StoredText, useTextSave } from './use-text-save.ts';

/** There is room for the preview of a Markdown file beside its text. */
const BESIDE = '(min-width: 62em)';

/** Rendering a longer Markdown text again and again would delay typing. */
const MAX_PREVIEWED = 50_000;

interface TextEditorProps {
  readonly entry: EntryRecord;
  readonly loaded: LoadedText;
  /** Unsaved text of an earlier visit, with which the editor starts. */
  readonly draft: Draft | undefined;
  /** Called with the content that the service has when the editor closes. */
  readonly onClose: (stored: StoredText) => void;
}

/**
 * Edits the content of a text file, and stays open when it is saved. If someone else has changed the file
 * meanwhile, the editor asks before it overwrites that change.
 */
export function TextEditor({ entry, loaded, draft, onClose }: TextEditorProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(draft?.text ?? loaded.text);
  const [isLeaving, setLeaving] = useState(false);
  const [form] = useState(loaded.form);
  const start = { text: loaded.text, etag: draft === undefined ? loaded.etag : draft.etag };
  const { stored, sent, error, isSaving, save } = useTextSave({ entry, form, start, text });
  // Text that is being saved still counts as changed, because saving may fail.
  const isChanged = text !== stored.text || isSaving;
  const isUnsent = text !== (sent ?? stored.text);
  const { etag } = stored;
  useEffect(() => {
    if (isChanged) storeDraft(entry.id, { text, etag, typedAt: Date.now() });
    else removeDraft(entry.id);
  }, [entry.id, isChanged, text, etag]);
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  const leave = () => (isChanged ? setLeaving(true) : onClose(stored));
  // If the user leaves during a save, the page is left once the save has succeeded.
  const leaveWhenSaved = useEffectEvent(() => {
    if (blocker.status === 'blocked') blocker.proceed();
    else if (isLeaving) onClose(stored);
  });
  useEffect(() => {
    if (!isChanged) leaveWhenSaved();
  }, [isChanged]);
  const hintId = useId();
  const { filename } = entry;
  const { ref, view, ...steps } = useEditorView({ filename, start: text, hintId, onChange: setText });
  const isMarkdown = textKindOf(entry) === 'markdown' && text.length <= MAX_PREVIEWED;
  const isBeside = useMediaQuery(BESIDE, false, { getInitialValueInEffect: false }) ?? false;
  const [chosenPane, setPane] = useState<EditorPane>('text');
  const pane = isMarkdown && !isBeside ? chosenPane : undefined;
  const isConflict = error instanceof HoldallError && error.status === 412;
  const onKeyDown = (event: KeyboardEvent) => {
    const letter = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : undefined;
    if (letter === 's') {
      event.preventDefault();
      if (isUnsent) save(false);
    }
    // The browser's own search would find only the lines on the screen.
    if (letter === 'f' && view !== undefined && !event.isDefaultPrevented()) {
      event.preventDefault();
      openSearchPanel(view);
    }
    // Keys that control the preview must only edit the text here.
    if (event.key !== 'Tab') event.stopPropagation();
    // In the text and in its search, Escape has another meaning.
    if (event.key === 'Escape' && !event.isDefaultPrevented()) leave();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of everything in it */}
      <div className={classes.editor} onKeyDown={onKeyDown}>
        {error !== null && (
          <Alert color="red" role="alert" m="xs">
            {isConflict ? t('preview.changedElsewhere') : messageOf(error)}
            {isConflict && (
              <Button size="compact-sm" variant="default" ml="sm" onClick={() => save(true)}>
                {t('preview.saveAnyway')}
              </Button>
            )}
          </Alert>
        )}
        <EditorTools view={view} {...steps} pane={pane} onPane={setPane} />
        <div className={classes.panes}>
          <div
            ref={ref}
            className={`${classes.text} ${textClasses.code}`}
            data-hidden={pane === 'preview' || undefined}
          />
          {isMarkdown && pane !== 'text' && <MarkdownBeside text={text} filename={filename} view={view} />}
        </div>
        <Group p="xs" justify="flex-end" gap="xs">
          <Text size="sm" c="dimmed">
            {t(isSaving ? 'preview.saving' : isChanged ? 'preview.notSaved' : 'preview.allSaved')}
          </Text>
          <Text size="xs" c="dimmed" id={hintId} className={classes.hint}>
            {t('editor.tabHint')}
          </Text>
          <Button variant="default" h={40} onClick={leave}>
            {t(isChanged ? 'common.cancel' : 'preview.done')}
          </Button>
          <Button h={40} disabled={!isUnsent} onClick={() => save(false)}>
            {t('preview.save')}
          </Button>
        </Group>
      </div>
      {((isLeaving && isUnsent) || blocker.status === 'blocked') && (
        <ConfirmDialog
          title={t('preview.discardTitle')}
          text={t('preview.discardText')}
          action={t('preview.discard')}
          zIndex={500}
          onConfirm={() => {
            removeDraft(entry.id);
            if (blocker.status === 'blocked') blocker.proceed();
            else onClose(stored);
          }}
          onClose={() => {
            setLeaving(false);
            blocker.reset?.();
          }}
        />
      )}
    </>
  );
}
