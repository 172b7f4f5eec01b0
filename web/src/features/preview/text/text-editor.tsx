import { Alert, Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/ask.ts';
import type { EntryRecord } from '../../../api/contract.ts';
import { messageOf } from '../../../common/message-of.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { renewLists } from '../../entries/change/listed-entries.ts';
import { type Draft, removeDraft, storeDraft } from './drafts.ts';
import type { LoadedText } from './read-text.ts';
import classes from './text.module.css';
import { fromText } from './text-bytes.ts';

interface TextEditorProps {
  readonly entry: EntryRecord;
  readonly loaded: LoadedText;
  /** Unsaved text of an earlier visit, to be continued. */
  readonly draft: Draft | undefined;
  /** Called with the saved content. */
  readonly onSaved: (text: string) => void;
  readonly onCancel: () => void;
}

/**
 * Edits the content of a text file. If somebody else has changed the file meanwhile, nothing is overwritten
 * without a question.
 */
export function TextEditor({ entry, loaded, draft, onSaved, onCancel }: TextEditorProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [text, setText] = useState(draft?.text ?? loaded.text);
  const [isLeaving, setLeaving] = useState(false);
  // The tag of the content that is being edited.
  const [etag] = useState(draft === undefined ? loaded.etag : draft.etag);
  const isChanged = text !== loaded.text;
  const save = useMutation({
    mutationFn: (isForced: boolean) =>
      ask<EntryRecord>('PUT', `/api/v2/files/${entry.id}/content`, {
        body: new Blob([fromText(text, loaded.form)]),
        headers: {
          'content-type': 'application/octet-stream',
          ...(isForced || etag === undefined ? {} : { 'if-match': etag }),
        },
      }),
    onSuccess: async () => {
      removeDraft(entry.id);
      notify(t('preview.saved'));
      onSaved(text);
      await renewLists(queryClient);
    },
  });
  useEffect(() => {
    if (isChanged) storeDraft(entry.id, { text, etag, typedAt: Date.now() });
    else removeDraft(entry.id);
  }, [entry.id, isChanged, text, etag]);
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !save.isSuccess,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  const leave = () => (isChanged ? setLeaving(true) : onCancel());
  const isConflict = save.error instanceof ApiError && save.error.status === 412;
  const onKeyDown = (event: KeyboardEvent) => {
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && event.key === 's') {
      event.preventDefault();
      if (isChanged) save.mutate(false);
    }
    // Keys that have a meaning in the preview belong to the text here.
    if (event.key !== 'Tab') event.stopPropagation();
    if (event.key === 'Escape') leave();
  };
  return (
    <div className={classes.editor}>
      {save.error !== null && (
        <Alert color="red" role="alert" m="xs">
          {isConflict ? t('preview.changedElsewhere') : messageOf(save.error)}
          {isConflict && (
            <Button size="compact-sm" variant="default" ml="sm" onClick={() => save.mutate(true)}>
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
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for it
        autoFocus
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group p="xs" justify="flex-end" gap="xs">
        <Button variant="default" h={40} onClick={leave}>
          {t('common.cancel')}
        </Button>
        <Button h={40} loading={save.isPending} disabled={!isChanged} onClick={() => save.mutate(false)}>
          {t('preview.save')}
        </Button>
      </Group>
      {(isLeaving || blocker.status === 'blocked') && (
        <ConfirmDialog
          title={t('preview.discardTitle')}
          text={t('preview.discardText')}
          action={t('preview.discard')}
          zIndex={500}
          onConfirm={() => {
            removeDraft(entry.id);
            if (blocker.status === 'blocked') blocker.proceed();
            else onCancel();
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
