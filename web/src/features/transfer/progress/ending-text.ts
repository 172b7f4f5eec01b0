import { TransferFault } from '../../../../../client/src/transfer/connection/line.ts';
import { messageOf } from '../../../common/message-of.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { messages } from '../../../messages/i18n.ts';
import { MAX_MEMORY_BYTES } from '../saving/places.ts';
import { NoPlace } from '../saving/save-place.ts';
import type { Ending } from '../session/state/transfer-state.ts';

/** Explains in a sentence for the user why a transfer ended. */
export function textForEnding(ending: Ending, side: 'sender' | 'receiver'): string {
  if (ending.kind === 'failed') return textForError(ending.error);
  if (ending.kind === 'cancelled') return messages.t('transfer.endCancelled');
  if (ending.kind === 'cancelled-there') return messages.t('transfer.endCancelledThere');
  if (ending.kind === 'expired') return messages.t('transfer.endExpired');
  if (ending.kind === 'taken') return messages.t('transfer.taken');
  return messages.t(side === 'sender' ? 'transfer.endGoneSender' : 'transfer.endGone');
}

/** Converts any error to a sentence for the user. */
export function textForError(error: unknown): string {
  if (error instanceof NoPlace) {
    return messages.t('transfer.noPlace', { most: formatBytes(MAX_MEMORY_BYTES) });
  }
  if (!(error instanceof TransferFault)) return messageOf(error);
  if (error.fault === 'unreadable') return messages.t('transfer.faultUnreadable');
  if (error.fault === 'no-room') return messages.t('transfer.faultNoRoom');
  if (error.fault === 'unwritable') return messages.t('transfer.faultUnwritable');
  if (error.fault === 'altered') return messages.t('transfer.faultAltered');
  if (error.fault === 'stranger') return messages.t('transfer.faultStranger');
  return messages.t('transfer.faultDamaged');
}
