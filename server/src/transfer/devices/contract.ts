import { Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { operation } from '../../http/operation.ts';
import { TransferParams } from '../contract.ts';

export const OfferBody = Type.Object({
  session: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'the `id` of a session of `GET /api/user/sessions`',
  }),
});

/** The message `DEVICES` of an event stream with `devices=true`. */
export interface DevicesMessage {
  readonly eventType: 'DEVICES';
  /** The offers to this device, newest first. */
  readonly offers: readonly {
    readonly sessionId: string;
    readonly pickupCode: string;
    /** The sending device. Its members are null if its login session has ended. */
    readonly from: { readonly client: 'desktop' | 'mobile' | null; readonly userAgent: string | null };
    readonly fileCount: number;
    readonly totalBytes: number;
    readonly encrypted: boolean;
    readonly expiresAt: string;
  }[];
  readonly createdAt: string;
}

// An app password does not represent a device, so it can neither offer nor decline.

export const offerTransfer = operation('POST /api/v2/transfer/sessions/{sessionId}/offer', {
  does: 'Offers a transfer to another device of the caller.',
  access: 'login',
  appPassword: 'never',
  path: TransferParams,
  body: OfferBody,
  example: { path: { sessionId: EXAMPLE.transfer }, body: { session: EXAMPLE.device } },
});

export const declineTransfer = operation('DELETE /api/v2/transfer/sessions/{sessionId}/offer', {
  does: 'Declines a transfer that was offered to this device.',
  access: 'login',
  appPassword: 'never',
  path: TransferParams,
  example: { path: { sessionId: EXAMPLE.transfer } },
});
