/**
 * ONLINE: the peers send the bytes to each other. OFFLINE: the server stores them until the receiver fetches
 * them.
 */
export type TransferMode = 'ONLINE' | 'OFFLINE';

export type TransferStatus = 'WAITING' | 'JOINED' | 'UPLOADING' | 'READY';

export type PeerRole = 'sender' | 'receiver';
