import { findAvatar } from '../accounts/accounts.ts';
import { Failure } from '../base/failure.ts';
import type { Requester } from '../base/network/requester-key.ts';
import type { Database } from '../database/database.ts';
import type { GeneratedFile } from '../http/download/generated-file.ts';
import { type Thumbnails, thumbnailVersionOf } from '../thumbnails/thumbnails.ts';

/** The longest side in pixels. */
const SIDE = 256;
const NAME = 'avatar';

/**
 * The member of a link's public view with the address of the owner's picture, below that of the link.
 * @param avatarId the blob of the picture; null without one, and for a shared drive
 */
export function toOwnerAvatarMember(
  linkUrl: string,
  avatarId: number | null,
): { readonly ownerAvatarUrl?: string } {
  const version = thumbnailVersionOf({ name: NAME, contentType: 'image/webp', size: 1, blobId: avatarId });
  return version === null ? {} : { ownerAvatarUrl: `${linkUrl}/owner-avatar?v=${version}` };
}

/** The profile pictures of people who share something. Visitors get a small copy without metadata. */
export class OwnerAvatars {
  readonly #database: Database;
  readonly #thumbnails: Thumbnails;

  constructor(database: Database, thumbnails: Thumbnails) {
    this.#database = database;
    this.#thumbnails = thumbnails;
  }

  /**
   * The caller must have checked that the visitor may see whose link it is.
   * @param ownerId null for a shared drive
   * @throws Failure `not-found`; `unsupported` if the picture cannot be decoded
   */
  async open(
    ownerId: number | null,
    version: string | undefined,
    requester: Requester,
  ): Promise<GeneratedFile> {
    const avatar = ownerId === null ? undefined : await findAvatar(this.#database.db, ownerId);
    if (avatar === undefined) throw new Failure('not-found', 'There is no profile picture.');
    const { policyId, objectKey, ...facts } = avatar;
    const picture = { name: NAME, ...facts, location: { policyId, objectKey } };
    const query = { size: SIDE, ...(version !== undefined && { v: version }) } as const;
    return this.#thumbnails.fileOf(picture, query, requester);
  }
}
