import { Alert, Button, Group, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { messageOf } from '../../../common/message-of.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Draft, removeDraft, storeDraft } from './drafts.ts';
import type { LoadedText } from './read-text.ts';
import classes from './text.module.css';
import { type StoredText, useTextSave } from './use-text-save.ts';

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
  const isConflict = error instanceof HoldallError && error.status === 412;
  const onKeyDown = (event: KeyboardEvent) => {
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && event.key.toLowerCase() === 's') {
      event.preventDefault();
      if (isUnsent) save(false);
    }
    // Keys that control the preview must only edit the text here.
    if (event.key !== 'Tab') event.stopPropagation();
    if (event.key === 'Escape') leave();
  };
  return (
    <div className={classes.editor}>
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
      <textarea
        className={classes.field}
        aria-label={t('preview.editOf', { name: entry.filename })}
        value={text}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the editor
        autoFocus
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group p="xs" justify="flex-end" gap="xs">
        <Text size="sm" c="dimmed" mr="auto">
          {t(isSaving ? 'preview.saving' : isChanged ? 'preview.notSaved' : 'preview.allSaved')}
        </Text>
        <Button variant="default" h={40} onClick={leave}>
          {t(isChanged ? 'common.cancel' : 'preview.done')}
        </Button>
        <Button h={40} disabled={!isUnsent} onClick={() => save(false)}>
          {t('preview.save')}
        </Button>
      </Group>
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
    </div>
  );
}
