import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { open } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { notify } from '../../../ui/notifications/notify.ts';
import { renewLists } from '../../entries/change/listed-entries.ts';
import { settleDraft } from './drafts.ts';
import { fromText, type TextForm } from './text-bytes.ts';

/** The text that the service had when this page last loaded or saved it. */
export interface StoredText {
  readonly text: string;
  /** Identifies the content, so saving does not overwrite someone else's change. */
  readonly etag: string | undefined;
}

interface TextSaveOptions {
  readonly entry: EntryRecord;
  readonly form: TextForm;
  /** The content when the editor was opened. */
  readonly start: StoredText;
  readonly text: string;
}

interface SentText {
  readonly text: string;
  readonly isForced: boolean;
}

/**
 * Saves a text while the user keeps typing. One request runs at a time. If the user saves again meanwhile,
 * the next request follows it, with the text at that time.
 */
export function useTextSave({ entry, form, start, text }: TextSaveOptions) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [stored, setStored] = useState(start);
  const latest = useRef({ text, etag: start.etag, isRunning: false, isWaiting: false });
  latest.current.text = text;
  const send = async ({ text, isForced }: SentText): Promise<StoredText> => {
    const { etag } = latest.current;
    const response = await open('PUT /api/v2/files/{fileId}/content', {
      path: { fileId: entry.id },
      drive: entry.driveId,
      body: new Blob([fromText(text, form)]),
      headers: isForced || etag === undefined ? {} : { 'if-match': etag },
    });
    // The connection stays busy until the response is read.
    await response.text();
    return { text, etag: response.headers.get('etag') ?? undefined };
  };
  // The callbacks belong to the latest render, so they take the sent text from the result.
  const save = useMutation({
    mutationFn: send,
    onSuccess: (saved) => {
      latest.current.etag = saved.etag;
      setStored(saved);
      settleDraft(entry.id, saved);
      notify(t('preview.saved'));
      void queryClient.invalidateQueries({ queryKey: KEYS.entry(entry.id) });
      void renewLists(queryClient);
    },
    onSettled: (_saved, error) => {
      const { isWaiting } = latest.current;
      latest.current.isRunning = false;
      latest.current.isWaiting = false;
      if (isWaiting && error === null) request(false);
    },
  });
  function request(isForced: boolean): void {
    const { current } = latest;
    if (current.isRunning) {
      current.isWaiting = true;
      return;
    }
    current.isRunning = true;
    save.mutate({ text: current.text, isForced });
  }
  return {
    stored,
    error: save.error,
    isSaving: save.isPending,
    /** The text that is being saved. */
    sent: save.isPending ? save.variables.text : undefined,
    save: request,
  };
}
